"""The page on which an instructor changes the settings of a class, copies, archives or deletes it."""

from collections.abc import Mapping

from fastapi import Request
from starlette.responses import RedirectResponse, Response

from app.classroom.classes.class_faults import BadClassValue
from app.classroom.classes.school_classes import (
    ClassChanges,
    SchoolClass,
    archive_class,
    change_class,
    copy_class,
    delete_class,
)
from app.classroom.people.people import make_name_key
from app.classroom.store.times import now_ms
from app.grading.solution_policy import SolutionPolicy
from app.locale.messages import mark, translator
from app.protocol.run import Lang
from app.web.guards.access import INSTRUCTOR, TEACHING, allow
from app.web.http.form import read_form
from app.web.pages.routes import route_forms, route_pages
from app.web.pages.teaching.class_lessons import format_field, parse_field
from app.web.pages.teaching.opened_class import (
    ChangingDep,
    OpenedDep,
    change_class_rows,
    go_to_tab,
    render_class,
    say_bad_value,
)
from app.web.services import LangDep, PersonDep, Services, ServicesDep

MOST_FIELDS = 20
DONE = {
    "saved": mark("Saved."),
    "archived": mark("The class is archived: nobody can join it, and learners see it no longer."),
    "unarchived": mark("The class is in use again."),
}
POLICIES = {None: mark("never shown"), 0: mark("always shown"), 1: mark("shown after a submission")}  # by the number of submissions


@allow(TEACHING)
async def get_settings(request: Request, lang: LangDep, services: ServicesDep, opened: OpenedDep) -> Response:
    """Answer with the settings of a class, and the forms that copy, archive and delete it."""
    return show_settings(request, lang, services, opened)


@allow(INSTRUCTOR)
async def post_settings(request: Request, lang: LangDep, services: ServicesDep, teacher: PersonDep, opened: ChangingDep) -> Response:
    """Store the settings of the form."""
    form = await read_form(request, MOST_FIELDS)
    try:
        await change_class_rows(services, change_class, teacher.id, opened.id, parse_settings(form), now_ms())
    except BadClassValue as fault:
        return show_settings(request, lang, services, opened, 422, say_bad_value(fault, lang))
    return go_to_tab(lang, opened.id, "settings", "saved")


@allow(INSTRUCTOR)
async def post_copy(request: Request, lang: LangDep, services: ServicesDep, teacher: PersonDep, opened: ChangingDep) -> Response:
    """Copy the class, and redirect to the lessons of the copy."""
    name = (await read_form(request)).get("name", "")
    try:
        copied = await change_class_rows(services, copy_class, teacher.id, opened.id, name, now_ms())
    except BadClassValue as fault:
        return show_settings(request, lang, services, opened, 422, say_bad_value(fault, lang))
    return go_to_tab(lang, copied, "lessons", "copied")


@allow(INSTRUCTOR)
async def post_archive(request: Request, lang: LangDep, services: ServicesDep, teacher: PersonDep, class_id: int) -> Response:
    """Archive the class, or restore it from the archive."""
    archived = (await read_form(request)).get("archived") == "yes"
    await change_class_rows(services, archive_class, teacher.id, class_id, now_ms(), archived=archived)
    return go_to_tab(lang, class_id, "settings", "archived" if archived else "unarchived")


@allow(INSTRUCTOR)
async def post_delete(request: Request, lang: LangDep, services: ServicesDep, teacher: PersonDep, opened: ChangingDep) -> Response:
    """Delete the class if the form has its name."""
    typed = (await read_form(request)).get("name", "")
    if make_name_key(typed) != make_name_key(opened.name):
        return show_settings(
            request,
            lang,
            services,
            opened,
            422,
            say_bad_value(BadClassValue("name", mark("the name of the class, as it is written above")), lang),
        )
    await change_class_rows(services, delete_class, teacher.id, opened.id, now_ms())
    services.database.scrub()
    return RedirectResponse(f"/{lang}/teach?done=deleted", 303, {"cache-control": "no-store"})


def parse_settings(form: Mapping[str, str]) -> ClassChanges:
    """Return the settings of a form. A form has no field for a box that is not ticked. Raises BadClassValue."""
    solutions = form.get("solutions", "")
    until, days = form.get("until", ""), form.get("retention_days", "")
    return ClassChanges(
        name=form.get("name", ""),
        asks_number="asks_number" in form,
        solutions=f"after-{parse_whole('tries', form.get('tries', ''))}-tries" if solutions == "tries" else solutions or None,
        stuck_tries=parse_whole("stuck_tries", form.get("stuck_tries", "")),
        stuck_minutes=parse_whole("stuck_minutes", form.get("stuck_minutes", "")),
        counting=form.get("counting", ""),  # type: ignore[arg-type]  # change_class checks it
        counted_attempt=form.get("counted_attempt", ""),  # type: ignore[arg-type]
        until_ms=parse_field(until) if until else None,
        after_solution="after_solution" in form,
        retention_days=parse_whole("retention_days", days) if days else None,
    )


def parse_whole(field: str, text: str) -> int:
    """Return a whole number. Raises BadClassValue."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise BadClassValue(field, mark("a whole number"))
    return int(text)


def show_settings(
    request: Request, lang: Lang, services: Services, school_class: SchoolClass, status: int = 200, fault: str = ""
) -> Response:
    solutions = school_class.solutions or ""
    tries = solutions.removeprefix("after-").removesuffix("-tries")
    return render_class(
        request,
        lang,
        school_class,
        "settings",
        "teaching/settings.html",
        title=mark("Settings"),
        status=status,
        fault=fault,
        done=DONE,
        solutions="tries" if tries.isdecimal() else solutions,
        tries=tries if tries.isdecimal() else "3",
        until=format_field(school_class.until_ms) if school_class.until_ms is not None else "",
        servers=describe_policy(services.solutions, lang),
        server_days=services.settings.retention_days,
    )


def describe_policy(policy: SolutionPolicy, lang: Lang) -> str:
    """Return in words when solutions are shown."""
    return translator(lang)(POLICIES.get(policy.tries, mark("shown after {count} submissions"))).format(count=policy.tries)


router = route_pages({"/teach/{class_id:int}/settings": get_settings})
forms = route_forms(
    {
        "/teach/{class_id:int}/settings": post_settings,
        "/teach/{class_id:int}/settings/copy": post_copy,
        "/teach/{class_id:int}/settings/archive": post_archive,
        "/teach/{class_id:int}/settings/delete": post_delete,
    }
)
