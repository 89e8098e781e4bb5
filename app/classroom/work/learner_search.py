"""Finds learners for an operator: by the beginning of the name in their cookie, or by a receipt.

Texts are not searched, because that would read everybody's work.
"""

import msgspec
from sqlalchemy import Connection, func, or_, select

from app.classroom.store.schema.tables import AttemptRow, LearnerRow
from app.classroom.store.stored_work_types import Holdings
from app.classroom.work.learners import read_holdings

MOST_FOUND = 50


class FoundLearner(msgspec.Struct, kw_only=True):
    """A learner, how much is stored of them, and the lesson in which something was stored last."""

    name: str
    lesson: str | None
    holdings: Holdings


def find_learners(connection: Connection, text: str, receipt: str) -> list[FoundLearner]:
    """Return the learners whose names begin with `text`, and those who have the receipt: at most MOST_FOUND, the last seen first."""
    holders = select(AttemptRow.learner_id).where(AttemptRow.receipt == receipt)
    found = (
        select(LearnerRow.name, LearnerRow.lesson)
        .where(or_(func.substr(LearnerRow.name, 1, len(text)) == text, LearnerRow.id.in_(holders)))
        .order_by(LearnerRow.seen_ms.desc(), LearnerRow.id)
        .limit(MOST_FOUND)
    )
    rows = connection.execute(found).all()
    return [FoundLearner(name=row.name, lesson=row.lesson, holdings=read_holdings(connection, row.name)) for row in rows]
