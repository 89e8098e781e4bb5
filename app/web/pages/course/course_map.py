"""The routes of the course map, whose two tabs are the lessons and the paths, and of each path's own page."""

from collections.abc import Sequence

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.locale.messages import translator
from app.web.guards.access import ANYONE, allow
from app.web.pages.own_classes import view_own_classes
from app.web.pages.own_work.stored_work import describe_course_work, read_course
from app.web.pages.rendering import render
from app.web.pages.routes import route_pages
from app.web.services import CatalogueDep, LangDep
from app.web.views.links import ChapterLinks, PathLinks, link_chapter, link_path


@allow(ANYONE)
async def get_map(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with the course map: the learner's classes, chapters and lessons. The fold with the learner's last lesson is open."""
    words = translator(lang)
    folds = [link_chapter(chapter, lang) for chapter in catalogue.course.chapters]
    work = await read_course(request)
    classes = await view_own_classes(request, catalogue, lang, work)
    current = classes[0].id if classes else _find_current(folds, work.last if work else None)
    return render(
        request,
        lang,
        "map.html",
        title=words("Course map"),
        description=words("All lessons in order: what each is about, what you can do after it, and how far you are."),
        script="map.js",
        path="map",
        data={"kept": describe_course_work(work)},
        folds=folds,
        classes=classes,
        current=current,
    )


@allow(ANYONE)
async def get_paths(request: Request, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with all paths and their lessons."""
    words = translator(lang)
    paths = [link_path(catalogue, path, lang) for path in catalogue.course.paths]
    work = await read_course(request)
    current = _find_current(paths, work.last if work else None)
    return render(
        request,
        lang,
        "paths.html",
        title=words("Paths"),
        description=words("Each takes an hour or less: a few lessons for one question, and something that you can do at the end."),
        script="map.js",
        path="paths",
        data={"kept": describe_course_work(work)},
        folds=paths,
        current=current,
    )


@allow(ANYONE)
async def get_path(request: Request, path_id: str, lang: LangDep, catalogue: CatalogueDep) -> Response:
    """Answer with the page of a path."""
    path = catalogue.path(path_id)
    if path is None:
        raise HTTPException(404)
    links = link_path(catalogue, path, lang)
    return render(
        request,
        lang,
        "course_path.html",
        title=links.label,
        description=links.question,
        script="map.js",
        path=f"paths/{path.id}",
        data={"kept": describe_course_work(await read_course(request))},
        walked=links,
    )


def _find_current(folds: Sequence[ChapterLinks | PathLinks], last: str | None) -> str | None:
    """Return the id of the first fold with the lesson `last`, or else of the first one with any lesson."""
    open_first = [fold.id for fold in folds if any(lesson.path == last for lesson in fold.lessons)]
    return next(iter([*open_first, *(fold.id for fold in folds if fold.lessons)]), None)


router = route_pages({"/map": get_map, "/paths": get_paths, "/paths/{path_id}": get_path})
