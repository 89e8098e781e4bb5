"""The route of the page "My work"."""

from contextlib import suppress

from fastapi import Request
from starlette.responses import Response

from app.classroom.classes.notes import OwnNote, list_notes
from app.classroom.store.faults.store_faults import StoreFault
from app.classroom.store.stored_work_types import OwnWork
from app.classroom.store.times import now_ms
from app.classroom.work.own_work import read_own_work
from app.lessons.course.catalogue import Catalogue
from app.locale.messages import translator
from app.protocol.run import Lang
from app.web.guards.access import ANYONE, allow
from app.web.pages.own_classes import view_own_classes
from app.web.pages.own_work.reviews import list_reviews
from app.web.pages.own_work.stored_work import describe_course_work, read_work
from app.web.pages.rendering import render
from app.web.pages.routes import route_pages
from app.web.services import CatalogueDep, LangDep, services_of
from app.web.views.links import link_chapter
from app.web.views.own_work_view import view_own_work


@allow(ANYONE)
async def get_mine(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with what a learner can do now, the rules they have met, where to continue, and what is stored of their work."""
    words = translator(lang)
    work = await read_work(request, OwnWork(), read_own_work, now_ms=now_ms())
    course = work.course if work else None
    kept = describe_course_work(course)
    data = {"kept": kept | {"standings": course.standings} if kept and course else None}
    reviews: dict[str, str] = {}  # by lesson title, the address of its first review
    for one in list_reviews(catalogue, course, lang):
        reviews.setdefault(one.lesson_title, one.url)
    classes = await view_own_classes(request, catalogue, lang, course)
    notes = await read_notes(request)
    return render(
        request,
        lang,
        "mine.html",
        title=words("My work"),
        description=words("What you can do now, the rules you have met, where to go on, and what is kept of your work."),
        script="mine.js",
        path="mine",
        indexed=False,
        data=data,
        own=work and view_own_work(catalogue.course, work, lang, classes),
        reviews=reviews,
        notes=[describe_note(one, catalogue, lang) for one in notes],
        chapters=[link_chapter(chapter, lang) for chapter in catalogue.course.chapters],
    )


def describe_note(note: OwnNote, catalogue: Catalogue, lang: Lang) -> tuple[OwnNote, str, str]:
    """Return a note, the title of its exercise, and its line of the attempt without indentation. What does not exist any more is ""."""
    lesson = catalogue.lesson(note.lesson)
    exercise = lesson.exercise(note.exercise) if lesson else None
    lines = note.source.splitlines()
    return note, exercise.texts[lang].title if exercise else "", lines[note.line - 1].strip() if note.line <= len(lines) else ""


async def read_notes(request: Request) -> list[OwnNote]:
    """Return the newest notes of teachers for the learner. If the store cannot be read, there are none."""
    learner = request.state.principal.learner
    if learner is None:
        return []
    with suppress(StoreFault):
        return await services_of(request).database.read(list_notes, learner)
    return []


router = route_pages({"/mine": get_mine})
