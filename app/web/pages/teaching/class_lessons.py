"""The page of a class's lessons: which ones, in which order, when each opens, and what its exercises are worth."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from fastapi import Request
from starlette.responses import Response

from app.classroom.classes.class_faults import BadClassValue
from app.classroom.classes.class_lessons import MOST_POINTS, ClassLesson, list_lessons, set_lessons
from app.classroom.classes.school_classes import SchoolClass
from app.classroom.store.times import now_ms, to_datetime, to_ms
from app.lessons.course.catalogue import Catalogue
from app.locale.messages import mark
from app.protocol.run import Lang
from app.web.guards.access import INSTRUCTOR, TEACHING, allow
from app.web.http.form import read_fields
from app.web.pages.routes import route_forms, route_pages
from app.web.pages.teaching.opened_class import (
    ChangingDep,
    OpenedDep,
    change_class_rows,
    go_to_tab,
    render_class,
    say_bad_value,
)
from app.web.services import CatalogueDep, LangDep, PersonDep, Services, ServicesDep
from app.web.views.links import link_chapter

MOST_FIELDS = 2000
DONE = {
    "made": mark("The class is made. Choose its lessons; then show its code to your learners."),
    "copied": mark("This is the copy. Its lessons are closed, and nobody is in it yet."),
    "saved": mark("Saved."),
}


@allow(TEACHING)
async def get_lessons(request: Request, lang: LangDep, services: ServicesDep, opened: OpenedDep) -> Response:
    """Answer with the form of the class's lessons."""
    lessons = await services.database.read(list_lessons, opened.id)
    return show_lessons(request, lang, services, opened, lessons)


@allow(INSTRUCTOR)
async def post_lessons(
    request: Request, lang: LangDep, services: ServicesDep, teacher: PersonDep, opened: ChangingDep, catalogue: CatalogueDep
) -> Response:
    """Store the lessons of the form after the action of its button: save, move, remove, or add ticked lessons or those of a path."""
    fields = await read_fields(request, MOST_FIELDS)
    before = await services.database.read(list_lessons, opened.id)
    try:
        lessons = parse_rows(fields, before, now_ms())
        lessons = do(dict(fields).get("do", "save"), fields, lessons, catalogue)
        await change_class_rows(services, set_lessons, teacher.id, opened.id, lessons)
    except BadClassValue as fault:
        return show_lessons(request, lang, services, opened, before, 422, say_bad_value(fault, lang))
    action, _, path = dict(fields).get("do", "save").partition(":")
    return go_to_tab(lang, opened.id, "lessons", "saved", f"lesson-{path}" if action in ("up", "down") else "")


def do(what: str, fields: Sequence[tuple[str, str]], lessons: list[ClassLesson], catalogue: Catalogue) -> list[ClassLesson]:
    """Return the lessons after the action `what` of a button, such as "save", "add" or "up:chapter/lesson". Added lessons are open."""
    action, _, path = what.partition(":")
    match action:
        case "up" | "down":
            return move_row(lessons, path, -1 if action == "up" else 1)
        case "remove":
            return [one for one in lessons if one.lesson != path]
        case "add":
            wanted = [value for name, value in fields if name == "add" and catalogue.lesson(value)]
        case "path":
            course_path = catalogue.path(dict(fields).get("path", ""))
            wanted = [lesson.path for lesson in catalogue.lessons_of(course_path)] if course_path else []
        case _:
            wanted = []
    known = {one.lesson for one in lessons}
    new = [lesson for lesson in dict.fromkeys(wanted) if lesson not in known]
    return [*lessons, *(ClassLesson(lesson=lesson, opens_ms=now_ms()) for lesson in new)]


def show_lessons(
    request: Request,
    lang: Lang,
    services: Services,
    school_class: SchoolClass,
    lessons: Sequence[ClassLesson],
    status: int = 200,
    fault: str = "",
) -> Response:
    now = now_ms()
    catalogue = services.catalogue
    taken = {one.lesson for one in lessons}
    return render_class(
        request,
        lang,
        school_class,
        "lessons",
        "teaching/lessons.html",
        title=mark("Lessons"),
        status=status,
        fault=fault,
        done=DONE,
        rows=[(one, catalogue.lesson(one.lesson), find_state(one, now)) for one in lessons],
        format_field=format_field,
        chapters=[chapter for one in catalogue.course.chapters if (chapter := link_chapter(one, lang)).lessons],
        taken=taken,
        paths=[(path.id, path.title[lang], len(path.lessons)) for path in catalogue.course.paths],
    )


def find_state(lesson: ClassLesson, now_ms: int) -> str:
    """Return "open", "closed", or "later" if the lesson opens at a certain time."""
    if lesson.opens_ms is None:
        return "closed"
    return "open" if lesson.is_open(now_ms) else "later"


def parse_rows(fields: Iterable[tuple[str, str]], before: Sequence[ClassLesson], now_ms: int) -> list[ClassLesson]:
    """Return the lessons of a form in its order. A lesson that stays open keeps its time. Raises BadClassValue.

    The fields of a row begin with `lesson`. Lessons that the class does not have are ignored.
    """
    rows: list[dict[str, str]] = []
    for name, value in fields:
        if name == "lesson":
            rows.append({"lesson": value})
        elif rows and name in ("state", "opens", "points"):
            rows[-1][name] = value
    had = {one.lesson: one for one in before}
    return [parse_row(row, had[row["lesson"]], now_ms) for row in rows if row["lesson"] in had]


def parse_row(row: dict[str, str], before: ClassLesson, now_ms: int) -> ClassLesson:
    points = row.get("points", "")
    if not (points.isascii() and points.isdecimal() and int(points) <= MOST_POINTS):
        raise BadClassValue("points", mark("a whole number from {least} to {most}"), least=0, most=MOST_POINTS)
    match row.get("state"):
        case "open":
            opens_ms = before.opens_ms if before.is_open(now_ms) else now_ms
        case "later":
            opens_ms = parse_field(row.get("opens", ""))
        case _:
            opens_ms = None
    return replace(before, opens_ms=opens_ms, points=int(points))


def move_row(lessons: Sequence[ClassLesson], path: str, by: int) -> list[ClassLesson]:
    """Return the lessons with one of them moved up (-1) or down (1), if it can be moved."""
    moved = list(lessons)
    place = next((place for place, one in enumerate(moved) if one.lesson == path), None)
    if place is not None and 0 <= place + by < len(moved):
        moved[place], moved[place + by] = moved[place + by], moved[place]
    return moved


def format_field(at_ms: int) -> str:
    """Return a time as the value of a field for times, in UTC."""
    return f"{to_datetime(at_ms):%Y-%m-%dT%H:%M}"


def parse_field(value: str) -> int:
    """Return the time of a field, which is in UTC. Raises BadClassValue."""
    try:
        return to_ms(datetime.fromisoformat(value).replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise BadClassValue("time", mark("a date and a time")) from None


router = route_pages({"/teach/{class_id:int}/lessons": get_lessons})
forms = route_forms({"/teach/{class_id:int}/lessons": post_lessons})
