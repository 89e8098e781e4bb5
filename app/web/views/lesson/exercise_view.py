"""The data of the template of an exercise. No page contains its solution, its mistakes or its hidden checks."""

from dataclasses import dataclass
from typing import ClassVar

from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson
from app.locale.messages import mark
from app.protocol.limits import Limits, mebibytes
from app.protocol.run import Lang
from app.web.views.lesson.cell_view import CellView, view_starter

EXERCISES = {
    "blank": mark("Exercise: fill in the blanks"),
    "fix": mark("Exercise: find the fault and fix it"),
    "write": mark("Exercise: write it"),
    "test": mark("Exercise: write the check"),
}


@dataclass(frozen=True, kw_only=True)
class StepView:
    """An exercise of a chain, in which each exercise continues the previous one."""

    id: str
    number: int
    title: str


@dataclass(frozen=True, kw_only=True)
class ExerciseView:
    """An exercise with its cell. `checks` are the titles of the visible checks.

    `subjects` is the number of functions that a learner's check has to judge. `steps` are the exercises of its chain, if there are two or
    more; `step` is this exercise, and `before` the exercise that it continues. `mebibytes` is the memory that a submission may use, if that
    is not the default.
    """

    block: ClassVar = "exercise"

    id: str
    kind: str
    kind_name: str  # a msgid
    title: str
    html: str
    hints: tuple[str, ...]
    checks: tuple[str, ...]
    hidden: int
    subjects: int
    mebibytes: str | None
    cell: CellView
    steps: tuple[StepView, ...]
    step: StepView
    before: StepView | None


def view_exercise(exercise: Exercise, lesson: Lesson, lang: Lang, granted: Limits) -> ExerciseView:
    """Return the view of an exercise. `granted` are a submission's limits."""
    text = exercise.texts[lang]
    chain = lesson.steps(exercise)
    steps = {one.id: StepView(id=one.id, number=number, title=one.texts[lang].title) for number, one in enumerate(chain, 1)}
    return ExerciseView(
        id=exercise.id,
        kind=exercise.kind,
        kind_name=EXERCISES[exercise.kind],
        title=text.title,
        html=text.html,
        hints=text.hints,
        checks=tuple(text.checks[check.id] for check in exercise.checks if not check.hidden),
        hidden=sum(check.hidden for check in exercise.checks),
        subjects=len(exercise.right) + len(exercise.mutants),
        mebibytes=mebibytes(granted.memory_bytes) if "memory_bytes" in exercise.asks else None,
        cell=view_starter(exercise, lesson),
        steps=tuple(steps.values()) if len(steps) > 1 else (),
        step=steps[exercise.id],
        before=steps.get(exercise.continues or ""),
    )
