"""Finds problems of loaded lessons without running them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from app.lessons.cells.recordings import load_recordings
from app.lessons.course.review import find_review_problems
from app.lessons.model.model import Lesson
from app.lessons.toml.source import Problem
from app.protocol.limits import Limits, find_excess


def find_unrun(folder: Path, lessons: Sequence[Lesson], limits: Limits, factor: float) -> list[Problem]:
    """Return all problems that can be found without a run. `limits` and `factor` are the server's."""
    return [
        *find_undeclared(lessons),
        *find_excessive(lessons, limits, factor),
        *find_review_problems(folder, lessons),
        *find_unrecorded(folder, lessons),
    ]


def find_undeclared(lessons: Iterable[Lesson]) -> list[Problem]:
    """Return a problem for each cell and try-it without a table [cell.shows] or [try.shows], which may be empty."""
    return [
        Problem(lesson.file, one.line, f"the {kind} {one.id}: expected a table [{kind}.shows] (it may be empty): {remedy}")
        for lesson in lessons
        for kind, remedy, listed in (
            ("cell", "run it in author mode and record it, or check with --record", lesson.cells),
            ("try", "check with --record", lesson.tries),
        )
        for one in listed
        if one.shows is None
    ]


def find_excessive(lessons: Iterable[Lesson], limits: Limits, factor: float) -> list[Problem]:
    """Return a problem for each limit that a cell or exercise sets above what this server grants."""
    asked: list[tuple[str, int, str, Mapping[str, float]]] = []
    for lesson in lessons:
        asked += [(lesson.file, cell.line, f"the cell {cell.id}", cell.asks) for cell in lesson.cells]
        folder = f"{lesson.path}/exercises"
        asked += [(f"{folder}/{one.id}/exercise.toml", 1, f"the exercise {one.id}", one.asks) for one in lesson.exercises]
    return [
        Problem(file, line, f"{what}: {name}: expected at most {most:,}, which this server grants, got {asks[name]:,}")
        for file, line, what, asks in asked
        for name, most in find_excess(limits, asks, factor).items()
    ]


def find_unrecorded(folder: Path, lessons: Iterable[Lesson]) -> list[Problem]:
    """Return the problems of recorded results. Reads the files again, because recording may have changed them."""
    return [problem for lesson in lessons for problem in load_recordings(folder, lesson.path, lesson.cells)[1]]
