"""From an exercise and a learner's source to the order to run it and to grade it."""

import msgspec

from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson
from app.protocol.grading import GradeOrder, Rubric
from app.protocol.limits import Limits, grant
from app.protocol.run import Program, RunOrder, Source


def make_grade_order(lesson: Lesson, exercise: Exercise, source: str, defaults: Limits, factor: float, *, seed: int = 0) -> GradeOrder:
    """The order, to which the caller adds the learner. The cells that the exercise continues are replayed as the lesson gives them.

    The exercise may ask for at most `factor` times the `defaults`. Where it asks for less memory than these, only the learner's program
    gets less: the grader's child has to compute the reference.
    """
    limits = grant(defaults, exercise.asks, factor)
    grader_limits = msgspec.structs.replace(limits, memory_bytes=max(limits.memory_bytes, defaults.memory_bytes))
    replay = [cell.as_source() for name in exercise.after if (cell := lesson.cell(name)) is not None]
    program = Program(source=Source(text=source), replay=replay, seed=seed, threads=limits.compute_threads)
    run = RunOrder(program=program, runtime=lesson.runtime, limits=limits)
    return GradeOrder(run=run, exercise=make_rubric(exercise), grader_limits=grader_limits)


def make_rubric(exercise: Exercise) -> Rubric:
    """What the grader's child needs to know of it."""
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
