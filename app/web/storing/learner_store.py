"""What is kept of learners: whatever web writes to the store passes through here, whether somebody waits for it or not.

Whoever deletes all that is kept may have a run or a request under way, which ends later: of that nothing is kept any more. What adds to the
store is admitted by app.web.guards.additions first.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

import structlog
from sqlalchemy import Connection

from app.classroom.store.database import Database
from app.classroom.store.store_faults import StoreFault
from app.classroom.store.times import DAY_MS, now_ms
from app.classroom.work import attempts, learners, predicted
from app.web.announcements import Announcement, Predicted, SolutionShown
from app.web.guards.additions import Additions
from app.web.guards.sessions import Principal, Sessions
from app.web.http.errors import NoLearner

T = TypeVar("T")

log = structlog.get_logger()


class LearnerStore:
    """Writes to the store."""

    def __init__(self, database: Database, sessions: Sessions, additions: Additions) -> None:
        self._database, self._sessions, self._additions = database, sessions, additions

    async def write(self, principal: Principal, change: Callable[[Connection], T], *, reserved: bool = False) -> T:
        """What `change` returns, once it is committed; also when the client leaves meanwhile. Raises StoreFault, NoLearner.

        `reserved`: it is part of what `reserve` was asked for.
        """
        if not reserved:
            change = partial(self._additions.make, principal.address, change)
        return await asyncio.shield(self._database.write(self._unless_forgotten(principal, change)))

    async def reserve(self, principal: Principal, added_bytes: int) -> None:
        """Has it admitted that changes which follow add so much. Raises StoreFault, NoLearner."""
        await self.write(principal, partial(self._additions.reserve, principal.address, added_bytes), reserved=True)

    async def forget(self, learner: str) -> None:
        """Deletes all that is kept of a learner. Raises StoreFault: then all of it is still there.

        What is left of it in the database's log is removed soon, which nobody waits for.
        """
        self._sessions.forget(learner)
        deleted = self._database.enqueue(lambda connection: learners.forget_learner(connection, learner))
        deleted.add_done_callback(lambda _: self._database.scrub())  # also when the client leaves meanwhile
        try:
            await asyncio.shield(asyncio.wrap_future(deleted))
        except StoreFault:
            self._sessions.remember(learner)  # so that it can be tried again
            raise

    def keep(self, announcement: Announcement) -> None:
        """Subscribes to what is announced, and waits for nothing. Of who has no cookie nothing is kept."""
        match announcement:
            case Predicted(principal=principal) if principal.learner is not None:
                keep = partial(predicted.keep_prediction, learner=principal.learner, now_ms=now_ms())
                keep = partial(keep, lesson=announcement.lesson, prediction=announcement.prediction, about=announcement.about)
                self._add(principal, partial(keep, answer=announcement.answer, right=announcement.right))
            case SolutionShown(principal=principal) if principal.learner is not None:
                note = partial(attempts.note_solution, learner=principal.learner, now_ms=now_ms())
                self._add(principal, partial(note, lesson=announcement.lesson, exercise=announcement.exercise))

    def note_visit(self, learner: str, seen_ms: int | None) -> None:
        """A learner is here, who was seen last at `seen_ms`; None: nothing is kept of it. Noted at most once a day."""
        now = now_ms()
        if seen_ms is not None and now - seen_ms >= DAY_MS:
            self._database.enqueue(lambda connection: learners.note_visit(connection, learner, now)).add_done_callback(log_failure)

    def _add(self, principal: Principal, change: Callable[[Connection], Any]) -> None:
        change = partial(self._additions.make, principal.address, change)
        self._database.enqueue(self._unless_forgotten(principal, change)).add_done_callback(log_failure)

    def _unless_forgotten(self, principal: Principal, change: Callable[[Connection], T]) -> Callable[[Connection], T]:
        """The change, which the store makes after all that was asked of it before."""

        def change_if_known(connection: Connection) -> T:
            if principal.learner is None or self._sessions.is_forgotten(principal.learner):
                raise NoLearner
            return change(connection)

        return change_if_known


def log_failure(done: Future[Any]) -> None:
    """A fault of the store is logged by the store; that a learner is forgotten is none."""
    error = done.exception()
    if error is not None and not isinstance(error, StoreFault | NoLearner):
        log.error("keeping_failed", exc_info=error)
