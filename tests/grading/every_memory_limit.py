"""Grades every exercise of the course that limits memory without control groups: its solution fits, and programs that keep too much do not.

`make course` calls this after `lessons check`, which grades all programs with what this machine has.
"""

import asyncio
import re

import pytest

from app.authoring.checking.exercise_trials import Trial, check_trial, list_trials
from app.grading.grade_order import make_grade_order
from app.lessons.course.catalogue import load_catalogue
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson
from app.protocol.grading import Verdict
from app.protocol.limits import Limits
from app.settings import load_settings
from tests.programs import Programs

COURSE = load_catalogue(load_settings().lessons_folder).course
LIMITED = [(lesson, exercise) for lesson in COURSE.lessons for exercise in lesson.exercises if "memory_bytes" in exercise.asks]
pytestmark = pytest.mark.xdist_group("ordinary programs")  # only one worker starts this runner
OUT_OF_MEMORY = re.compile(r"@mistake\ndef (\w+)\(\):\n    return out_of_memory\(\)\n")


def chosen(lesson: Lesson, exercise: Exercise) -> list[Trial]:
    """Return the solution and the programs that have to run out of memory: those of a mistake about memory, else `broken/keeps.py`."""
    naive = {name.replace("_", "-") for name in OUT_OF_MEMORY.findall(exercise.checks_source)}
    trials = list_trials(lesson, exercise)
    return [trial for trial in trials if trial.file in ("solution.py", *([] if naive else ["broken/keeps.py"])) or trial.mistake in naive]


TRIALS = [
    pytest.param(lesson, exercise, trial, id=f"{lesson.path}#{exercise.id} {trial.file}")
    for lesson, exercise in LIMITED
    for trial in chosen(lesson, exercise)
]


@pytest.mark.parametrize(("lesson", "exercise"), LIMITED, ids=[f"{lesson.path}#{exercise.id}" for lesson, exercise in LIMITED])
def test_an_exercise_that_limits_memory_has_a_program_that_needs_more(lesson: Lesson, exercise: Exercise) -> None:
    assert {trial.passes for trial in chosen(lesson, exercise)} == {True, False}


@pytest.mark.parametrize(("lesson", "exercise", "trial"), TRIALS)
def test_the_solution_fits_and_what_keeps_everything_ends_out_of_memory(
    ordinary_programs: Programs, lesson: Lesson, exercise: Exercise, trial: Trial
) -> None:
    order = make_grade_order(lesson, exercise, trial.source, Limits(), 2.0)
    last = asyncio.run(ordinary_programs.collect_grade(order))[-1]
    assert isinstance(last, Verdict), last
    assert check_trial(trial, last) == []
    codes = [check.message.code for check in last.checks if check.message]
    assert trial.passes or "gone-out_of_memory" in codes, codes
