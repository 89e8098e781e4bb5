"""The page that an instructor puts on the projector: where to join, the code, and how many have joined."""

from urllib.parse import urlsplit

import segno
from fastapi import Request
from starlette.responses import Response

from app.classroom.classes.join_code import format_code
from app.classroom.classes.member_changes import list_members
from app.classroom.classes.school_classes import ClassChanges, change_class, renew_code
from app.classroom.store.times import now_ms
from app.locale.messages import mark
from app.web.guards.access import INSTRUCTOR, TEACHING, allow
from app.web.http.form import read_form
from app.web.pages.rendering import origin_of
from app.web.pages.routes import route_forms, route_pages
from app.web.pages.teaching.opened_class import OpenedDep, change_class_rows, go_to_tab, render_class
from app.web.services import LangDep, PersonDep, ServicesDep

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
DONE = {
    "open": mark("The class can be joined."),
    "closed": mark("Nobody can join now. Who has joined stays."),
    "renewed": mark("This is the new code. The old one joins nobody any more."),
}


@allow(TEACHING)
async def get_code(request: Request, lang: LangDep, services: ServicesDep, opened: OpenedDep) -> Response:
    """Answer with the address and code of a class, a QR code, and the number of members who have joined."""
    origin = origin_of(request)
    address = f"{origin}/join/{opened.code}"
    members = await services.database.read(list_members, opened.id)
    return render_class(
        request,
        lang,
        opened,
        "code",
        "teaching/code.html",
        title=mark("Code"),
        done=DONE,
        address=address,
        join_page=f"{urlsplit(origin).netloc}/join",
        code=format_code(opened.code),
        picture=draw_code(address),
        joined=sum(one.learners > 0 for one in members),
        is_local=urlsplit(origin).hostname in LOCAL_HOSTS,
    )


@allow(INSTRUCTOR)
async def post_joining(request: Request, lang: LangDep, services: ServicesDep, teacher: PersonDep, class_id: int) -> Response:
    """Open the class for joining, or close it."""
    joining = (await read_form(request)).get("joining") == "yes"
    await change_class_rows(services, change_class, teacher.id, class_id, ClassChanges(joining=joining), now_ms())
    return go_to_tab(lang, class_id, "code", "open" if joining else "closed")


@allow(INSTRUCTOR)
async def post_renew(lang: LangDep, services: ServicesDep, teacher: PersonDep, class_id: int) -> Response:
    """Replace the code of the class. The old one becomes invalid."""
    await change_class_rows(services, renew_code, teacher.id, class_id, now_ms())
    return go_to_tab(lang, class_id, "code", "renewed")


def draw_code(address: str) -> str:
    """Return an address as a QR code: an SVG element without width and height."""
    return segno.make(address, error="m", micro=False).svg_inline(omitsize=True, svgclass="join-qr", lineclass=None, border=2)


router = route_pages({"/teach/{class_id:int}/code": get_code})
forms = route_forms({"/teach/{class_id:int}/code/joining": post_joining, "/teach/{class_id:int}/code/renew": post_renew})
