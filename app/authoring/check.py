"""Checks a course: what the loader found, then every cell, run in the sandbox and compared with what it declares."""

import asyncio
from collections.abc import AsyncIterator
from typing import NamedTuple

from app.authoring.compare import compare
from app.lessons.catalogue import Catalogue
from app.lessons.model import Cell, Lesson
from app.lessons.problem import Problem
from app.protocol.event import Ended, Failed
from app.protocol.limits import Limits, find_excess
from app.protocol.run import RunOrder, RunResult
from app.runner.client import Runner, RuntimeAbsent

AT_ONCE = 2  # runs of one lesson


class CheckError(Exception):
    """The sandbox failed, which says nothing about the lesson."""


class LessonReport(NamedTuple):
    """One lesson's cells after they were run; `seconds` is the time that took."""

    lesson: Lesson
    problems: list[Problem]
    seconds: float


def find_undeclared(catalogue: Catalogue) -> list[Problem]:
    """Every cell must say what it shows, if only that it shows nothing."""
    return [
        Problem(_file(lesson), cell.line, f"the cell {cell.id}: expected a table [cell.shows] (it may be empty)")
        for lesson in catalogue.course.lessons
        for cell in lesson.cells
        if cell.shows is None
    ]


def find_excessive(catalogue: Catalogue, limits: Limits, factor: float) -> list[Problem]:
    """Cells that ask for more than this server grants."""
    return [
        Problem(
            _file(lesson),
            cell.line,
            f"the cell {cell.id}: {name}: expected at most {most:,}, which this server grants, got {cell.asks[name]:,}",
        )
        for lesson in catalogue.course.lessons
        for cell in lesson.cells
        for name, most in find_excess(limits, cell.asks, factor).items()
    ]


async def run_lessons(catalogue: Catalogue, runner: Runner, limits: Limits, factor: float) -> AsyncIterator[LessonReport]:
    """Runs every cell of every lesson that could be loaded, lesson by lesson. Raises CheckError, and RunnerError."""
    slots = asyncio.Semaphore(AT_ONCE)
    clock = asyncio.get_running_loop().time
    for lesson in catalogue.course.lessons:
        begin = clock()
        found = await asyncio.gather(
            *(_check_cell(catalogue, lesson, cell, runner, cell.limits(limits, factor), slots) for cell in lesson.cells)
        )
        yield LessonReport(lesson, [problem for problems in found for problem in problems], clock() - begin)


async def _check_cell(
    catalogue: Catalogue, lesson: Lesson, cell: Cell, runner: Runner, limits: Limits, slots: asyncio.Semaphore
) -> list[Problem]:
    if cell.shows is None:
        return []
    program = catalogue.program(lesson, cell.id, cell.source, threads=limits.compute_threads)
    async with slots:
        try:
            result = await _run(runner, RunOrder(program=program, runtime=cell.runtime, limits=limits, learner=cell.id))
        except RuntimeAbsent as error:
            install = f"the extra {error.absence.extra} installs it"
            return [Problem(_file(lesson), cell.line, f"the cell {cell.id}: not checked, {cell.runtime} is not installed: {install}")]
    return [Problem(_file(lesson), line, f"the cell {cell.id}: {message}") for line, message in compare(cell, cell.shows, result)]


async def _run(runner: Runner, order: RunOrder) -> RunResult:
    async with runner.run(order) as events:
        async for event in events:
            if isinstance(event, Ended):
                return event.result
            if isinstance(event, Failed):
                raise CheckError(event.message)
    raise CheckError("the run ended without a result")


def _file(lesson: Lesson) -> str:
    return f"{lesson.path}/lesson.toml"
