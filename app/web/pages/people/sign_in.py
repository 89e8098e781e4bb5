"""The pages on which people sign in: with a name and a password, or with a link that works once.

No cache stores them. The address of a link is secret: it is not logged (app.web.edge.request_log), and only our own pages get it as their
referrer.
"""

from functools import partial
from math import ceil

from fastapi import Request
from starlette.responses import RedirectResponse, Response

from app.classroom.people.passwords import FEWEST_CHARACTERS, TooManySignIns, WeakPassword
from app.locale.messages import mark, translator
from app.protocol.run import Lang
from app.web.guards.access import ANYONE, allow
from app.web.guards.person_cookies import PersonCookies, is_secure
from app.web.http.form import read_form
from app.web.pages.rendering import render
from app.web.pages.routes import route_forms, route_pages
from app.web.services import LangDep, PrincipalDep, ServicesDep
from app.web.storing.sign_ins import LinkEnded, SignedIn, SignInTooEarly, WrongSignIn

SECONDS, MINUTES = mark("{count} s"), mark("{count} min")
BUSY = mark("Many people are signing in right now. Please try again shortly.")
BUSY_SECONDS = 2


@allow(ANYONE)
async def get_sign_in(request: Request, lang: LangDep, principal: PrincipalDep) -> Response:
    """Answer with the form for a name and a password. Redirect a person who is signed in to the account."""
    return go_to_account(lang) if principal.person else show_sign_in(request, lang)


@allow(ANYONE)
async def post_sign_in(request: Request, lang: LangDep, services: ServicesDep, principal: PrincipalDep) -> Response:
    """Sign a person in with a name and a password, or answer with the form again."""
    form = await read_form(request)
    name = form.get("name", "")
    knows_browser = partial(services.person_cookies.knows_browser, request)
    try:
        signed_in = await services.sign_ins.sign_in(
            principal, name, form.get("password", ""), request.headers.get("user-agent", ""), knows_browser
        )
    except WrongSignIn:
        return show_sign_in(request, lang, name, 403, translator(lang)("The name or the password is wrong."))
    except SignInTooEarly as early:
        return show_sign_in(request, lang, name, 429, say_too_early(early.seconds, lang), early.seconds)
    except TooManySignIns:
        return show_sign_in(request, lang, name, 503, translator(lang)(BUSY), BUSY_SECONDS)
    return welcome(request, lang, services.person_cookies, signed_in)


@allow(ANYONE)
async def get_link(request: Request, token: str, lang: LangDep, services: ServicesDep) -> Response:
    """Answer with the name of the link's person and a form for a password. The link stays valid, because previews open links, too."""
    try:
        person = await services.sign_ins.find_link(token)
    except LinkEnded:
        return show_ended(request, lang)
    return show_link(request, lang, token, person.name)


@allow(ANYONE)
async def post_link(request: Request, token: str, lang: LangDep, services: ServicesDep, principal: PrincipalDep) -> Response:
    """Set the password of the link's person, and sign them in. The link then becomes invalid."""
    password = (await read_form(request)).get("password", "")
    try:
        name = (await services.sign_ins.find_link(token)).name
        signed_in = await services.sign_ins.use_link(principal, token, password, request.headers.get("user-agent", ""))
    except LinkEnded:
        return show_ended(request, lang)
    except WeakPassword:
        return show_link(request, lang, token, name, 422, say_weak(lang))
    except TooManySignIns:
        return show_link(request, lang, token, name, 503, translator(lang)(BUSY), BUSY_SECONDS)
    return welcome(request, lang, services.person_cookies, signed_in)


def show_sign_in(request: Request, lang: Lang, name: str = "", status: int = 200, fault: str = "", retry_seconds: int = 0) -> Response:
    words = translator(lang)
    return render(
        request,
        lang,
        "sign_in.html",
        title=words("Sign in"),
        description=words("For instructors and operators. Learners need no account."),
        script="account.js",
        path="sign-in",
        indexed=False,
        status=status,
        retry_seconds=retry_seconds,
        data={},
        name=name,
        fault=fault,
    )


def show_link(request: Request, lang: Lang, token: str, name: str, status: int = 200, fault: str = "", retry_seconds: int = 0) -> Response:
    title = translator(lang)("Choose a password")
    return render(
        request,
        lang,
        "choose_password.html",
        title=title,
        description=title,
        script="account.js",
        path=f"sign-in/{token}",
        indexed=False,
        status=status,
        retry_seconds=retry_seconds,
        data={},
        name=name,
        fault=fault,
        fewest=FEWEST_CHARACTERS,
    )


def show_ended(request: Request, lang: Lang) -> Response:
    words = translator(lang)
    return render(
        request,
        lang,
        "link_ended.html",
        title=words("This link does not work any more"),
        description=words("This link has been used or has ended, or it is not complete. Ask whoever operates this server for a new one."),
        script="account.js",
        path=None,
        indexed=False,
        status=404,
        data={},
    )


def welcome(request: Request, lang: Lang, cookies: PersonCookies, signed_in: SignedIn) -> Response:
    """Return a redirect to the account that gives the browser the cookies of the person who has signed in."""
    response = go_to_account(lang)
    secure = is_secure(request)
    response.headers.append("set-cookie", cookies.header(signed_in.token, secure=secure))
    response.headers.append("set-cookie", cookies.browser_header(signed_in.person.id, secure=secure))
    return response


def go_to_account(lang: Lang, done: str = "") -> Response:
    return RedirectResponse(f"/{lang}/account{f'?done={done}' if done else ''}", 303, {"cache-control": "no-store"})


def say_too_early(seconds: int, lang: Lang) -> str:
    words = translator(lang)
    wait = words(SECONDS).format(count=seconds) if seconds < 100 else words(MINUTES).format(count=ceil(seconds / 60))
    return words("There were too many wrong tries. Try again in {wait}, or ask whoever operates this server for a link.").format(wait=wait)


def say_weak(lang: Lang) -> str:
    return translator(lang)(
        "A password needs at least {count} characters, five different ones among them, and it may not be your name."
    ).format(count=FEWEST_CHARACTERS)


router = route_pages({"/sign-in": get_sign_in, "/sign-in/{token}": get_link})
forms = route_forms({"/sign-in": post_sign_in, "/sign-in/{token}": post_link})
