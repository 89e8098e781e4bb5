"""The page of a class's lessons: which ones, in which order, when each opens, and what its exercises are worth."""

from collections.abc import Sequence

from fastapi import Request
from starlette.responses import Response

from app.classroom.classes.class_faults import BadClassValue
from app.classroom.classes.class_lessons import ClassLesson, list_lessons, set_lessons
from app.classroom.classes.school_classes import SchoolClass
from app.classroom.store.times import now_ms
from app.lessons.course.catalogue import Catalogue
from app.locale.messages import mark, translator
from app.protocol.run import Lang
from app.web.guards.access import INSTRUCTOR, TEACHING, allow
from app.web.http.form import read_fields
from app.web.pages.routes import route_forms, route_pages
from app.web.pages.teaching.lesson_rows import move_row, parse_rows, view_row
from app.web.pages.teaching.opened_class import (
    ChangingDep,
    OpenedDep,
    TeacherDep,
    change_class_rows,
    go_to_tab,
    render_class,
    say_bad_value,
)
from app.web.services import CatalogueDep, LangDep, Services, ServicesDep
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
    request: Request, lang: LangDep, services: ServicesDep, teacher: TeacherDep, opened: ChangingDep, catalogue: CatalogueDep
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
    words, now = translator(lang), now_ms()
    catalogue = services.catalogue
    taken = {one.lesson for one in lessons}
    return render_class(
        request,
        lang,
        school_class,
        "lessons",
        "teaching/lessons.html",
        title=words("Lessons"),
        status=status,
        fault=fault,
        done=words(DONE.get(request.query_params.get("done", ""), "")),
        rows=[view_row(catalogue, one, lang, now) for one in lessons],
        chapters=[chapter for one in catalogue.course.chapters if (chapter := link_chapter(one, lang)).lessons],
        taken=taken,
        paths=[(path.id, path.title[lang], len(path.lessons)) for path in catalogue.course.paths],
    )


router = route_pages({"/teach/{class_id:int}/lessons": get_lessons})
forms = route_forms({"/teach/{class_id:int}/lessons": post_lessons})
