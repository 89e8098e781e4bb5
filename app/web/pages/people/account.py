"""The account page, on which a person who is signed in changes the password, ends sessions, and signs out."""

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from app.classroom.people.passwords import FEWEST_CHARACTERS, TooManySignIns, WeakPassword
from app.classroom.people.people import Person
from app.classroom.people.person_sessions import IDLE_DAYS
from app.classroom.people.roles import Role
from app.locale.messages import mark, translator
from app.protocol.run import Lang
from app.web.guards.access import SIGNED_IN, allow
from app.web.guards.person_cookies import end_cookie, is_secure
from app.web.guards.principal import Principal
from app.web.http.form import read_form
from app.web.pages.people.sign_in import BUSY, BUSY_SECONDS, go_to_account, say_too_early, say_weak
from app.web.pages.rendering import render
from app.web.pages.routes import route_forms, route_pages
from app.web.services import LangDep, PersonDep, PrincipalDep, Services, ServicesDep
from app.web.storing.sign_ins import SignInTooEarly, WrongSignIn
from app.web.views.browser_name import name_browser

ROLES = {Role.OPERATOR: mark("operator"), Role.INSTRUCTOR: mark("instructor"), Role.ASSISTANT: mark("assistant")}
MOST_ID = 2**31 - 1  # the largest id that the column can have
DONE = {
    "password": mark("Your password is changed. You are signed out everywhere else."),
    "session": mark("That browser is signed out."),
    "others": mark("All other browsers are signed out."),
}


@allow(SIGNED_IN)
async def get_account(request: Request, lang: LangDep, services: ServicesDep, principal: PrincipalDep, person: PersonDep) -> Response:
    """Answer with the account page."""
    return await show_account(request, lang, services, principal, person)


@allow(SIGNED_IN)
async def post_password(request: Request, lang: LangDep, services: ServicesDep, principal: PrincipalDep, person: PersonDep) -> Response:
    """Change the password. Answer with the page again if the old one is wrong or the new one is weak."""
    form = await read_form(request)
    try:
        await services.sign_ins.change_password(principal, person, form.get("old", ""), form.get("password", ""))
    except WrongSignIn:
        return await show_account(request, lang, services, principal, person, 403, translator(lang)("This is not your present password."))
    except SignInTooEarly as early:
        return await show_account(request, lang, services, principal, person, 429, say_too_early(early.seconds, lang), early.seconds)
    except WeakPassword:
        return await show_account(request, lang, services, principal, person, 422, say_weak(lang))
    except TooManySignIns:
        return await show_account(request, lang, services, principal, person, 503, translator(lang)(BUSY), BUSY_SECONDS)
    return go_to_account(lang, "password")


@allow(SIGNED_IN)
async def post_end(
    request: Request, session_id: int, lang: LangDep, services: ServicesDep, principal: PrincipalDep, person: PersonDep
) -> Response:
    """End one of the person's sessions. Answer 404 if the person has no such session."""
    if session_id > MOST_ID or not await services.sign_ins.end_session(principal, person, session_id):
        raise HTTPException(404)
    return go_to_account(lang, "session")


@allow(SIGNED_IN)
async def post_end_others(request: Request, lang: LangDep, services: ServicesDep, principal: PrincipalDep, person: PersonDep) -> Response:
    """End all of the person's sessions but this one."""
    await services.sign_ins.end_others(principal, person)
    return go_to_account(lang, "others")


@allow(SIGNED_IN)
async def post_sign_out(request: Request, lang: LangDep, services: ServicesDep, principal: PrincipalDep, person: PersonDep) -> Response:
    """End this session, and remove its cookie."""
    if principal.session_id is not None:
        await services.sign_ins.end_session(principal, person, principal.session_id)
    response = RedirectResponse(f"/{lang}/sign-in", 303, {"cache-control": "no-store"})
    response.headers.append("set-cookie", end_cookie(secure=is_secure(request)))
    return response


async def show_account(
    request: Request,
    lang: Lang,
    services: Services,
    principal: Principal,
    person: Person,
    status: int = 200,
    fault: str = "",
    retry_seconds: int = 0,
) -> Response:
    words = translator(lang)
    done = DONE.get(request.query_params.get("done", "")) if request.method != "POST" else None
    return render(
        request,
        lang,
        "account.html",
        title=words("Your account"),
        description=words("Your password, and the browsers in which you are signed in."),
        script="account.js",
        path="account",
        indexed=False,
        status=status,
        retry_seconds=retry_seconds,
        data={},
        person=person,
        role=words(ROLES[person.role]),
        operates=person.role is Role.OPERATOR,
        sessions=[(one, name_browser(one.client, words)) for one in await services.sign_ins.list_sessions(person)],
        own_session=principal.session_id,
        fault=fault,
        done=words(done) if done else "",
        fewest=FEWEST_CHARACTERS,
        days=IDLE_DAYS,
    )


router = route_pages({"/account": get_account})
forms = route_forms(
    {
        "/account/password": post_password,
        "/account/sessions/{session_id:int}/end": post_end,
        "/account/others/end": post_end_others,
        "/account/sign-out": post_sign_out,
    }
)
