"""What the template is given of an exercise. Its solution, its mistakes and its hidden checks are in no page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson
from app.locale.messages import mark
from app.protocol.limits import Limits, mebibytes
from app.protocol.run import Lang
from app.web.views.cell_view import CellView, view_starter

EXERCISES = {
    "blank": mark("Exercise: fill in the blanks"),
    "fix": mark("Exercise: find the fault and fix it"),
    "write": mark("Exercise: write it"),
    "test": mark("Exercise: write the check"),
}


@dataclass(frozen=True, kw_only=True)
class StepView:
    """One of several exercises of which each goes on from the one before."""

    id: str
    number: int
    title: str


@dataclass(frozen=True, kw_only=True)
class ExerciseView:
    """A task with its cell. `checks` are the titles of those that are not hidden; `subjects`: how many functions a check judges.

    `steps`: the chain that it belongs to, if that has two or more; `step` is this one, and `before` the one that it goes on from.
    `mebibytes`: what a submission may use of memory, where that is not the usual.
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


def view_exercise(exercise: Exercise, lesson: Lesson, numbers: Mapping[str, int], lang: Lang, granted: Limits) -> ExerciseView:
    """`numbers`: of the lesson's cells, by id; `granted`: the limits of a submission."""
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
        cell=view_starter(exercise, lesson.runtime, numbers),
        steps=tuple(steps.values()) if len(steps) > 1 else (),
        step=steps[exercise.id],
        before=steps.get(exercise.continues or ""),
    )
