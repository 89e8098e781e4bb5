"""Makes the order with which the runner runs and grades a submission."""

import msgspec

from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson
from app.protocol.grading import GradeOrder, Rubric
from app.protocol.limits import Limits, grant
from app.protocol.run import Program, RunOrder, Source


def make_grade_order(lesson: Lesson, exercise: Exercise, source: str, defaults: Limits, factor: float, *, seed: int = 0) -> GradeOrder:
    """Return the order to grade `source`; it does not name the learner. The cells before the exercise are replayed as the lesson has them.

    The exercise gets at most `factor` times each limit in `defaults`. If it sets less memory, only the learner's child gets less: the
    grader's child runs the solution too.
    """
    limits = grant(defaults, exercise.asks, factor)
    grader_limits = msgspec.structs.replace(limits, memory_bytes=max(limits.memory_bytes, defaults.memory_bytes))
    replay = [cell.as_source() for name in exercise.after if (cell := lesson.cell(name)) is not None]
    program = Program(source=Source(text=source), replay=replay, seed=seed, threads=limits.compute_threads)
    run = RunOrder(program=program, runtime=lesson.runtime, limits=limits)
    return GradeOrder(run=run, exercise=make_rubric(exercise), grader_limits=grader_limits)


def make_rubric(exercise: Exercise) -> Rubric:
    """Return the parts of the exercise that the grader's child needs."""
    return Rubric(
        checks=exercise.checks_source,
        solution=exercise.solution,
        functions=list(exercise.functions),
        bans=list(exercise.bans),
        examines=exercise.examines,
        subject=exercise.subject,
        right=dict(exercise.right),
        mutants=dict(exercise.mutants),
    )
