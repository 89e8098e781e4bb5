"""The route of the page "My work"."""

from fastapi import Request
from starlette.responses import Response

from app.classroom.store.stored_work_types import OwnWork
from app.classroom.store.times import now_ms
from app.classroom.work.own_work import read_own_work
from app.locale.messages import mark, translator
from app.web.guards.access import ANYONE, allow
from app.web.pages.own_work.reviews import list_reviews
from app.web.pages.own_work.stored_work import describe_course_work, read_work
from app.web.pages.rendering import make_page, render
from app.web.pages.routes import route_pages
from app.web.services import CatalogueDep, LangDep
from app.web.views.links import link_chapter
from app.web.views.own_work_view import view_own_work

MINE = mark("What you can do now, the rules you have met, where to go on, and what is kept of your work.")


@allow(ANYONE)
async def get_mine(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """What a learner can do now, the rules they have met, and where to go on; then their stored work, its export, import and deletion."""
    words = translator(lang)
    page = make_page(request, lang, title=words("My work"), description=words(MINE), script="mine.js", path="mine", indexed=False)
    work = await read_work(request, OwnWork(), read_own_work, now_ms=now_ms())
    course = work.course if work else None
    kept = describe_course_work(course)
    data = {"kept": kept | {"standings": course.standings} if kept and course else None}
    reviews: dict[str, str] = {}  # one for each lesson
    for one in list_reviews(catalogue, course, lang):
        reviews.setdefault(one.lesson_title, one.url)
    return render(
        request,
        "mine.html",
        page,
        data=data,
        own=work and view_own_work(catalogue.course, work, lang),
        reviews=reviews,
        chapters=[link_chapter(chapter, lang) for chapter in catalogue.course.chapters],
    )


router = route_pages({"/mine": get_mine})
