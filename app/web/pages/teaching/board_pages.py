"""The pages that show who needs help in a class now, and how far all members are."""

from dataclasses import dataclass

import msgspec
from fastapi import Request
from starlette.responses import Response

from app.classroom.classes.board.progress_matrix import LessonProgress, MemberProgress, read_matrix
from app.classroom.classes.class_lessons import list_lessons
from app.lessons.model.model import Lesson
from app.locale.messages import mark, translator
from app.web.classes.board_answer import read_answer
from app.web.guards.access import TEACHING, allow
from app.web.pages.routes import route_pages
from app.web.pages.teaching.opened_class import OpenedDep, render_class
from app.web.services import CatalogueDep, LangDep, ServicesDep

NOW = mark("Now")
PROGRESS = mark("Progress")


@dataclass(frozen=True, kw_only=True)
class MatrixColumn:
    """A lesson of the class. `total` is the number of its exercises, or of its other parts if it has none."""

    path: str
    url: str
    number: int
    title: str
    total: int
    has_exercises: bool


@dataclass(frozen=True, kw_only=True)
class MatrixRow:
    """A member. `cells` has, for each column, how many parts are done, and a state: "", "tried", "some" or "all"."""

    member: int
    name: str
    number: str
    cells: tuple[tuple[int, str], ...]
    finished: int


@allow(TEACHING)
async def get_now(request: Request, lang: LangDep, services: ServicesDep, opened: OpenedDep) -> Response:
    """Answer with the board: who needs help now."""
    board = await read_answer(services.database, services.boards.failures, services.catalogue, opened.id, lang)
    data = {"class": opened.id, "board": msgspec.to_builtins(board)}
    return render_class(
        request, lang, opened, "now", "teaching/board.html", title=translator(lang)(NOW), script="board.js", data=data, limits=board.limits
    )


@allow(TEACHING)
async def get_progress(request: Request, lang: LangDep, services: ServicesDep, opened: OpenedDep, catalogue: CatalogueDep) -> Response:
    """Answer with how far each member is in each lesson of the class."""
    lessons = [one.lesson for one in await services.database.read(list_lessons, opened.id)]
    found = [lesson for path in lessons if (lesson := catalogue.lesson(path))]
    columns = [
        MatrixColumn(
            path=lesson.path,
            url=f"/{lang}/{lesson.path}",
            number=number,
            title=lesson.texts[lang].title,
            total=len(lesson.exercises) or count_others(lesson),
            has_exercises=bool(lesson.exercises),
        )
        for number, lesson in enumerate(found, 1)
    ]
    members = await services.database.read(read_matrix, opened.id, [one.path for one in columns])
    rows = [view_member(member, columns) for member in members]
    title = translator(lang)(PROGRESS)
    return render_class(request, lang, opened, "progress", "teaching/progress.html", title=title, columns=columns, rows=rows)


def count_others(lesson: Lesson) -> int:
    """Return the number of a lesson's cells and predictions, without cells that are only for checks."""
    return sum(not cell.for_checks for cell in lesson.cells) + len(lesson.predictions)


def view_member(member: MemberProgress, columns: list[MatrixColumn]) -> MatrixRow:
    cells = tuple(view_cell(member.lessons.get(column.path, LessonProgress()), column) for column in columns)
    return MatrixRow(
        member=member.member,
        name=member.name,
        number=member.number or "",
        cells=cells,
        finished=sum(state == "all" for _, state in cells),
    )


def view_cell(progress: LessonProgress, column: MatrixColumn) -> tuple[int, str]:
    """Return how many parts of a lesson are done, and the state: "", "tried", "some" or "all"."""
    done = min(progress.passed if column.has_exercises else progress.others, column.total)
    if column.total and done >= column.total:
        return done, "all"
    if done:
        return done, "some"
    return 0, "tried" if progress.tried or progress.others else ""


router = route_pages({"/teach/{class_id:int}": get_now, "/teach/{class_id:int}/progress": get_progress})
