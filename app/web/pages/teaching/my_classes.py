"""The page that lists the classes a person teaches, and on which an instructor makes a class."""

from collections.abc import Sequence

from fastapi import Request
from sqlalchemy import Connection
from starlette.responses import Response

from app.classroom.classes.class_faults import BadClassValue
from app.classroom.classes.class_lessons import ClassLesson, set_lessons
from app.classroom.classes.school_classes import list_classes, make_class
from app.classroom.people.people import Person
from app.classroom.store.times import now_ms
from app.locale.messages import mark, translator
from app.protocol.run import Lang
from app.web.guards.access import INSTRUCTOR, INSTRUCTORS, TEACHING, allow
from app.web.http.form import read_form
from app.web.pages.rendering import render
from app.web.pages.routes import route_forms, route_pages
from app.web.pages.teaching.opened_class import change_class_rows, go_to_tab, say_bad_value
from app.web.services import CatalogueDep, LangDep, PersonDep, Services, ServicesDep

DONE = {"deleted": mark("The class is deleted, with all that was stored of it.")}


@allow(TEACHING)
async def get_classes(request: Request, lang: LangDep, services: ServicesDep, teacher: PersonDep) -> Response:
    """Answer with the classes that the person teaches."""
    return await show_classes(request, lang, services, teacher)


@allow(INSTRUCTOR)
async def post_class(request: Request, lang: LangDep, services: ServicesDep, teacher: PersonDep, catalogue: CatalogueDep) -> Response:
    """Make a class with the lessons of a path, or without lessons, and redirect to its lessons."""
    form = await read_form(request)
    path = catalogue.path(form.get("path", ""))
    lessons = [lesson.path for lesson in catalogue.lessons_of(path)] if path else []
    try:
        class_id = await change_class_rows(services, make_with_lessons, teacher.id, form.get("name", ""), lessons, now_ms())
    except BadClassValue as fault:
        return await show_classes(request, lang, services, teacher, 422, say_bad_value(fault, lang), form.get("name", ""))
    return go_to_tab(lang, class_id, "lessons", "made")


def make_with_lessons(connection: Connection, teacher: int, name: str, lessons: Sequence[str], at_ms: int) -> int:
    """Make a class whose lessons are open, and return its id. Raises BadClassValue."""
    class_id = make_class(connection, teacher, name, at_ms)
    taken = [ClassLesson(lesson=lesson, position=place, opens_ms=at_ms, points=1) for place, lesson in enumerate(lessons)]
    set_lessons(connection, teacher, class_id, taken)
    return class_id


async def show_classes(
    request: Request, lang: Lang, services: Services, teacher: Person, status: int = 200, fault: str = "", name: str = ""
) -> Response:
    words = translator(lang)
    classes = await services.database.read(list_classes, teacher.id)
    return render(
        request,
        lang,
        "teaching/classes.html",
        title=words("Classes"),
        description=words("The classes that you teach: who is stuck, what to show, and the points."),
        script="teaching.js",
        path="teach",
        indexed=False,
        status=status,
        data={},
        active=[one for one in classes if one.archived_ms is None],
        archived=[one for one in classes if one.archived_ms is not None],
        paths=[(path.id, path.title[lang], path.question[lang]) for path in services.catalogue.course.paths],
        may_make=teacher.role in INSTRUCTORS,
        name=name,
        fault=fault,
        done=words(DONE.get(request.query_params.get("done", ""), "")),
    )


router = route_pages({"/teach": get_classes})
forms = route_forms({"/teach/make": post_class})
