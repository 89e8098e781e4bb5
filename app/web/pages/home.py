"""The route of the home page."""

from fastapi import Request
from starlette.responses import Response

from app.classroom.store.stored_work_types import CourseWork
from app.locale.messages import translator
from app.web.guards.access import ANYONE, allow
from app.web.pages.own_classes import view_own_classes
from app.web.pages.own_work.reviews import list_reviews
from app.web.pages.own_work.stored_work import describe_course_work, read_course
from app.web.pages.rendering import render
from app.web.pages.routes import route_pages
from app.web.services import CatalogueDep, LangDep
from app.web.views.class_view import find_next, split_lessons
from app.web.views.lesson.demonstration import view_demonstration
from app.web.views.links import count_parts, link_lesson, link_path

WRITING = "function"  # the id of the path that teaches how to write a Function


@allow(ANYONE)
async def get_home(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with a page that shows a program with its result and where to begin, or where to continue for a learner who returns."""
    words = translator(lang)
    lessons = catalogue.course.lessons
    work = await read_course(request)
    known = work or CourseWork()
    classes = await view_own_classes(request, catalogue, lang, work)
    of_classes, others = split_lessons(lessons, classes)
    following = find_next(of_classes, known) or find_next(others, known)
    return render(
        request,
        lang,
        "home.html",
        title=words("Learn PyTorch’s autograd by running it"),
        description=words("Short lessons whose code runs in the page and shows its graph, its gradients, and what is wrong."),
        script="home.js",
        path="",
        data={
            "kept": describe_course_work(work),
            # with which the script finds this browser's last lesson
            "lessons": [(lesson.path, lesson.texts[lang].title, count_parts(lesson)) for lesson in of_classes or others],
        },
        first=link_lesson(lessons[0], lang) if lessons else None,
        following=link_lesson(following, lang) if following else None,
        count=len(lessons),
        writing=next((link_path(catalogue, path, lang) for path in catalogue.course.paths if path.id == WRITING), None),
        is_returning=bool(known.last or known.done or classes),
        classes=classes,
        reviews=list_reviews(catalogue, work, lang),
        demonstration=view_demonstration(lang),
    )


router = route_pages({"/": get_home})
