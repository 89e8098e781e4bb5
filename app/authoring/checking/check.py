"""Checks lessons by running their cells, try-its and exercises in the sandbox, just as learners run them."""

import asyncio
import posixpath
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from itertools import chain

import msgspec

from app.authoring.checking.cell_run import CellRun, compare_cell, compare_try
from app.authoring.checking.exercise_trials import Trial, find_faults, list_trials
from app.authoring.last_event import wait_for_last
from app.grading.grade_order import make_grade_order
from app.lessons.cells.recordings import hash_sources, make_recording, needs_recording, render_recording, restore_result
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Cell, Lesson, TryIt
from app.lessons.model.shows import Shows
from app.lessons.toml.problem import Problem
from app.protocol.grading import Verdict
from app.protocol.instrument_facts import TRACE
from app.protocol.limits import Limits
from app.protocol.run import Lang, Program, RunOrder, RunResult
from app.runner.client import Runner, RuntimeAbsent

AT_ONCE = 4  # how many runs and gradings are done at a time
LESSONS_AT_ONCE = 2


@dataclass
class LessonReport:
    """The result of checking one lesson. `seconds` is how long the check took.

    - `unrecorded` are runs with something to record.
    - `from_records` counts, by runtime, cells whose recorded result was checked because the runtime is not installed.
    - `untried` counts, by runtime, try-its that were not run because the runtime is not installed.
    """

    lesson: Lesson
    problems: list[Problem]
    seconds: float
    unrecorded: list[CellRun] = field(default_factory=list)
    from_records: Counter[str] = field(default_factory=Counter)
    untried: Counter[str] = field(default_factory=Counter)

    def add(self, run: CellRun) -> list[Problem]:
        """Store the run if it has something to record. Return the run's problems."""
        if not run.is_recorded:
            self.unrecorded.append(run)
        return run.problems


