"""Makes the changes that web makes to learners' work. A request waits until its change is stored, or continues at once.

A learner who deletes their work may have unfinished runs and requests, also in other web processes. Their changes
are refused. A change that adds to the store is first admitted by app.web.guards.additions.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Concatenate, ParamSpec, TypeVar

import structlog
from sqlalchemy import Connection

from app.classroom.people import audit
from app.classroom.store.database import Database
from app.classroom.store.faults.store_faults import StoreFault
from app.classroom.store.learner_lock import lock_learner
from app.classroom.store.notices import Notices, hash_name
from app.classroom.store.times import DAY_MS, now_ms
from app.classroom.work import forgotten_learners, learners
from app.web.guards.additions import Additions
from app.web.guards.principal import Principal
from app.web.guards.sessions import Sessions
from app.web.http.errors import NoLearner

T = TypeVar("T")
P = ParamSpec("P")

log = structlog.get_logger()


class LearnerStore:
    """Writes to the store for the learners who send requests.

    A change is a function of app.classroom.work. It is called in a writing thread with a connection, the learner, and its arguments.
    """

    def __init__(self, database: Database, sessions: Sessions, additions: Additions, notices: Notices) -> None:
        self._database, self._sessions, self._additions = database, sessions, additions
        notices.subscribe(forgotten_learners.NOTICE, sessions.forget)

    async def load_forgotten(self) -> None:
        """Read which learners have deleted their work lately. If the store cannot be read, each change looks its learner up."""
        with suppress(StoreFault):
            for name_sha256 in await self._database.read(forgotten_learners.list_forgotten):
                self._sessions.forget(name_sha256)

    async def write(
        self, principal: Principal, change: Callable[Concatenate[Connection, str, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call `change(connection, learner, *args, **kwargs)` and return its result once it is committed.

        The change is made even if the client leaves meanwhile. Raises StoreFault, NoLearner, and what `change` raises.
        """
        return await asyncio.shield(asyncio.wrap_future(self._enqueue(principal, change, *args, **kwargs)))

    def write_later(
        self, principal: Principal, change: Callable[Concatenate[Connection, str, P], object], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Make a change like `write`, without waiting. An exception of the change is logged. Without a learner nothing is stored."""
        if principal.learner is not None:
            self._enqueue(principal, change, *args, **kwargs).add_done_callback(log_failure)

    def _enqueue(
        self, principal: Principal, change: Callable[Concatenate[Connection, str, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        def make_change(connection: Connection) -> T:
            learner = self._lock_learner(connection, principal)
            with self._additions.charge(principal.address, connection):
                return change(connection, learner, *args, **kwargs)

        return self._enqueue_for(principal, make_change)

    def _enqueue_for(self, principal: Principal, change: Callable[[Connection], T]) -> Future[T]:
        """Enqueue a change so that the changes of one learner are made in the order in which they arrived."""
        if principal.learner is None:
            return self._database.enqueue(change)
        return self._database.enqueue_in_order(principal.learner, change)

    async def reserve(self, principal: Principal, added_bytes: int) -> None:
        """Reserve `added_bytes` for later changes, which are made with `write_reserved`. Raises StoreFault and NoLearner."""

        def reserve(connection: Connection) -> None:
            self._lock_learner(connection, principal)
            self._additions.reserve(principal.address, added_bytes, connection)

        await asyncio.shield(asyncio.wrap_future(self._enqueue_for(principal, reserve)))

    async def write_reserved(
        self, principal: Principal, change: Callable[Concatenate[Connection, str, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Make a change like `write`, using bytes that `reserve` has reserved."""

        def make_change(connection: Connection) -> T:
            return change(connection, self._lock_learner(connection, principal), *args, **kwargs)

        return await asyncio.shield(asyncio.wrap_future(self._enqueue_for(principal, make_change)))

    async def delete(self, learner: str) -> None:
        """Delete everything that is stored of a learner. If StoreFault is raised, nothing is deleted.

        The data is also removed from the write-ahead log soon afterwards; this does not wait for that.
        """

        def end_deletion(done: Future[None]) -> None:
            if done.exception() is None:
                self._sessions.forget(hash_name(learner))
            self._database.scrub()

        deleted = self._database.enqueue_in_order(learner, delete_all, learner, now_ms())
        deleted.add_done_callback(end_deletion)  # also called if the client leaves meanwhile
        await asyncio.shield(asyncio.wrap_future(deleted))

    def record_visit(self, learner: str, seen_ms: int | None) -> None:
        """Record a learner's visit, at most once a day. `seen_ms` is the last recorded visit, None if nothing is stored of the learner."""
        now = now_ms()
        if seen_ms is not None and now - seen_ms >= DAY_MS:
            self._database.enqueue_in_order(learner, learners.record_visit, learner, now).add_done_callback(log_failure)

    def _lock_learner(self, connection: Connection, principal: Principal) -> str:
        """Lock the learner, and return the name. Raises NoLearner if there is no learner, or if the learner has deleted their work."""
        if principal.learner is None:
            raise NoLearner
        lock_learner(connection, principal.learner)
        if self._sessions.is_forgotten(principal.learner):  # saves a query
            raise NoLearner
        if forgotten_learners.is_forgotten(connection, principal.learner):
            self._sessions.forget(hash_name(principal.learner))
            raise NoLearner
        return principal.learner


def delete_all(connection: Connection, learner: str, now_ms: int) -> None:
    """Delete a learner's work, and erase the learner from the audit table."""
    forgotten_learners.forget_learner(connection, learner, now_ms)
    audit.erase_subject(connection, audit.name_learner(learner))


def log_failure(done: Future[Any]) -> None:
    """Log the exception of a change, except StoreFault and NoLearner.

    The store logs a StoreFault itself, and NoLearner only means that the learner has deleted their work.
    """
    error = done.exception()
    if error is not None and not isinstance(error, StoreFault | NoLearner):
        log.error("keeping_failed", exc_info=error)
