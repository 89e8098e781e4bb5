"""What `gradroom lessons check` prints: problems that terminals make clickable, a line a lesson, a summary."""

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from app.authoring.check import CellRun, Checker, LessonReport, count_work
from app.authoring.coverage import load_coverage
from app.authoring.coverage_page import render_coverage
from app.authoring.selection import SelectionError, select_changed, select_named
from app.authoring.shown_toml import RecordError, record_shows
from app.authoring.trial import CheckError
from app.authoring.unrun_problems import find_undeclared, find_unrecorded, find_unrun
from app.lessons.catalogue import Catalogue, load_catalogue
from app.lessons.model import LANGS, Lesson
from app.lessons.problem import Problem
from app.lessons.translations import record_translations
from app.runner.client import Runner, RunnerError
from app.runner.local import local_runner
from app.runner.socket_runner import SocketRunner
from app.settings import PREFIX, Settings, SettingsError, load_settings

ALL_MATCHES, MISMATCH, OUR_FAULT = 0, 1, 2
LOG_LEVEL = f"{PREFIX}LOG_LEVEL"


def check_course(names: Sequence[str], folder: Path | None, *, run: bool, changed: bool, record: bool) -> int:
    """Checks lessons of the course in `folder`, by default the server's, and prints what it finds. Returns the exit status."""
    begin = time.monotonic()
    try:
        settings = load_settings()
        place, names = _find_folder(names, folder or settings.lessons_folder)
        selection = select_changed(place) if changed else select_named(place, names)
        catalogue = load_catalogue(place)
        lessons = [lesson for lesson in catalogue.course.lessons if lesson.path in selection]
        if record:
            _record_translations(place, lessons)
        problems = selection.problems(catalogue.problems)
        unrun = find_unrun(place, lessons, settings.limits, settings.lesson_factor)
        if not names and not changed:
            problems += load_coverage(place, catalogue).problems
        records = record and run
        mended = [*find_undeclared(lessons), *find_unrecorded(place, lessons)] if records else []  # by recording, as far as it can be
        problems += [one for one in unrun if one not in mended]
        _print_problems(place, problems)
        reports = asyncio.run(_run(catalogue, lessons, settings, place, record=record)) if run and lessons else []
        problems += [problem for report in reports for problem in report.problems]
        if records:
            left = _find_left(place, lessons, reports)
            _print_problems(place, left)
            problems += left
    except (CheckError, RunnerError, SettingsError) as error:
        typer.echo(f"The lessons could not be run: {error}", err=True)
        return OUR_FAULT
    except SelectionError as error:
        typer.echo(str(error), err=True)
        return OUR_FAULT
    _print_absent(reports)
    _print_summary(lessons, problems, run=run, seconds=time.monotonic() - begin)
    return MISMATCH if problems else ALL_MATCHES


def print_coverage(folder: Path | None) -> int:
    """Prints where the course in `folder`, by default the server's, teaches what it has to. Returns the exit status."""
    try:
        place = folder or load_settings().lessons_folder
    except SettingsError as error:
        typer.echo(str(error), err=True)
        return OUR_FAULT
    catalogue = load_catalogue(place)
    coverage = load_coverage(place, catalogue)
    typer.echo(render_coverage(catalogue, coverage), nl=False)
    for problem in coverage.problems:
        typer.echo(f"{place / problem.file}:{problem.line}: {problem.message}", err=True)
    return MISMATCH if coverage.problems else ALL_MATCHES


@asynccontextmanager
async def author_runner(settings: Settings) -> AsyncIterator[Runner]:
    """The runner whose socket the settings name, if one listens there; else one of its own. Raises RunnerUnavailable."""
    if settings.runner_socket is not None and settings.runner_socket.is_socket():
        async with SocketRunner(settings.runner_socket) as runner:
            yield runner
    else:
        with _quiet_runner():
            async with local_runner() as runner:
                yield runner


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
                    _record_results(place, report)
                _print_lesson(report)
                _print_problems(place, report.problems)
                reports.append(report)
    return reports


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


