"""How far a learner is in each exercise.

A standing never decreases: neither a later submission nor seeing the solution lowers it.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, and_, insert, select, update

from app.classroom.store.schema.tables import StandingRow
from app.classroom.store.stored_work_types import REACHED, ExerciseStatus

NOTHING_DONE: Mapping[str, Any] = {"standing": "new", "attempts": 0, "hints": 0, "passed_ms": None, "shown_ms": None}


def after(standing: ExerciseStatus, passed: bool, seen: bool) -> ExerciseStatus:
    """Return the standing after a submission. `seen` says whether the solution was shown before it."""
    if standing in REACHED:
        return standing
    if not passed:
        return "tried"
    return "shown" if seen else "passed"


def update_standing(
    connection: Connection,
    *,
    learner_id: int,
    lesson: str,
    exercise: str,
    now_ms: int,
    passed: bool | None = None,
    shown: bool = False,
    hints: int = 0,
) -> None:
    """Update the standing of an exercise.

    `passed` says whether a submission passed, None without one; `shown` says whether the solution was shown; `hints` is the number of hints
    read, whose stored number never decreases.
    """
    here = and_(StandingRow.learner_id == learner_id, StandingRow.lesson == lesson, StandingRow.exercise == exercise)
    row = connection.execute(
        select(StandingRow.standing, StandingRow.attempts, StandingRow.hints, StandingRow.passed_ms, StandingRow.shown_ms).where(here)
    ).one_or_none()
    old: dict[str, Any] = dict(row._mapping if row else NOTHING_DONE)
    new = dict(old, hints=max(old["hints"], hints))
    if shown and old["shown_ms"] is None:
        new["shown_ms"] = now_ms
    if passed is not None:
        new["attempts"] += 1
        new["standing"] = after(old["standing"], passed, new["shown_ms"] is not None)
        if new["standing"] in REACHED and old["passed_ms"] is None:
            new["passed_ms"] = now_ms
    if row is None:
        connection.execute(insert(StandingRow), {"learner_id": learner_id, "lesson": lesson, "exercise": exercise, **new})
    elif new != old:
        connection.execute(update(StandingRow).where(here), new)
