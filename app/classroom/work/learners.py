"""The row of each learner: when it was made, when the learner was last seen, and how many bytes of text are stored for the learner.

A learner is named by the signed cookie of their browser. The row is made when something of the learner is first stored.
"""

import msgspec
from sqlalchemy import Connection, ScalarSelect, delete, exists, func, insert, or_, select, update

from app.classroom.classes.memberships import delete_memberships
from app.classroom.classes.presence import touch
from app.classroom.store.learner_lock import lock_learner
from app.classroom.store.schema.class_tables import MemberLearnerRow
from app.classroom.store.schema.tables import (
    AttemptRow,
    DoneCellRow,
    DraftRow,
    DraftVersionRow,
    LearnerRow,
    PredictionRow,
    StandingRow,
    StoreTable,
)
from app.classroom.store.stored_work_types import Holdings, TooMuchStored
from app.classroom.store.times import DAY_MS

IN_CLASS = exists().where(MemberLearnerRow.learner_id == LearnerRow.id).label("in_class")
MOST_FOUND = 50
ROW_BYTES = 200  # counted for each attempt, draft and version besides its texts, so that the number of short ones is bounded too


class FoundLearner(msgspec.Struct, kw_only=True):
    """A learner, how much is stored of them, and the lesson in which something was stored last."""

    name: str
    lesson: str | None
    holdings: Holdings


def size_of(*texts: str | None) -> int:
    """Return how many bytes a row with these texts counts against the learner's limit."""
    return ROW_BYTES + sum(len(text.encode()) for text in texts if text)


def find_learner(connection: Connection, learner: str) -> int | None:
    """Return the id of a learner's row, or None if nothing of the learner is stored."""
    return connection.scalar(select(LearnerRow.id).where(LearnerRow.name == learner))


def id_of(learner: str) -> ScalarSelect[int]:
    """Return a subquery for the id of a learner's row. No row of another table has it if nothing of the learner is stored."""
    return select(LearnerRow.id).where(LearnerRow.name == learner).scalar_subquery()


def update_learner(
    connection: Connection,
    learner: str,
    now_ms: int,
    *,
    lesson: str | None = None,
    exercise: str | None = None,
    announces: bool = False,
    added_bytes: int = 0,
    limit_bytes: int | None = None,
) -> int:
    """Make or update the row of a learner, and return its id. Every function that stores something of a learner calls this, after the
    learner was locked (app.classroom.store.learner_lock).

    `lesson` is the path of the lesson in which something is stored, and `exercise` the exercise of it, if there is one. The classes of the
    learner see where the learner is. With `announces`, their boards are notified of new work. `added_bytes` is how much longer the
    stored texts become; it may be negative. Raises TooMuchStored if the texts become longer and would then exceed `limit_bytes`.
    """
    row = connection.execute(
        select(LearnerRow.id, LearnerRow.seen_ms, LearnerRow.bytes, LearnerRow.lesson, IN_CLASS).where(LearnerRow.name == learner)
    ).one_or_none()
    total = max(0, (row.bytes if row else 0) + added_bytes)
    if limit_bytes is not None and added_bytes > 0 and total > limit_bytes:
        raise TooMuchStored
    if row is None:
        made = insert(LearnerRow).values(name=learner, made_ms=now_ms, seen_ms=now_ms, bytes=total, lesson=lesson)
        return connection.execute(made.returning(LearnerRow.id)).scalar_one()
    changes: dict[str, object] = {}
    if now_ms - row.seen_ms >= DAY_MS:
        changes["seen_ms"] = now_ms
    if total != row.bytes:
        changes["bytes"] = total
    if lesson not in (None, row.lesson):
        changes["lesson"] = lesson
    if changes:
        connection.execute(update(LearnerRow).where(LearnerRow.id == row.id), changes)
    if row.in_class:
        touch(connection, row.id, now_ms, lesson, exercise, announces=announces)
    return int(row.id)


def record_visit(connection: Connection, learner: str, now_ms: int) -> None:
    """Set when the learner was last seen. Does nothing if that time is less than a day old, or if nothing of the learner is stored."""
    lock_learner(connection, learner)
    connection.execute(update(LearnerRow).where(LearnerRow.name == learner, LearnerRow.seen_ms <= now_ms - DAY_MS).values(seen_ms=now_ms))


def delete_learner(connection: Connection, learner: str) -> None:
    """Delete everything that is stored of a learner, with the members of classes to whom no other learner belongs.

    Foreign keys delete the rows of all other tables together with the learner's row.
    """
    lock_learner(connection, learner)
    learner_id = find_learner(connection, learner)
    if learner_id is not None:
        delete_memberships(connection, learner, learner_id)
        connection.execute(delete(LearnerRow).where(LearnerRow.id == learner_id))


def set_reviews(connection: Connection, learner: str, on: bool, now_ms: int) -> None:
    """Set whether the home page asks wrongly answered predictions again."""
    learner_id = update_learner(connection, learner, now_ms)
    connection.execute(update(LearnerRow).where(LearnerRow.id == learner_id).values(reviews=on))


def read_holdings(connection: Connection, learner: str) -> Holdings:
    """Return how much is stored of a learner."""
    tables: dict[str, type[StoreTable]] = {
        "cells": DoneCellRow, "predictions": PredictionRow, "exercises": StandingRow,
        "attempts": AttemptRow, "drafts": DraftRow, "versions": DraftVersionRow,
    }  # fmt: skip
    counts = [
        select(func.count()).select_from(table).where(table.__table__.c.learner_id == LearnerRow.id).scalar_subquery().label(name)
        for name, table in tables.items()
    ]
    row = connection.execute(
        select(LearnerRow.made_ms, LearnerRow.seen_ms, LearnerRow.bytes, LearnerRow.reviews, *counts).where(LearnerRow.name == learner)
    ).one_or_none()
    return Holdings(**row._asdict()) if row else Holdings()


def find_learners(connection: Connection, text: str, receipt: str) -> list[FoundLearner]:
    """Return the learners whose names begin with `text`, and those who have the receipt: at most MOST_FOUND, the last seen first.

    Texts are not searched, because that would read everybody's work.
    """
    holders = select(AttemptRow.learner_id).where(AttemptRow.receipt == receipt)
    rows = connection.execute(
        select(LearnerRow.name, LearnerRow.lesson)
        .where(or_(func.substr(LearnerRow.name, 1, len(text)) == text, LearnerRow.id.in_(holders)))
        .order_by(LearnerRow.seen_ms.desc(), LearnerRow.id)
        .limit(MOST_FOUND)
    ).all()
    return [FoundLearner(name=row.name, lesson=row.lesson, holdings=read_holdings(connection, row.name)) for row in rows]
