"""The pages that show who needs help in a class now, and how far all members are."""

import msgspec
from fastapi import Request
from starlette.responses import Response

from app.classroom.classes.board.progress_matrix import LessonProgress, read_matrix
from app.classroom.classes.class_lessons import list_lessons
from app.lessons.model.model import Lesson
from app.locale.messages import mark
from app.web.classes.board_words import read_answer
from app.web.guards.access import TEACHING, allow
from app.web.pages.routes import route_pages
from app.web.pages.teaching.opened_class import OpenedDep, render_class
from app.web.services import CatalogueDep, LangDep, ServicesDep
from app.web.views.links import count_parts


@allow(TEACHING)
async def get_now(request: Request, lang: LangDep, services: ServicesDep, opened: OpenedDep) -> Response:
    """Answer with the board: who needs help now."""
    board = await read_answer(services.database, services.boards.failures, services.catalogue, opened.id, lang)
    data = {"class": opened.id, "board": msgspec.to_builtins(board)}
    return render_class(
        request, lang, opened, "now", "teaching/board.html", title=mark("Now"), script="board.js", data=data, limits=board.limits
    )


@allow(TEACHING)
async def get_progress(request: Request, lang: LangDep, services: ServicesDep, opened: OpenedDep, catalogue: CatalogueDep) -> Response:
    """Answer with how far each member is in each lesson of the class."""
    paths = [one.lesson for one in await services.database.read(list_lessons, opened.id)]
    lessons = [lesson for path in paths if (lesson := catalogue.lesson(path))]
    members = await services.database.read(read_matrix, opened.id, [one.path for one in lessons])
    rows = [(member, [view_cell(member.lessons.get(one.path, LessonProgress()), one) for one in lessons]) for member in members]
    return render_class(request, lang, opened, "progress", "teaching/progress.html", title=mark("Progress"), lessons=lessons, rows=rows)


def view_cell(progress: LessonProgress, lesson: Lesson) -> tuple[int, int, str]:
    """Return how many parts of a lesson are done, how many it has, and the state: "", "tried", "some" or "all".

    The parts are its exercises, or its cells and predictions if it has none.
    """
    total = len(lesson.exercises) or count_parts(lesson)
    done = min(progress.passed if lesson.exercises else progress.others, total)
    if total and done >= total:
        return done, total, "all"
    if done:
        return done, total, "some"
    return 0, total, "tried" if progress.tried or progress.others else ""


router = route_pages({"/teach/{class_id:int}": get_now, "/teach/{class_id:int}/progress": get_progress})
