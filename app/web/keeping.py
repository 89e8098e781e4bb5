"""What is kept of learners: whatever web writes to the store passes through here, whether somebody waits for it or not.

Whoever deletes all that is kept may have a run or a request under way, which ends later: of that nothing is kept any more.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import structlog
from sqlalchemy import Connection

from app.classroom import attempts, learners, predicted
from app.classroom.database import Database
from app.classroom.store_faults import StoreFault
from app.web.announcements import Announcement, Predicted, SolutionShown
from app.web.errors import NoLearner
from app.web.sessions import Sessions

T = TypeVar("T")
VISIT_MS = 24 * 60 * 60 * 1000  # a learner's visits are noted once in so long

log = structlog.get_logger()


def now_ms() -> int:
    """The time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def tell_time(at_ms: int) -> str:
    """Such a time as ISO 8601, in UTC."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Keeper:
    """Writes to the store."""

    def __init__(self, database: Database, sessions: Sessions) -> None:
        self._database, self._sessions = database, sessions

    async def write(self, learner: str, change: Callable[[Connection], T]) -> T:
        """What `change` returns, once it is committed; also when the client leaves meanwhile. Raises StoreFault, NoLearner."""
        return await asyncio.shield(self._database.write(self._unless_forgotten(learner, change)))

    async def forget(self, learner: str) -> None:
        """Deletes all that is kept of a learner, also from the database's files. Raises StoreFault: then it may be there still."""
        self._sessions.forget(learner)
        try:
            await asyncio.shield(self._database.write(lambda connection: learners.forget_learner(connection, learner)))
            await self._database.scrub()
        except StoreFault:
            self._sessions.remember(learner)  # so that it can be tried again
            raise

    def keep(self, announcement: Announcement) -> None:
        """Subscribes to what is announced, and waits for nothing. Of who has no cookie nothing is kept."""
        match announcement:
            case Predicted(principal=principal) if principal.learner is not None:
                keep = partial(predicted.keep_prediction, learner=principal.learner, now_ms=now_ms())
                keep = partial(keep, lesson=announcement.lesson, prediction=announcement.prediction, about=announcement.about)
                self._enqueue(principal.learner, partial(keep, answer=announcement.answer, right=announcement.right))
            case SolutionShown(principal=principal) if principal.learner is not None:
                note = partial(attempts.note_solution, learner=principal.learner, now_ms=now_ms())
                self._enqueue(principal.learner, partial(note, lesson=announcement.lesson, exercise=announcement.exercise))

    def note_visit(self, learner: str, seen_ms: int | None) -> None:
        """A learner is here, who was seen last at `seen_ms`; None: nothing is kept of it."""
        now = now_ms()
        if seen_ms is not None and now - seen_ms > VISIT_MS:
            self._enqueue(learner, lambda connection: learners.note_visit(connection, learner, now))

    def _enqueue(self, learner: str, change: Callable[[Connection], Any]) -> None:
        self._database.enqueue(self._unless_forgotten(learner, change)).add_done_callback(log_failure)

    def _unless_forgotten(self, learner: str, change: Callable[[Connection], T]) -> Callable[[Connection], T]:
        """The change, which the store makes after all that was asked of it before."""

        def change_if_known(connection: Connection) -> T:
            if self._sessions.is_forgotten(learner):
                raise NoLearner
            return change(connection)

        return change_if_known


def log_failure(done: Future[Any]) -> None:
    """A fault of the store is logged by the store; that a learner is forgotten is none."""
    error = done.exception()
    if error is not None and not isinstance(error, StoreFault | NoLearner):
        log.error("keeping_failed", exc_info=error)
