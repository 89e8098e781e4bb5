"""`gradroom lessons check`: checks lessons, with --record writes what they show into their files, and prints a report.

Problems are printed as terminals make clickable.
"""

import asyncio
import time
from collections import Counter
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
from app.authoring.selection import SelectionError, select_changed, select_named
from app.lessons.course.catalogue import Catalogue, load_catalogue
from app.lessons.course.review import find_undeclared, find_unrecorded, find_unrun
from app.lessons.model.model import LANGS, Lesson
from app.lessons.texts.translations import record_translations
from app.lessons.toml.problem import Problem
from app.runner.client import RunnerError
from app.settings import Settings, SettingsError, load_settings

ALL_MATCHES, MISMATCH, OUR_FAULT = 0, 1, 2  # the exit status


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
    _print_absent(reports)
    _print_summary(lessons, problems, run=run, seconds=time.monotonic() - begin)
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
                _print_lesson(report)
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


def print_problems(place: Path, problems: Sequence[Problem], *, err: bool = False) -> None:
    for problem in problems:
        typer.echo(f"{place / problem.file}:{problem.line}: {problem.message}", err=err)


def _print_lesson(report: LessonReport) -> None:
    verdict = _count(len(report.problems), "problem") if report.problems else "as declared"
    typer.echo(f"{report.lesson.path}: {_list_parts([report.lesson])} in {report.seconds:.1f} s, {verdict}")


def _print_absent(reports: Sequence[LessonReport]) -> None:
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


def _print_summary(lessons: Sequence[Lesson], problems: Sequence[Problem], *, run: bool, seconds: float) -> None:
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
