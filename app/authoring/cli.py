"""`gradroom lessons`: the author's commands."""

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer

from app.authoring.check import CheckError, LessonReport, find_undeclared, run_lessons
from app.lessons.catalogue import Catalogue, load_catalogue
from app.lessons.problem import Problem
from app.runner.client import RunnerError
from app.runner.local import local_runner
from app.settings import PREFIX, Settings, SettingsError, load_settings

MISMATCH, OUR_FAULT = 1, 2

lessons_app = typer.Typer(no_args_is_help=True, help="Work on lessons.")


@lessons_app.callback()
def lessons() -> None:
    """Work on lessons."""


@lessons_app.command()
def check(
    folder: Annotated[Path | None, typer.Argument(help="The course's folder, with its course.toml.", show_default="the server's")] = None,
    run: Annotated[bool, typer.Option(" /--no-run", help="Only load the lessons, do not run their cells.")] = True,
) -> None:
    """Load every lesson, run every cell in the sandbox, and compare with what the lesson declares.

    Ends with status 1 when anything does not match, and with 2 when the sandbox does not work.
    """
    try:
        settings = load_settings()
        place = folder or settings.lessons_folder
        catalogue = load_catalogue(place)
        problems = [*catalogue.problems, *find_undeclared(catalogue)]
        _print_problems(place, problems)
        if run:
            problems += asyncio.run(_run(catalogue, settings, place))
    except (CheckError, RunnerError, SettingsError) as error:
        typer.echo(f"The cells could not be run: {error}", err=True)
        raise typer.Exit(OUR_FAULT) from error
    _print_summary(catalogue, problems, run=run)
    if problems:
        raise typer.Exit(MISMATCH)


async def _run(catalogue: Catalogue, settings: Settings, place: Path) -> list[Problem]:
    problems: list[Problem] = []
    os.environ.setdefault(f"{PREFIX}LOG_LEVEL", "warning")  # the runner is a child: its account of every run would hide ours
    async with local_runner() as runner:
        async for report in run_lessons(catalogue, runner, settings.limits):
            _print_lesson(report)
            _print_problems(place, report.problems)
            problems += report.problems
    return problems


def _print_problems(place: Path, problems: list[Problem]) -> None:
    for problem in problems:
        typer.echo(f"{place / problem.file}:{problem.line}: {problem.message}")


def _print_lesson(report: LessonReport) -> None:
    cells, lesson = len(report.lesson.cells), report.lesson.path
    verdict = _count(len(report.problems), "problem") if report.problems else "as declared"
    typer.echo(f"{lesson}: {_count(cells, 'cell')} in {report.seconds:.1f} s, {verdict}")


def _print_summary(catalogue: Catalogue, problems: list[Problem], *, run: bool) -> None:
    lessons = catalogue.course.lessons
    done = "loaded and run" if run else "loaded"
    cells = sum(len(lesson.cells) for lesson in lessons)
    found = _count(len(problems), "problem") if problems else "no problems"
    typer.echo(f"{_count(len(lessons), 'lesson')} with {_count(cells, 'cell')} {done}: {found}.")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
