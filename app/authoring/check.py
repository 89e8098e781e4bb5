"""Checks a course by running it: cells, predictions, try-its and exercises, in the sandbox and as a learner's runs are."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

import msgspec

from app.authoring.cell_trials import edit_program, find_in_result, make_program
from app.authoring.compare import compare
from app.authoring.exercise_trials import Trial, find_broken, judge_mutants, judge_trial, list_trials
from app.authoring.trial import grade_to_end, run_to_end
from app.grading.grade_order import make_grade_order
from app.lessons.catalogue import Catalogue
from app.lessons.exercise import Exercise
from app.lessons.model import Cell, Lesson, TryIt
from app.lessons.problem import Problem
from app.lessons.recordings import (
    REWRITES,
    find_difference,
    hash_sources,
    make_recording,
    needs_recording,
    recording_file,
    render_recording,
    restore_result,
)
from app.protocol.limits import Limits
from app.protocol.run import Lang, Program, RunOrder, RunResult
from app.runner.client import Runner, RuntimeAbsent

AT_ONCE = 4  # runs and grades of one lesson


class CellRun(NamedTuple):
    """A cell after its run, or a try-it: `cell` is then the one that it runs, with what the try-it declares; `id` is its own."""

    lesson: Lesson
    cell: Cell
    id: str
    is_try: bool
    result: RunResult


@dataclass
class LessonReport:
    """One lesson after it was run; `seconds` is the time that took. `differing`: the runs that did not show what is declared.

    `recordings`: of what was run, the texts of records that are not so in the course's folder, by file. `from_records` and `untried`: how
    many cells of each runtime that is absent were taken from their records, and how many of its try-its were not run.
    """

    lesson: Lesson
    problems: list[Problem]
    seconds: float
    differing: list[CellRun] = field(default_factory=list)
    recordings: dict[str, str] = field(default_factory=dict)
    from_records: Counter[str] = field(default_factory=Counter)
    untried: Counter[str] = field(default_factory=Counter)


class Checker:
    """Runs lessons. `step` is called after each run and grade."""

    def __init__(
        self, catalogue: Catalogue, runner: Runner, limits: Limits, factor: float, step: Callable[[], None] = lambda: None
    ) -> None:
        self._catalogue, self._runner, self._limits, self._factor, self._step = catalogue, runner, limits, factor, step
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def check(self, lessons: Iterable[Lesson]) -> AsyncIterator[LessonReport]:
        """Everything that the lessons run, lesson by lesson. Raises CheckError, and RunnerError."""
        clock = asyncio.get_running_loop().time
        for lesson in lessons:
            begin = clock()
            report = LessonReport(lesson, [], 0)
            found = await asyncio.gather(*self._list_work(lesson, report))
            report.problems = [*dict.fromkeys(chain.from_iterable(found))]  # one check may fail several trials
            report.seconds = clock() - begin
            yield report

    def _list_work(self, lesson: Lesson, report: LessonReport) -> list[Awaitable[list[Problem]]]:
        cells = [self._check_cell(lesson, cell, report) for cell in lesson.cells]
        tries = [self._check_try(lesson, one, report) for one in lesson.tries]
        trials = [self._check_trial(lesson, exercise, trial) for exercise in lesson.exercises for trial in list_trials(lesson, exercise)]
        return [*cells, *tries, *trials]

    async def _check_cell(self, lesson: Lesson, cell: Cell, report: LessonReport) -> list[Problem]:
        program = make_program(self._catalogue, lesson, cell, self._limits, self._factor)
        try:
            result = await self._run(program, cell)
        except RuntimeAbsent:
            report.from_records[cell.runtime] += 1
            recording = lesson.recordings.get(cell.id)  # that there is none is a problem already
            return find_in_result(lesson, cell, restore_result(recording, "en")) if recording else []
        problems = find_in_result(lesson, cell, result)
        if cell.shows is None or compare(cell, cell.shows, result):
            report.differing.append(CellRun(lesson, cell, cell.id, False, result))
        if needs_recording(cell):
            problems += self._compare_record(lesson, cell, {"en": result, "zh-Hans": await self._run(program, cell, "zh-Hans")}, report)
        return problems

    def _compare_record(self, lesson: Lesson, cell: Cell, results: Mapping[Lang, RunResult], report: LessonReport) -> list[Problem]:
        """What the record has otherwise than a run in each language."""
        file, recording = recording_file(lesson.path, cell.id), lesson.recordings.get(cell.id)
        text = render_recording(make_recording(hash_sources(cell, lesson.cells), results))
        found = find_difference(render_recording(recording), text) if recording else None
        if found or not recording:
            report.recordings[file] = text
        return [Problem(file, found[0], f"the cell {cell.id}: {found[1]}: {REWRITES}")] if found else []

    async def _check_try(self, lesson: Lesson, one: TryIt, report: LessonReport) -> list[Problem]:
        cell = lesson.cell(one.cell_id)
        if cell is None:
            return []
        as_cell = msgspec.structs.replace(cell, raises=one.raises, shows=one.shows, line=one.line)
        try:
            result = await self._run(edit_program(self._catalogue, lesson, one), cell)
        except RuntimeAbsent:
            report.untried[cell.runtime] += 1
            return []
        found = compare(as_cell, one.shows, result) if one.shows else []
        if found or one.shows is None:
            report.differing.append(CellRun(lesson, as_cell, one.id, True, result))
        return [Problem(lesson.file, line, f"the try {one.id}: {message}") for line, message in found]

    async def _check_trial(self, lesson: Lesson, exercise: Exercise, trial: Trial) -> list[Problem]:
        order = make_grade_order(lesson, exercise, trial.source, self._limits, self._factor)
        folder = f"{lesson.path}/exercises/{exercise.id}"
        file = f"{folder}/{trial.file}"
        async with self._slots:
            try:
                verdict = await grade_to_end(self._runner, order)
            except RuntimeAbsent as error:
                message = f"not checked, {error.absence.runtime} is not installed: the extra {error.absence.extra} installs it"
                return [Problem(file, 1, f"the exercise {exercise.id}: {message}")]
        self._step()
        found = [*judge_trial(trial, verdict), *(judge_mutants(exercise, verdict) if trial.passes else [])]
        if found and (broken := find_broken(verdict)):
            file, found = f"{folder}/checks.py", broken
        return [Problem(file, 1, f"the exercise {exercise.id}: {message}") for message in found]

    async def _run(self, program: Program, cell: Cell, lang: Lang = "en") -> RunResult:
        limits = cell.limits(self._limits, self._factor)
        order = RunOrder(program=program, runtime=cell.runtime, lang=lang, limits=limits, learner=cell.id)
        async with self._slots:
            result = await run_to_end(self._runner, order)
        self._step()
        return result


def count_work(lesson: Lesson) -> int:
    """How many runs and grades a lesson takes."""
    cells = len(lesson.cells) + sum(map(needs_recording, lesson.cells))  # those in both languages
    return cells + len(lesson.tries) + sum(len(list(list_trials(lesson, exercise))) for exercise in lesson.exercises)
