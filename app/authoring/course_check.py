"""`gradroom lessons check`: checks lessons, and with --record writes what they show into their files."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from app.authoring.author_runner import author_runner
from app.authoring.checking.check import Checker, LessonReport, count_work
from app.authoring.checking.shown_toml import RecordError
from app.authoring.coverage.coverage import load_coverage
from app.authoring.coverage.guessing import find_guessable
from app.authoring.last_event import CheckError
from app.authoring.report import ALL_MATCHES, MISMATCH, OUR_FAULT, print_absent, print_lesson, print_problems, print_summary
from app.authoring.selection import SelectionError, select_changed, select_named
from app.lessons.course.catalogue import Catalogue, load_catalogue
from app.lessons.course.review import find_undeclared, find_unrecorded, find_unrun
from app.lessons.model.model import Lesson
from app.lessons.texts.translations import record_translations
from app.lessons.toml.problem import Problem
from app.runner.client import RunnerError
from app.settings import Settings, SettingsError, load_settings


def check_course(names: Sequence[str], folder: Path | None, *, run: bool, changed: bool, record: bool) -> int:
    """Check lessons of the course in `folder`, by default the server's, and print the problems. Return the exit status."""
    begin = time.monotonic()
    try:
        settings = load_settings()
        place, names = _find_folder(names, folder or settings.lessons_folder)
        selection = select_changed(place) if changed else select_named(place, names)
        catalogue = load_catalogue(place)
        lessons = [lesson for lesson in catalogue.course.lessons if lesson.path in selection]
        matching = [file for lesson in lessons for file in record_translations(place, lesson.path)] if record else []
        for file in matching:
            typer.echo(f"{place / file}: recorded that the Chinese matches the English")
        problems = selection.problems(catalogue.problems)
        unrun = find_unrun(place, lessons, settings.limits, settings.lesson_factor)
        if not names and not changed:
            problems += [*load_coverage(place, catalogue).problems, *find_guessable(catalogue.course.lessons)]
        records = record and run
        # recording solves these problems, as far as it can
        mended = [*find_undeclared(lessons), *find_unrecorded(place, lessons)] if records else []
        problems += [one for one in unrun if one not in mended]
        print_problems(place, problems)
        reports = asyncio.run(_run(catalogue, lessons, settings, place, record=record)) if run and lessons else []
        problems += [problem for report in reports for problem in report.problems]
        if records:
            left = _find_left(place, lessons, reports)
            print_problems(place, left)
            problems += left
    except (CheckError, RunnerError, SettingsError) as error:
        typer.echo(f"The lessons could not be run: {error}", err=True)
        return OUR_FAULT
    except SelectionError as error:
        typer.echo(str(error), err=True)
        return OUR_FAULT
    print_absent(reports)
    print_summary(lessons, problems, run=run, seconds=time.monotonic() - begin)
    return MISMATCH if problems else ALL_MATCHES


async def _run(catalogue: Catalogue, lessons: Sequence[Lesson], settings: Settings, place: Path, *, record: bool) -> list[LessonReport]:
    reports: list[LessonReport] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("starting the runner", total=sum(map(count_work, lessons)))
        async with author_runner(settings) as runner:
            progress.update(task, description="running")
            checker = Checker(catalogue, runner, settings.limits, settings.lesson_factor, lambda: progress.advance(task))
            async for report in checker.check(lessons):
                if record:
                    _record(place, report)
                print_lesson(report)
                print_problems(place, report.problems)
                reports.append(report)
    return reports


def _find_folder(names: Sequence[str], folder: Path) -> tuple[Path, Sequence[str]]:
    """Return the course's folder and the names of lessons. If the only name is a course's folder, return that folder and no names."""
    if len(names) == 1 and Path(names[0], "course.toml").is_file():
        return Path(names[0]), ()
    return folder, names


def _find_left(place: Path, lessons: Sequence[Lesson], reports: Sequence[LessonReport]) -> list[Problem]:
    """Return a problem for each declaration or record that recording could not write. Their runtimes are not installed."""
    shown = {(one.lesson.file, one.cell.line) for report in reports for one in report.unrecorded}
    undeclared = [one for one in find_undeclared(lessons) if (one.file, one.line) not in shown]
    return [*undeclared, *find_unrecorded(place, lessons)]


def _record(place: Path, report: LessonReport) -> None:
    """Write what the runs showed into the files, and print the changes. Remove the problems from the report that this fixed."""
    for run in report.unrecorded:
        try:
            changes = run.list_changes(place)
        except RecordError as error:
            report.problems.append(Problem(run.lesson.file, run.cell.line, f"{run.name}: not recorded: {error}"))
            continue
        for change in changes:
            change.write(place)
            typer.echo(f"{place / change.file}: recorded what {run.name} shows\n{change.diff}", nl=False)
        written = {change.file for change in changes}
        report.problems = [one for one in report.problems if one not in run.differing or one.file not in written]
