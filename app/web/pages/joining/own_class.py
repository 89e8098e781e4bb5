"""The page of a learner's class, with its lessons. There a learner gets a new resume code, hands the computer on, or leaves the class."""

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from app.classroom.classes import members
from app.classroom.classes.memberships import Membership
from app.classroom.store.stored_work_types import CourseWork
from app.classroom.store.times import now_ms
from app.classroom.work import progress
from app.locale.messages import translator
from app.web.guards.access import ANYONE, OWN_WORK, allow
from app.web.http.form import read_form
from app.web.pages.joining.resume import show_resume_code
from app.web.pages.own_classes import own_classes_of, view_own_classes
from app.web.pages.own_work.stored_work import describe_course_work, read_work
from app.web.pages.rendering import render
from app.web.pages.routes import route_forms, route_pages
from app.web.services import CatalogueDep, LangDep, PrincipalDep, ServicesDep


@allow(OWN_WORK)
async def get_class(request: Request, class_id: int, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with the page of a class, its lessons, and the forms of this module."""
    membership = find_own_class(request, class_id)
    work = await read_work(request, CourseWork(), progress.read_course_work, now_ms=now_ms())
    view = next(one for one in await view_own_classes(request, catalogue, lang, work) if one.id == class_id)
    return render(
        request,
        lang,
        "joining/own_class.html",
        title=membership.class_name,
        description=translator(lang)("The lessons of your class, in order, and how far you are."),
        script="joining.js",
        path=f"class/{class_id}",
        indexed=False,
        data={"kept": describe_course_work(work)},
        own_class=view,
        member=membership,
        is_new="new" in request.query_params,
    )


@allow(OWN_WORK)
async def post_code(request: Request, class_id: int, lang: LangDep, services: ServicesDep, principal: PrincipalDep) -> Response:
    """Make a new resume code, which ends the earlier one, and show it."""
    membership = find_own_class(request, class_id)
    code = await services.store.write(principal, members.renew_own_code, class_id, now_ms())
    return show_resume_code(request, lang, class_id, membership.class_name, code, "renewed")


@allow(OWN_WORK)
async def post_leave(request: Request, class_id: int, lang: LangDep, services: ServicesDep, principal: PrincipalDep) -> Response:
    """Remove the learner from the class."""
    find_own_class(request, class_id)
    await services.store.write(principal, members.leave, class_id, now_ms())
    return RedirectResponse(f"/{lang}/mine?left#classes", 303, {"cache-control": "no-store"})


@allow(OWN_WORK)
async def post_hand_on(request: Request, class_id: int, lang: LangDep, services: ServicesDep, principal: PrincipalDep) -> Response:
    """Answer with a new resume code. If the form says that the learner has it, give the browser the cookie of a new learner."""
    membership = find_own_class(request, class_id)
    if (await read_form(request)).get("has_code") != "yes":
        code = await services.store.write(principal, members.renew_own_code, class_id, now_ms())
        return show_resume_code(request, lang, class_id, membership.class_name, code, "hand-on")
    response = RedirectResponse(f"/{lang}/handed-on", 303, {"cache-control": "no-store"})
    response.headers.append("set-cookie", services.sessions.header(secure=request.url.scheme == "https"))
    return response


def find_own_class(request: Request, class_id: int) -> Membership:
    """Return the sender's membership of a class. Raises HTTPException (404) if they are not in it."""
    membership = own_classes_of(request).find(class_id)
    if membership is None:
        raise HTTPException(404)
    return membership


@allow(ANYONE)
async def get_handed_on(request: Request, lang: LangDep) -> Response:
    """Answer with what the next person at this computer can do."""
    words = translator(lang)
    return render(
        request,
        lang,
        "joining/handed_on.html",
        title=words("This computer is ready for the next person"),
        description=words("Nothing of the person before is in this browser any more. They come back with their resume code."),
        script="joining.js",
        path="handed-on",
        indexed=False,
        data={},
    )


router = route_pages({"/class/{class_id:int}": get_class, "/handed-on": get_handed_on})
forms = route_forms(
    {"/class/{class_id:int}/code": post_code, "/class/{class_id:int}/leave": post_leave, "/class/{class_id:int}/hand-on": post_hand_on}
)
