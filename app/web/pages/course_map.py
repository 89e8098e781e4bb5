"""The route of the course map."""

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

MAP = mark("All lessons in order: what each is about, what you can do after it, and how far you are.")


async def get_map(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """The course map: chapters and lessons."""
    words = translator(lang)
    page = make_page(request, lang, title=words("Course map"), description=words(MAP), script="map.js", path="map")
    chapters = [link_chapter(chapter, lang) for chapter in catalogue.course.chapters]
    done = await read_work(request, CourseWork(), progress.read_course_work, now_ms=now_ms())
    return render(request, "map.html", page, data={"kept": describe_course_work(done)}, chapters=chapters)


router = route_pages({"/map": get_map})
