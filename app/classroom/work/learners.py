"""Whose work is kept: the learner of the signed cookie, who has a row from the first thing kept on, and how much that is."""

from sqlalchemy import Connection, delete, func, insert, select, update

from app.classroom.store.stored_work_types import Holdings, TooMuchStored
from app.classroom.store.tables import (
    AttemptRow,
    DoneCellRow,
    DraftRow,
    DraftVersionRow,
    LearnerRow,
    PredictionRow,
    StandingRow,
    StoreTable,
)
from app.classroom.store.times import DAY_MS

ROW_BYTES = 200  # of an attempt, a draft or a version, besides its texts, so that short ones have a bound too


def size_of(*texts: str | None) -> int:
    """Bytes that a row with these texts counts."""
    return ROW_BYTES + sum(len(text.encode()) for text in texts if text)


def find_learner(connection: Connection, name: str) -> int | None:
    """The id of a learner of whom something is kept."""
    found: int | None = connection.execute(select(LearnerRow.id).where(LearnerRow.name == name)).scalar()
    return found


def note_kept(
    connection: Connection, name: str, now_ms: int, *, lesson: str | None = None, added_bytes: int = 0, limit_bytes: int | None = None
) -> int:
    """Returns the learner's id, of a new row if there is none. To be called whenever something is kept: it notes when, where, and how many
    bytes more.

    Raises TooMuchKept if the learner would then have more than `limit_bytes`; what makes it less is always taken.
    """
    columns = LearnerRow.id, LearnerRow.seen_ms, LearnerRow.bytes, LearnerRow.lesson
    row = connection.execute(select(*columns).where(LearnerRow.name == name)).one_or_none()
    total = max(0, (row.bytes if row else 0) + added_bytes)
    if limit_bytes is not None and added_bytes > 0 and total > limit_bytes:
        raise TooMuchStored
    if row is None:
        values = {"name": name, "made_ms": now_ms, "seen_ms": now_ms, "bytes": total, "lesson": lesson}
        return connection.execute(insert(LearnerRow).returning(LearnerRow.id), values).scalar_one()
    changes: dict[str, object] = {}
    if now_ms - row.seen_ms >= DAY_MS:
        changes["seen_ms"] = now_ms
    if total != row.bytes:
        changes["bytes"] = total
    if lesson not in (None, row.lesson):
        changes["lesson"] = lesson
    if changes:
        connection.execute(update(LearnerRow).where(LearnerRow.id == row.id), changes)
    return int(row.id)


def note_visit(connection: Connection, name: str, now_ms: int) -> None:
    """A learner of whom something is kept was here, which counts once a day."""
    here = update(LearnerRow).where(LearnerRow.name == name, LearnerRow.seen_ms <= now_ms - DAY_MS)
    connection.execute(here.values(seen_ms=now_ms))


def forget_learner(connection: Connection, name: str) -> None:
    """Deletes all that is kept of a learner: the tables' foreign keys take every row along."""
    connection.execute(delete(LearnerRow).where(LearnerRow.name == name))


def set_reviews(connection: Connection, name: str, on: bool, now_ms: int) -> None:
    """Whether predictions that were wrong come back."""
    learner_id = note_kept(connection, name, now_ms)
    connection.execute(update(LearnerRow).where(LearnerRow.id == learner_id).values(reviews=on))


def read_holdings(connection: Connection, name: str) -> Holdings:
    """How much is kept of a learner."""
    columns = LearnerRow.id, LearnerRow.made_ms, LearnerRow.seen_ms, LearnerRow.bytes, LearnerRow.reviews
    row = connection.execute(select(*columns).where(LearnerRow.name == name)).one_or_none()
    if row is None:
        return Holdings()
    tables: dict[str, type[StoreTable]] = {
        "cells": DoneCellRow, "predictions": PredictionRow, "exercises": StandingRow,
        "attempts": AttemptRow, "drafts": DraftRow, "versions": DraftVersionRow,
    }  # fmt: skip
    counts = [
        select(func.count()).select_from(table).where(table.__table__.c.learner_id == row.id).scalar_subquery().label(name)
        for name, table in tables.items()
    ]
    found = connection.execute(select(*counts)).one()
    return Holdings(made_ms=row.made_ms, seen_ms=row.seen_ms, bytes=row.bytes, reviews=row.reviews, **found._asdict())
