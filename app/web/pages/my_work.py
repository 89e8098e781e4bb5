"""The route of the page "My work"."""

from fastapi import Request
from starlette.responses import Response

from app.classroom.store.stored_work_types import CourseWork
from app.classroom.store.times import now_ms
from app.classroom.work import progress
from app.locale.messages import mark, translator
from app.web.pages.rendering import make_page, render
from app.web.pages.routes import route_pages
from app.web.pages.stored_work import describe_course_work, read_work
from app.web.services import CatalogueDep, LangDep
from app.web.views.contexts import link_chapter

MINE = mark("What is kept of your work, how to take it with you, and how to delete it.")


async def get_mine(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """A learner's stored work: its size, the learner's progress, and export, import and deletion."""
    words = translator(lang)
    page = make_page(request, lang, title=words("My work"), description=words(MINE), script="mine.js", path="mine", indexed=False)
    chapters = [link_chapter(chapter, lang) for chapter in catalogue.course.chapters]
    done = await read_work(request, CourseWork(), progress.read_course_work, now_ms=now_ms())
    kept = describe_course_work(done)
    data = {"kept": kept and kept | {"standings": done and done.standings}}
    return render(request, "mine.html", page, data=data, chapters=chapters)


router = route_pages({"/mine": get_mine})
