"""The route of the home page."""

from fastapi import Request
from starlette.responses import Response

from app.classroom.store.stored_work_types import CourseWork
from app.classroom.store.times import now_ms
from app.classroom.work import progress
from app.locale.messages import mark, translator
from app.web.pages.rendering import make_page, render
from app.web.pages.routes import route_pages
from app.web.pages.stored_work import describe_course_work, list_reviews, read_work
from app.web.services import CatalogueDep, LangDep

TAGLINE = mark("Learn PyTorch’s autograd by running real code: see the graph, the gradients and the checks.")


async def get_home(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """What the course is, and where to begin or to go on."""
    words = translator(lang)
    page = make_page(request, lang, title=words("A classroom for gradients"), description=words(TAGLINE), script="home.js", path="")
    done = await read_work(request, CourseWork(), progress.read_course_work, now_ms=now_ms())
    reviews = list_reviews(catalogue, done, lang)
    return render(request, "home.html", page, data={"kept": describe_course_work(done)}, reviews=reviews)


router = route_pages({"/": get_home})
