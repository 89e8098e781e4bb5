"""The page on which a learner enters a resume code, to continue in this browser what they did in another, and the page with a new code.

A code is shown only once, because the server stores only its hash.
"""

from functools import partial
from typing import Literal

from fastapi import Request
from starlette.responses import RedirectResponse, Response

from app.classroom.classes import members
from app.classroom.classes.class_faults import CodeTooEarly, WrongCode
from app.classroom.classes.join_code import format_code
from app.classroom.store.times import now_ms
from app.classroom.work.learners import find_learner
from app.locale.messages import mark, translator
from app.protocol.run import Lang
from app.web.guards.access import ANYONE, allow
from app.web.http.form import read_form
from app.web.pages.joining.codes import say_too_early, with_code
from app.web.pages.own_classes import own_classes_of
from app.web.pages.rendering import render
from app.web.pages.routes import route_forms, route_pages
from app.web.services import LangDep, PrincipalDep, ServicesDep, services_of

Occasion = Literal["joined", "renewed", "hand-on"]
TITLES: dict[Occasion, str] = {
    "joined": mark("You are in {name}"),
    "renewed": mark("Your new resume code for {name}"),
    "hand-on": mark("Before somebody else uses this computer"),
}


@allow(ANYONE)
async def get_resume(request: Request, lang: LangDep) -> Response:
    """Answer with the form for a resume code.

    A browser whose page was left before it had cleared what it stored asks with `unfinished`. If its learner is in a class, as whoever has
    resumed is, redirect to the page of a class, which clears it.
    """
    memberships = own_classes_of(request).memberships
    if "unfinished" in request.query_params and memberships:
        return go_to_class(lang, memberships[0].class_id, is_new=True)
    return await show_form(request, lang)


@allow(ANYONE)
async def post_resume(request: Request, lang: LangDep, services: ServicesDep, principal: PrincipalDep) -> Response:
    """Give the browser the cookie of the learner whose code was sent.

    The browser's own work stays with its earlier cookie and cannot be reached any more, so the form must confirm this.
    """
    form = await read_form(request)
    code = form.get("code", "")
    words = translator(lang)
    if await has_own_work(request) and form.get("sure") != "yes":
        return await show_form(request, lang, code, words("Say first that this browser may leave its own work behind."), 422, field="sure")
    try:
        resumed = await with_code(request, partial(services.database.write, members.resume, code, now_ms()))
    except WrongCode:
        return await show_form(
            request,
            lang,
            code,
            words("This resume code is wrong, or a newer one has replaced it. Whoever teaches your class can make a new one."),
            404,
        )
    except CodeTooEarly as early:
        return await show_form(request, lang, code, say_too_early(early.seconds, lang), 429, retry_seconds=early.seconds)
    is_other = resumed.learner != principal.learner
    response = go_to_class(lang, resumed.class_id, is_new=is_other)
    if is_other:
        response.headers.append("set-cookie", services.sessions.header(resumed.learner, secure=request.url.scheme == "https"))
    return response


def go_to_class(lang: Lang, class_id: int, *, is_new: bool) -> Response:
    """Redirect to the page of a class. With `is_new`, that page clears what the browser stores of its earlier learner."""
    return RedirectResponse(f"/{lang}/class/{class_id}{'?new' if is_new else ''}", 303, {"cache-control": "no-store"})


async def has_own_work(request: Request) -> bool:
    """Return whether the store knows the learner of this browser."""
    learner = request.state.principal.learner
    return learner is not None and await services_of(request).database.read(find_learner, learner) is not None


async def show_form(
    request: Request, lang: Lang, code: str = "", fault: str = "", status: int = 200, *, field: str = "code", retry_seconds: int = 0
) -> Response:
    words = translator(lang)
    return render(
        request,
        lang,
        "joining/resume.html",
        title=words("Go on with a resume code"),
        description=words("With the resume code of your class, this browser goes on where you were."),
        script="joining.js",
        path="resume",
        indexed=False,
        status=status,
        retry_seconds=retry_seconds,
        data={},
        memberships=own_classes_of(request).memberships,
        code=code[:60],
        fault=fault,
        field=field,
        has_work=await has_own_work(request),
    )


def show_resume_code(request: Request, lang: Lang, class_id: int, class_name: str, code: str, occasion: Occasion) -> Response:
    """Show a new resume code of a class's member. `occasion` says why there is a new one."""
    title = translator(lang)(TITLES[occasion]).format(name=class_name)
    return render(
        request,
        lang,
        "joining/resume_code.html",
        title=title,
        description=title,
        script="joining.js",
        path=f"class/{class_id}",
        indexed=False,
        data={},
        class_id=class_id,
        class_name=class_name,
        code=format_code(code),
        occasion=occasion,
    )


router = route_pages({"/resume": get_resume})
forms = route_forms({"/resume": post_resume})
