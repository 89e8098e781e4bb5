"""Prints the report of `gradroom lessons check`: problems (which terminals make clickable), a line for each lesson, and a summary."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import typer

from app.authoring.checking.check import LessonReport
from app.lessons.model.model import LANGS, Lesson
from app.lessons.toml.problem import Problem

ALL_MATCHES, MISMATCH, OUR_FAULT = 0, 1, 2  # the exit status


def print_problems(place: Path, problems: Sequence[Problem], *, err: bool = False) -> None:
    for problem in problems:
        typer.echo(f"{place / problem.file}:{problem.line}: {problem.message}", err=err)


def print_lesson(report: LessonReport) -> None:
    verdict = _count(len(report.problems), "problem") if report.problems else "as declared"
    typer.echo(f"{report.lesson.path}: {_list_parts([report.lesson])} in {report.seconds:.1f} s, {verdict}")


def print_absent(reports: Sequence[LessonReport]) -> None:
    """Print a line for each runtime that is not installed: how many cells and try-its were not run."""
    from_records: Counter[str] = sum((report.from_records for report in reports), Counter())
    untried: Counter[str] = sum((report.untried for report in reports), Counter())
    for runtime in sorted({*from_records, *untried}):
        parts = []
        if number := from_records[runtime]:
            parts.append(f"{_count(number, 'cell')} taken from {'its record' if number == 1 else 'their records'}")
        if number := untried[runtime]:
            parts.append(f"{_count(number, 'try-it')} not run")
        typer.echo(f"{runtime} is not installed: {', '.join(parts)}.")


def print_summary(lessons: Sequence[Lesson], problems: Sequence[Problem], *, run: bool, seconds: float) -> None:
    done = "loaded and run" if run else "loaded"
    found = _count(len(problems), "problem") if problems else "no problems"
    typer.echo(
        f"{_count(len(lessons), 'lesson')} in {len(LANGS)} languages with {_list_parts(lessons)} {done} in {seconds:.1f} s: {found}."
    )


def _list_parts(lessons: Sequence[Lesson]) -> str:
    """Return the numbers of cells, predictions and so on, as words. A kind of which there are none is left out, except cells."""
    exercises = [exercise for lesson in lessons for exercise in lesson.exercises]
    counts = {
        "cell": sum(len(lesson.cells) for lesson in lessons),
        "prediction": sum(len(lesson.predictions) for lesson in lessons),
        "try-it": sum(len(lesson.tries) for lesson in lessons),
        "exercise": len(exercises),
        "mistake": sum(len(exercise.mistakes) for exercise in exercises),
        "mutant": sum(len(exercise.mutants) for exercise in exercises),
    }
    return ", ".join(_count(number, noun) for noun, number in counts.items() if number or noun == "cell")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
