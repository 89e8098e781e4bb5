"""The pages on which learners join a class: one for its code, and one for each class, to which links and QR codes lead."""

from collections.abc import Mapping
from functools import partial

from fastapi import Request
from starlette.responses import RedirectResponse, Response

from app.classroom.classes import members
from app.classroom.classes.class_faults import (
    BadClassValue,
    ClassFault,
    ClassFull,
    CodeTooEarly,
    JoiningClosed,
    NumberNeeded,
    NumberTaken,
    WrongCode,
)
from app.classroom.classes.join_code import normalize_code
from app.classroom.classes.members import JoinableClass
from app.classroom.store.times import now_ms
from app.classroom.work.learners import find_learner
from app.locale.messages import mark, translator
from app.protocol.run import Lang
from app.web.guards.access import ANYONE, allow
from app.web.http.form import read_form
from app.web.pages.joining.codes import say_too_early, with_code
from app.web.pages.joining.resume import show_resume_code
from app.web.pages.own_classes import own_classes_of, read_own_classes
from app.web.pages.rendering import render
from app.web.pages.routes import route_forms, route_pages
from app.web.services import LangDep, PrincipalDep, ServicesDep, services_of

JOIN = mark("Whoever teaches the class gives you its code. You need no account and no e-mail address.")
CLOSED = mark("Nobody can join this class at the moment. Ask whoever teaches it.")


@allow(ANYONE)
async def get_join(request: Request, lang: LangDep) -> Response:
    """Answer with the form for a code. With a code in the query, redirect to the page of its class."""
    code = request.query_params.get("code", "").strip()
    if not code:
        return show_code_form(request, lang)
    found = await find_class(request, lang, code)
    return found if isinstance(found, Response) else go(lang, f"join/{normalize_code(code)}")


@allow(ANYONE)
async def get_class(request: Request, code: str, lang: LangDep) -> Response:
    """Answer with what a class is, what is stored, who sees it, and the form for a name."""
    found = await find_class(request, lang, code)
    if isinstance(found, Response):
        return found
    if own_classes_of(request).find(found.id):
        return go(lang, f"class/{found.id}")
    return await show_class(request, lang, found, code)


@allow(ANYONE)
async def post_class(request: Request, code: str, lang: LangDep, services: ServicesDep, principal: PrincipalDep) -> Response:
    """Add the learner to the class, and answer with their resume code."""
    form = await read_form(request)
    found = await find_class(request, lang, code)
    if isinstance(found, Response):
        return found
    if own_classes_of(request).find(found.id):  # the form was sent twice
        return go(lang, f"class/{found.id}")
    brings = form.get("brings") == "yes"
    try:
        joined = await services.store.write(
            principal, members.join, code, form.get("name", ""), form.get("number") or None, brings, now_ms()
        )
    except ClassFault as fault:
        return await show_class(request, lang, found, code, form, describe_fault(fault, lang))
    await read_own_classes(request)
    return show_resume_code(request, lang, joined.class_id, found.name, joined.resume_code, "joined")


async def find_class(request: Request, lang: Lang, code: str) -> JoinableClass | Response:
    """Return the class with a code, or else the page that says why there is none."""
    words = translator(lang)
    try:
        return await with_code(request, partial(services_of(request).database.read, members.find_joinable, code))
    except WrongCode:
        return show_code_form(
            request, lang, code, words("No class has this code, or it has ended. Compare it with what you were given."), 404
        )
    except JoiningClosed:
        return show_code_form(request, lang, code, words(CLOSED), 403)
    except CodeTooEarly as early:
        return show_code_form(request, lang, code, say_too_early(early.seconds, lang), 429, early.seconds)


def show_code_form(request: Request, lang: Lang, code: str = "", fault: str = "", status: int = 200, retry_seconds: int = 0) -> Response:
    words = translator(lang)
    return render(
        request,
        lang,
        "joining/join.html",
        title=words("Join a class"),
        description=words(JOIN),
        script="joining.js",
        path="join",
        indexed=False,
        status=status,
        retry_seconds=retry_seconds,
        data={},
        code=code[:40],
        fault=fault,
    )


async def show_class(
    request: Request,
    lang: Lang,
    found: JoinableClass,
    code: str,
    form: Mapping[str, str] | None = None,
    faults: Mapping[str, str] | None = None,
) -> Response:
    """Show the form for a name. `form` has the sent values. `faults` maps fields to what is wrong; "" is the whole form."""
    words = translator(lang)
    learner = request.state.principal.learner
    has_work = learner is not None and await services_of(request).database.read(find_learner, learner) is not None
    return render(
        request,
        lang,
        "joining/join_class.html",
        title=words("Join {name}").format(name=found.name),
        description=words(JOIN),
        script="joining.js",
        path=f"join/{normalize_code(code)}",
        indexed=False,
        status=422 if faults else 200,
        data={},
        school_class=found,
        form={"name": "", "number": "", "brings": "", **(form or {"brings": "yes"})},
        faults={"": "", "name": "", "number": "", **(faults or {})},
        has_work=has_work,
    )


def describe_fault(fault: ClassFault, lang: Lang) -> dict[str, str]:
    """Return a dictionary from the field of a fault to its words. Raises other faults again."""
    words = translator(lang)
    match fault:
        case BadClassValue():
            return {fault.field: words("Expected {expected}.").format(expected=words(fault.expected).format(**fault.values))}
        case NumberTaken():
            return {"number": words("Somebody in this class has this number already. If that is you, come back with your resume code.")}
        case NumberNeeded():
            return {"number": words("This class asks for your student number.")}
        case ClassFull():
            return {"": words("This class has no room for more members. Tell whoever teaches it.")}
        case JoiningClosed() | WrongCode():  # the class was closed, or its code changed, after the form was shown
            return {"": words(CLOSED)}
    raise fault


def go(lang: Lang, path: str) -> Response:
    return RedirectResponse(f"/{lang}/{path}", 303, {"cache-control": "no-store"})


router = route_pages({"/join": get_join, "/join/{code}": get_class})
forms = route_forms({"/join/{code}": post_class})
