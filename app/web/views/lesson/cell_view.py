"""The data of the template of a cell: of a lesson's cell, or of an exercise's starter."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Cell, Lesson, Recording
from app.protocol.run import Lang
from app.web.views.lesson.highlight import render_lines


@dataclass(frozen=True, kw_only=True)
class CellView:
    """A cell as the page first shows it, with coloured code, before the editor replaces it.

    If this is the starter of an exercise, `exercise` is the exercise's id, `id` is not the id of a cell, and `number` is 0.
    """

    block: ClassVar = "cell"

    id: str
    number: int
    filename: str
    lines: tuple[str, ...]
    runtime: str
    after: tuple[str, ...] = ()
    after_numbers: tuple[int, ...] = ()
    raises: str | None = None
    exercise: str = ""
    prints: str = ""  # by its unchanged source; shown on a page without scripts
    for_checks: bool = False


def view_cell(cell: Cell, numbers: Mapping[str, int], prints: str) -> CellView:
    """Return the view of a cell. `numbers` maps the ids of the lesson's cells to their numbers."""
    return CellView(
        id=cell.id,
        number=numbers[cell.id],
        filename=cell.filename,
        lines=render_lines(cell.source),
        runtime=cell.runtime,
        after=cell.after,
        after_numbers=tuple(numbers[one] for one in cell.after),
        raises=cell.raises,
        prints=prints,
        for_checks=cell.for_checks,
    )


def find_printed(cell: Cell, recording: Recording | None, lang: Lang) -> str:
    """Return what the cell prints, and the error with which it ends: as recorded, or else as the lesson declares."""
    if recording:
        result = recording.results.get(lang) or recording.results["en"]
        lines = [result.stdout.rstrip(), f"{result.error.type}: {result.error.message}" if result.error else ""]
    elif cell.shows:
        lines = [*cell.shows.stdout, f"{cell.raises}: {cell.shows.message}" if cell.raises and cell.shows.message else ""]
    else:
        lines = []
    return "\n".join(filter(None, lines))


def view_starter(exercise: Exercise, lesson: Lesson) -> CellView:
    """Return the view of an exercise's starter."""
    numbers = {cell.id: number for number, cell in enumerate(lesson.cells, 1)}
    return CellView(
        id=f"exercise_{exercise.id}",
        number=0,
        filename=exercise.filename,
        lines=render_lines(exercise.starter),
        runtime=lesson.runtime,
        after=exercise.after,
        after_numbers=tuple(numbers[one] for one in exercise.after),
        exercise=exercise.id,
    )
