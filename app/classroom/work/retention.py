"""Forgets learners who were not here for a long time: regularly, one in a transaction, so that nobody who works waits long."""

import asyncio
from functools import partial

import structlog
from sqlalchemy import Connection, delete, select

from app.classroom.store.database import Database
from app.classroom.store.store_faults import StoreFault
from app.classroom.store.tables import LearnerRow
from app.classroom.store.times import DAY_MS, now_ms

PAUSE_SECONDS = 3600
AT_ONCE = 500  # learners that are looked for at once

log = structlog.get_logger()


async def forget_regularly(database: Database, days: int) -> None:
    """Until it is cancelled. `days` after their last visit learners are forgotten; 0: never."""
    while days:
        try:
            forgotten = await forget_unseen(database, now_ms() - days * DAY_MS)
            if forgotten:
                log.info("learners_forgotten", count=forgotten)
        except StoreFault:
            pass  # which is logged; what is left is forgotten next time
        except Exception as error:
            log.error("retention_failed", exc_info=error)
        await asyncio.sleep(PAUSE_SECONDS)


async def forget_unseen(database: Database, before_ms: int) -> int:
    """Deletes all that is kept of learners whose last visit was before, soon also from the write-ahead log; how many. Raises StoreFault."""
    forgotten = 0
    while learners := await database.read(partial(find_unseen, before_ms=before_ms)):
        for learner in learners:
            forgotten += await database.write(partial(forget_if_unseen, learner=learner, before_ms=before_ms))
    if forgotten:
        database.scrub()
    return forgotten


def find_unseen(connection: Connection, before_ms: int) -> list[int]:
    return list(connection.execute(select(LearnerRow.id).where(LearnerRow.seen_ms < before_ms).limit(AT_ONCE)).scalars())


def forget_if_unseen(connection: Connection, learner: int, before_ms: int) -> int:
    """One who has come back meanwhile is kept."""
    return connection.execute(delete(LearnerRow).where(LearnerRow.id == learner, LearnerRow.seen_ms < before_ms)).rowcount