def _find_folder(names: Sequence[str], folder: Path) -> tuple[Path, Sequence[str]]:
    """A course's folder may stand where lessons are named."""
    if len(names) == 1 and Path(names[0], "course.toml").is_file():
        return Path(names[0]), ()
    return folder, names


def _find_left(place: Path, lessons: Sequence[Lesson], reports: Sequence[LessonReport]) -> list[Problem]:
    """What is still not declared or recorded after recording: that of a runtime which is not installed."""
    shown = {(one.lesson.file, one.cell.line) for report in reports for one in report.differing}
    undeclared = [one for one in find_undeclared(lessons) if (one.file, one.line) not in shown]
    return [*undeclared, *find_unrecorded(place, lessons)]


def _record_translations(place: Path, lessons: Sequence[Lesson]) -> None:
    """Writes down that the Chinese of these lessons fits their English."""
    for lesson in lessons:
        for file in record_translations(place, lesson.path):
            typer.echo(f"{place / file}: recorded that the Chinese fits the English")


def _record(place: Path, report: LessonReport) -> None:
    """Writes what was shown, prints the changes, and takes what they mend out of the report."""
    for differing in report.differing:
        file = place / report.lesson.file
        try:
            change = record_shows(file, "try" if differing.is_try else "cell", differing.cell, differing.result, differing.id)
        except RecordError as error:
            report.problems.append(Problem(report.lesson.file, differing.cell.line, f"{_name(differing)}: not recorded: {error}"))
            continue
        typer.echo(f"{file}: recorded what {_name(differing)} shows")
        typer.echo(change, nl=False)
        report.problems = [one for one in report.problems if not one.message.startswith(f"{_name(differing)}: ")]


def _record_results(place: Path, report: LessonReport) -> None:
    """Writes the results of cells whose runtime need not be installed, and takes what that mends out of the report."""
    for file, text in report.recordings.items():
        (place / file).parent.mkdir(exist_ok=True)
        (place / file).write_text(text, encoding="utf-8")
        typer.echo(f"{place / file}: recorded")
    report.problems = [one for one in report.problems if one.file not in report.recordings]


def _name(differing: CellRun) -> str:
    return f"the {'try' if differing.is_try else 'cell'} {differing.id}"


def _print_problems(place: Path, problems: Sequence[Problem]) -> None:
    for problem in problems:
        typer.echo(f"{place / problem.file}:{problem.line}: {problem.message}")


def _print_lesson(report: LessonReport) -> None:
    verdict = _count(len(report.problems), "problem") if report.problems else "as declared"
    typer.echo(f"{report.lesson.path}: {_list_parts([report.lesson])} in {report.seconds:.1f} s, {verdict}")


def _print_absent(reports: Sequence[LessonReport]) -> None:
    """A line for each runtime that is not installed: what of it was not run."""
    from_records: Counter[str] = sum((report.from_records for report in reports), Counter())
    untried: Counter[str] = sum((report.untried for report in reports), Counter())
    for runtime in sorted({*from_records, *untried}):
        parts = []
        if number := from_records[runtime]:
            parts.append(f"{_count(number, 'cell')} taken from {'its record' if number == 1 else 'their records'}")
        if number := untried[runtime]:
            parts.append(f"{_count(number, 'try-it')} not run")
        typer.echo(f"{runtime} is not installed: {', '.join(parts)}.")


def _print_summary(lessons: Sequence[Lesson], problems: Sequence[Problem], *, run: bool, seconds: float) -> None:
    done = "loaded and run" if run else "loaded"
    found = _count(len(problems), "problem") if problems else "no problems"
    typer.echo(
        f"{_count(len(lessons), 'lesson')} in {len(LANGS)} languages with {_list_parts(lessons)} {done} in {seconds:.1f} s: {found}."
    )


def _list_parts(lessons: Sequence[Lesson]) -> str:
    """How many there are of each thing that is checked; of what there is none, nothing is said, but of cells."""
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