class Checker:
    """Checks lessons. `step` is called after each run and each grading."""

    def __init__(
        self, catalogue: Catalogue, runner: Runner, limits: Limits, factor: float, step: Callable[[], None] = lambda: None
    ) -> None:
        self._catalogue, self._runner, self._limits, self._factor, self._step = catalogue, runner, limits, factor, step
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def check(self, lessons: Iterable[Lesson]) -> AsyncIterator[LessonReport]:
        """Yield a report for each lesson, in order. Two lessons are checked at a time.

        Raises CheckError and RunnerError.
        """
        tasks: list[asyncio.Task[LessonReport]] = []
        try:
            for lesson in lessons:
                tasks.append(asyncio.create_task(self._check_lesson(lesson)))
                if len(tasks) == LESSONS_AT_ONCE:
                    yield await tasks.pop(0)
            while tasks:
                yield await tasks.pop(0)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _check_lesson(self, lesson: Lesson) -> LessonReport:
        clock = asyncio.get_running_loop().time
        begin = clock()
        report = LessonReport(lesson, [], 0)
        cells = [self._check_cell(lesson, cell, report) for cell in lesson.cells]
        tries = [self._check_try(lesson, one, report) for one in lesson.tries]
        trials = [self._check_trial(lesson, exercise, trial) for exercise in lesson.exercises for trial in list_trials(lesson, exercise)]
        found = await asyncio.gather(*cells, *tries, *trials)
        report.problems = [*dict.fromkeys(chain.from_iterable(found))]  # a faulty check may fail several trials
        report.seconds = clock() - begin
        return report

    async def run_cell(self, lesson: Lesson, cell: Cell) -> CellRun:
        """Run the code in the cell's file. If its result has to be recorded, run it in each language. Raises CheckError and RunnerError."""
        program = self._catalogue.program(lesson, cell.id, cell.source)
        result = await self._run(program, cell)
        second = await self._trace(program, cell, cell.shows)
        if not needs_recording(cell):
            return compare_cell(lesson, cell, result, second=second)
        recording = make_recording(hash_sources(cell, lesson.cells), {"en": result, "zh-Hans": await self._run(program, cell, "zh-Hans")})
        return compare_cell(lesson, cell, result, render_recording(recording), second)

    async def _check_cell(self, lesson: Lesson, cell: Cell, report: LessonReport) -> list[Problem]:
        try:
            run = await self.run_cell(lesson, cell)
        except RuntimeAbsent:
            report.from_records[cell.runtime] += 1
            recording = lesson.recordings.get(cell.id)  # if there is none, that has been reported
            return compare_cell(lesson, cell, restore_result(recording, "en")).problems if recording else []
        return report.add(run)

    async def _check_try(self, lesson: Lesson, one: TryIt, report: LessonReport) -> list[Problem]:
        cell = lesson.cell(one.cell_id)
        if cell is None:
            return []
        try:
            program = self._edit_program(lesson, one)
            result, second = await self._run(program, cell), await self._trace(program, cell, one.shows)
        except RuntimeAbsent:
            report.untried[cell.runtime] += 1
            return []
        return report.add(compare_try(lesson, one, cell, result, second))

    async def _check_trial(self, lesson: Lesson, exercise: Exercise, trial: Trial) -> list[Problem]:
        order = make_grade_order(lesson, exercise, trial.source, self._limits, self._factor)
        folder = f"{lesson.path}/exercises/{exercise.id}"
        file = f"{folder}/{trial.file}"
        # a learner for each, because one learner cannot use all places of the queue
        order = msgspec.structs.replace(order, run=msgspec.structs.replace(order.run, learner=file))
        async with self._slots:
            try:
                verdict = await wait_for_last(self._runner.grade(order), Verdict)
            except RuntimeAbsent as error:
                message = f"not checked, {error.absence.runtime} is not installed: the extra {error.absence.extra} installs it"
                return [Problem(file, 1, f"the exercise {exercise.id}: {message}")]
        self._step()
        return [
            Problem(posixpath.normpath(f"{folder}/{one.file}"), one.line, f"the exercise {exercise.id}: {one.message}")
            for one in find_faults(exercise, trial, verdict)
        ]

    async def _trace(self, program: Program, cell: Cell, shows: Shows | None) -> RunResult | None:
        """Return the result of the second run, or None if `shows` declares nothing of it."""
        if not (shows and shows.traced):
            return None
        return await self._run(msgspec.structs.replace(program, instruments=[*program.instruments, TRACE.name]), cell)

    async def _run(self, program: Program, cell: Cell, lang: Lang = "en") -> RunResult:
        limits = cell.limits(self._limits, self._factor)
        program = msgspec.structs.replace(program, threads=limits.compute_threads)
        order = RunOrder(program=program, runtime=cell.runtime, lang=lang, limits=limits, learner=cell.id)
        async with self._slots:
            result = await wait_for_last(self._runner.run(order), RunResult)
        self._step()
        return result

    def _edit_program(self, lesson: Lesson, one: TryIt) -> Program:
        """Return the program of a try-it after its edits. The loader has checked that each edit is possible."""
        sources = {cell.id: cell.source for cell in lesson.cells}
        for edit in one.edits:
            sources[edit.cell_id] = sources[edit.cell_id].replace(edit.find, edit.replace)
        return self._catalogue.program(lesson, one.cell_id, sources[one.cell_id], sources)


def count_work(lesson: Lesson) -> int:
    """Return how many runs and gradings the check of a lesson takes."""
    cells = len(lesson.cells) + sum(map(needs_recording, lesson.cells))  # recorded cells are run in both languages
    shown = [*(cell.shows for cell in lesson.cells), *(one.shows for one in lesson.tries)]
    traced = sum(bool(shows and shows.traced) for shows in shown)
    return cells + traced + len(lesson.tries) + sum(len(list(list_trials(lesson, exercise))) for exercise in lesson.exercises)
