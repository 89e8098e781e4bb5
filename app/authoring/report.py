"""What `gradroom lessons check` prints: problems that terminals make clickable, a line a lesson, a summary."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from app.authoring.check import CheckError, LessonReport, find_excessive, find_undeclared, run_lessons
from app.lessons.catalogue import Catalogue, load_catalogue
from app.lessons.problem import Problem
from app.runner.client import RunnerError
from app.runner.local import local_runner
from app.settings import PREFIX, Settings, SettingsError, load_settings

ALL_MATCHES, MISMATCH, OUR_FAULT = 0, 1, 2
LOG_LEVEL = f"{PREFIX}LOG_LEVEL"


def check_folder(folder: Path | None, *, run: bool) -> int:
    """Checks the course in `folder`, by default the server's, and prints what it finds. Returns the exit status."""
    try:
        settings = load_settings()
        place = folder or settings.lessons_folder
        catalogue = load_catalogue(place)
        excessive = find_excessive(catalogue, settings.limits, settings.lesson_factor)
        problems = [*catalogue.problems, *find_undeclared(catalogue), *excessive]
        _print_problems(place, problems)
        if run:
            problems += asyncio.run(_run(catalogue, settings, place))
    except (CheckError, RunnerError, SettingsError) as error:
        typer.echo(f"The cells could not be run: {error}", err=True)
        return OUR_FAULT
    _print_summary(catalogue, problems, run=run)
    return MISMATCH if problems else ALL_MATCHES


async def _run(catalogue: Catalogue, settings: Settings, place: Path) -> list[Problem]:
    problems: list[Problem] = []
    with _quiet_runner():
        async with local_runner() as runner:
            async for report in run_lessons(catalogue, runner, settings.limits, settings.lesson_factor):
                _print_lesson(report)
                _print_problems(place, report.problems)
                problems += report.problems
    return problems


@contextmanager
def _quiet_runner() -> Iterator[None]:
    """The runner is a child with our environment: unless asked to, it does not log every run between our lines."""
    is_set = LOG_LEVEL in os.environ
    os.environ.setdefault(LOG_LEVEL, "warning")
    try:
        yield
    finally:
        if not is_set:
            del os.environ[LOG_LEVEL]


def _print_problems(place: Path, problems: list[Problem]) -> None:
    for problem in problems:
        typer.echo(f"{place / problem.file}:{problem.line}: {problem.message}")


def _print_lesson(report: LessonReport) -> None:
    verdict = _count(len(report.problems), "problem") if report.problems else "as declared"
    typer.echo(f"{report.lesson.path}: {_count(len(report.lesson.cells), 'cell')} in {report.seconds:.1f} s, {verdict}")


def _print_summary(catalogue: Catalogue, problems: list[Problem], *, run: bool) -> None:
    lessons = catalogue.course.lessons
    cells = sum(len(lesson.cells) for lesson in lessons)
    done = "loaded and run" if run else "loaded"
    found = _count(len(problems), "problem") if problems else "no problems"
    typer.echo(f"{_count(len(lessons), 'lesson')} with {_count(cells, 'cell')} {done}: {found}.")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
