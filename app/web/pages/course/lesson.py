"""The routes of the chapters, of the lessons, and of their images."""

from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.classroom.store.faults.store_faults import StoreFault
from app.classroom.store.stored_work_types import LessonWork
from app.classroom.store.times import now_ms
from app.classroom.work import progress
from app.grading.solution_policy import SolutionPolicy
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import LANGS, CoursePath, Lesson
from app.protocol.run import Lang
from app.web.guards.access import ANYONE, GuardedRoute, allow
from app.web.pages.own_classes import PageRoute, describe_classes, find_closed_lesson
from app.web.pages.own_work.stored_work import describe_course_work, describe_lesson_work, describe_work_around, read_course, read_work
from app.web.pages.rendering import render
from app.web.pages.routes import METHODS
from app.web.services import CatalogueDep, LangDep, services_of
from app.web.views.class_view import ClosedLesson
from app.web.views.lesson.lesson_view import view_lesson
from app.web.views.links import link_around, link_around_on, link_chapter, link_next_path, link_path, name_query

IMAGE_HEADERS = {
    "cache-control": "public, max-age=31536000, immutable",  # the address holds a hash of the content
    # for an SVG that a browser opens as a page
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
}


@allow(ANYONE)
async def get_chapter(request: Request, chapter: str, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with a chapter's page: what it teaches, what learners can do after it, and its lessons."""
    found = catalogue.chapter(chapter)
    if found is None:
        raise HTTPException(404)
    links = link_chapter(found, lang)
    return render(
        request,
        lang,
        "chapter.html",
        title=links.title,
        description=links.promise or links.title,
        script="map.js",
        path=found.id,
        data={"kept": describe_course_work(await read_course(request))},
        chapter=links,
        around=link_around(catalogue.around(found), lang),
    )


@allow(ANYONE)
async def get_lesson(request: Request, chapter: str, lesson: str, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with a lesson. Its chapter is shown beside it, or the path that the query names."""
    path = f"{chapter}/{lesson}"
    author = services_of(request).author
    found, version = catalogue.lesson(path), author.version(path, lang) if author else None
    if author and version is None and any(problem.file.startswith(f"{path}/") for problem in catalogue.problems):
        return render(request, lang, "unloaded.html", title=path, description=path, script="plain.js", path=None)
    if found is None:
        raise HTTPException(404)
    closed = await find_closed_lesson(request, path)
    if closed:
        return show_closed(request, lang, found, closed)
    shown = version.lesson if version else found
    text = shown.texts[lang]
    walked = _find_path(catalogue, found, request)
    on_path = link_path(catalogue, walked, lang, found) if walked else None
    series = on_path or link_chapter(catalogue.chapter_of(found), lang, found)
    around = link_around_on(on_path, found) if on_path else link_around(catalogue.around(found), lang)
    settings = services_of(request).settings
    view = view_lesson(shown, lang, settings.limits, settings.lesson_factor)
    done = await read_work(request, LessonWork(), progress.read_lesson_work, lesson=path, now_ms=now_ms())
    course = await read_course(request)
    data: dict[str, Any] = {
        "kept": describe_lesson_work(found, done, lang),
        "around": describe_work_around([one.path for one in series.lessons], course),
    }
    if classes := await describe_classes(request, path):
        data |= {"classes": classes}
    solutions = await _read_policy(request, path)
    since = datetime.fromtimestamp(version.since, UTC) if version else None
    return render(
        request,
        lang,
        "lesson.html",
        title=text.title,
        term=shown.term.get(lang, "").replace("`", ""),
        description=text.summary,
        script="lesson.js",
        path=found.path + (name_query(walked) if walked else ""),
        data=data,
        lesson=view,
        series=series,
        around=around,
        on_path=on_path,
        next_path=link_next_path(catalogue, walked, lang) if walked else None,
        terms=[catalogue.terms[one] for one in text.terms if one in catalogue.terms],
        since=since,
        is_stale=version is not None and version.is_stale,
        solution_tries=solutions.tries,
    )


def show_closed(request: Request, lang: Lang, lesson: Lesson, closed: ClosedLesson) -> Response:
    """Return a page that says when a lesson opens, instead of the lesson."""
    title = lesson.texts[lang].title
    return render(
        request,
        lang,
        "joining/closed_lesson.html",
        title=title,
        description=title,
        script="joining.js",
        path=lesson.path,
        indexed=False,
        data={},
        closed=closed,
    )


async def _read_policy(request: Request, path: str) -> SolutionPolicy:
    """Return the policy for the solutions of a lesson, or the server's policy if the store cannot be read."""
    services = services_of(request)
    try:
        return await services.read_policy(request.state.principal, path)
    except StoreFault:
        return services.solutions


def _find_path(catalogue: Catalogue, lesson: Lesson, request: Request) -> CoursePath | None:
    """Return the path that the query names, if the lesson is a part of it."""
    path = catalogue.path(request.query_params.get("path", ""))
    return path if path and lesson.path in path.lessons else None


@allow(ANYONE)
async def get_picture(chapter: str, lesson: str, digest: str, name: str, catalogue: CatalogueDep) -> Response:
    """Answer with an image of a lesson. Only addresses that the catalogue lists are served, so a request cannot reach other files."""
    image = catalogue.image(f"/lessons/{chapter}/{lesson}/images/{digest}/{name}")
    if image is None:
        raise HTTPException(404)
    return Response(image.data, media_type=image.media_type, headers=IMAGE_HEADERS)


router = APIRouter(include_in_schema=False, route_class=PageRoute)
router.add_api_route("/lessons/{chapter}/{lesson}/images/{digest}/{name}", get_picture, methods=METHODS, route_class_override=GuardedRoute)
for lang in LANGS:
    router.add_api_route(f"/{lang}/{{chapter}}", get_chapter, methods=METHODS)
    router.add_api_route(f"/{lang}/{{chapter}}/{{lesson}}", get_lesson, methods=METHODS)
