"""Stores the work that a browser reports: cells that ran, answers to predictions, and how many hints were read.

Reports may arrive in any order with the same result. Cells form a set, the largest number of hints counts, and a stored prediction is not
changed.
"""

from collections.abc import Iterable

from sqlalchemy import Connection, insert, select
from sqlalchemy.orm import InstrumentedAttribute

from app.classroom.store.schema.tables import DoneCellRow, PredictionRow, StandingRow
from app.classroom.store.stored_work_types import ReportedWork
from app.classroom.work.learners import update_learner
from app.classroom.work.predictions import record_prediction
from app.classroom.work.standings import update_standing

MOST_PARTS = 200  # of a lesson that reports may store: cells, predictions and exercises each


def record_work(connection: Connection, learner: str, *, lesson: str, reported: ReportedWork, now_ms: int) -> None:
    """Store what a browser reports. Cells and predictions that are already stored stay as they are.

    At most MOST_PARTS cells, predictions and exercises of a lesson are stored; new ones beyond that are left out.
    """
    if not (reported.cells or reported.predictions or reported.hints):
        return
    learner_id = update_learner(connection, learner, now_ms, lesson=lesson, exercise=next(iter(reported.hints), None))

    def find(column: InstrumentedAttribute[str], names: Iterable[str]) -> tuple[set[str], set[str]]:
        """Return the names that are already stored, and the new names to store."""
        row = column.class_
        stored = set(connection.execute(select(column).where(row.learner_id == learner_id, row.lesson == lesson)).scalars())
        return stored & set(names), set(sorted(set(names) - stored)[: max(0, MOST_PARTS - len(stored))])

    if cells := find(DoneCellRow.cell, reported.cells)[1]:
        key = {"learner_id": learner_id, "lesson": lesson, "at_ms": now_ms}
        connection.execute(insert(DoneCellRow), [{"cell": cell, **key} for cell in cells])
    for name in find(PredictionRow.prediction, reported.predictions)[1]:
        one = reported.predictions[name]
        record_prediction(
            connection, learner, lesson=lesson, prediction=name, about=one.about, answer=one.answer, right=one.right, now_ms=now_ms
        )
    for name in set().union(*find(StandingRow.exercise, reported.hints)):
        update_standing(connection, learner_id=learner_id, lesson=lesson, exercise=name, hints=reported.hints[name], now_ms=now_ms)
