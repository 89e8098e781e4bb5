"""Deletes old data: the work of learners who have not visited for a long time, archived classes, and old rows of other tables.

Each learner is deleted in a transaction of its own, so that other changes need not wait.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec
import structlog
from sqlalchemy import BigInteger, Connection, delete, func, literal, select

from app.classroom.store.database import Database
from app.classroom.store.faults.store_faults import StoreFault
from app.classroom.store.learner_lock import lock_class, lock_learner
from app.classroom.store.schema.class_tables import SchoolClassRow
from app.classroom.store.schema.tables import LearnerRow
from app.classroom.store.times import DAY_MS, now_ms
from app.classroom.work.learners import delete_learner

PAUSE_SECONDS = 3600
AT_ONCE = 500  # learners that one query returns
Prune = Callable[[Connection, int], None]  # called with the time

log = structlog.get_logger()


class RetentionFigures(msgspec.Struct, kw_only=True):
    """How many learners will be deleted unless they come back: `due` at the server's next check, and `soon` within `days` days, `due`
    included.

    `retention_days` is the setting; if it is 0, nobody is deleted.
    """

    retention_days: int
    due: int
    days: int
    soon: int


async def delete_regularly(database: Database, days: int, *prunes: Prune) -> None:
    """Delete old data every hour until cancelled. A step that fails is tried again after an hour, and the other steps continue.

    Learners are deleted `days` days after their last visit, or never if that is 0. `prunes` delete old rows of other tables.
    """
    steps: list[Callable[[Database], Awaitable[None]]] = [
        partial(delete_learners, days=days), delete_classes, *(partial(prune_rows, prune=prune) for prune in prunes)
    ]  # fmt: skip
    while True:
        for step in steps:
            try:
                await step(database)
            except StoreFault:
                pass  # the store has logged it, and the next attempt deletes the others
            except Exception as error:
                log.error("retention_failed", exc_info=error)
        await asyncio.sleep(PAUSE_SECONDS)


async def delete_learners(database: Database, days: int) -> None:
    deleted = await delete_unseen(database, now_ms() - days * DAY_MS) if days else 0
    if deleted:
        log.info("learners_forgotten", count=deleted)


async def delete_classes(database: Database) -> None:
    deleted = await database.write(delete_old_classes, now_ms())
    if deleted:
        log.info("classes_deleted", count=deleted)
        database.scrub()


async def prune_rows(database: Database, prune: Prune) -> None:
    await database.write(prune, now_ms())


async def delete_unseen(database: Database, before_ms: int) -> int:
    """Delete everything that is stored of learners whose last visit was before `before_ms`. Return the number of these learners.

    Their texts are also removed from the write-ahead log soon afterwards. Raises StoreFault.
    """
    deleted = 0
    while learners := await database.read(find_unseen, before_ms):
        for learner in learners:
            deleted += await database.write(delete_if_unseen, learner, before_ms)
    if deleted:
        database.scrub()
    return deleted


def count_retained(connection: Connection, retention_days: int, days: int, at_ms: int) -> RetentionFigures:
    """Return how many learners are deleted at the next check and within `days` days."""
    figures = RetentionFigures(retention_days=retention_days, due=0, days=days, soon=0)
    if retention_days:
        figures.due = count_unseen(connection, at_ms - retention_days * DAY_MS)
        figures.soon = count_unseen(connection, at_ms + (days - retention_days) * DAY_MS)
    return figures


def count_unseen(connection: Connection, before_ms: int) -> int:
    """Return how many learners visited last before `before_ms`."""
    return connection.execute(select(func.count()).select_from(LearnerRow).where(LearnerRow.seen_ms < before_ms)).scalar_one()


def find_unseen(connection: Connection, before_ms: int) -> list[str]:
    return list(connection.scalars(select(LearnerRow.name).where(LearnerRow.seen_ms < before_ms).limit(AT_ONCE)))


def delete_if_unseen(connection: Connection, learner: str, before_ms: int) -> int:
    """Delete a learner, unless the learner has visited meanwhile. Return how many learners were deleted: 1 or 0."""
    lock_learner(connection, learner)
    if connection.scalar(select(LearnerRow.id).where(LearnerRow.name == learner, LearnerRow.seen_ms < before_ms)) is None:
        return 0
    delete_learner(connection, learner)
    return 1


def delete_old_classes(connection: Connection, at_ms: int) -> int:
    """Delete the classes, with their members, that were archived at least their `retention_days` ago. Return how many."""
    is_due = SchoolClassRow.archived_ms + SchoolClassRow.retention_days * literal(DAY_MS, BigInteger) <= at_ms
    deleted = 0
    for class_id in connection.execute(select(SchoolClassRow.id).where(is_due).order_by(SchoolClassRow.id)).scalars().all():
        lock_class(connection, class_id)
        deleted += connection.execute(delete(SchoolClassRow).where(SchoolClassRow.id == class_id, is_due)).rowcount
    return deleted
