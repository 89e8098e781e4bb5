"""Makes the changes to a PostgreSQL database in several threads, each change in a transaction of its own.

Transactions with the changes of several learners would cause deadlocks with those of other web processes. A change that PostgreSQL undoes
because of other transactions (a deadlock, a serialization failure, a lock that took too long) is repeated. A change is never reported as
made if it is unknown whether it was committed.
"""

import random
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from app.classroom.store.faults.store_faults import StoreUnreachable, concerns_one_change, sqlstate_of
from app.classroom.store.postgres.postgres_room import PostgresRoom
from app.classroom.store.postgres.written_bytes import begin_counting, read_written
from app.classroom.store.store_engines import POSTGRES_WRITERS, StoreEngines
from app.classroom.store.waiting_change import WaitingChange

REPEATED = {"40P01", "40001", "55P03"}  # SQLSTATEs with which PostgreSQL has undone a transaction because of another one
MOST_TRIES = 6
TRYING_SECONDS = 5.0  # after which a change is not repeated
PAUSE_SECONDS = 0.05  # before a change is repeated, at most, times the number of tries


class PostgresWriter:
    """The threads that write."""

    def __init__(self, engines: StoreEngines, room: PostgresRoom) -> None:
        self._engines, self._room = engines, room
        self._threads = ThreadPoolExecutor(POSTGRES_WRITERS, "store-write")
        self._lock = threading.Lock()
        self._behind: dict[str, deque[WaitingChange]] = {}  # by key: the changes that wait for another one with the same key

    def put(self, change: WaitingChange) -> None:
        """Enqueue a change. Two threads must not call this at once, and nobody after `close`."""
        if change.key is not None:
            with self._lock:
                if change.key in self._behind:
                    self._behind[change.key].append(change)
                    return
                self._behind[change.key] = deque()
        self._threads.submit(self._make_all, change)

    def close(self) -> None:
        """Make the changes that wait, and end the threads."""
        self._threads.shutdown()

    def _make_all(self, change: WaitingChange) -> None:
        """Make a change, and then those with the same key that wait for it."""
        self._make(change)
        while change.key is not None:
            with self._lock:
                if not self._behind[change.key]:
                    del self._behind[change.key]
                    return
                change = self._behind[change.key].popleft()
            self._make(change)

    def _make(self, change: WaitingChange) -> None:
        """Make a change, and set its result after the commit."""
        if not change.done.set_running_or_notify_cancel():
            return
        began = time.perf_counter()
        try:
            result, own = self._try_until_done(change.change)
        except Exception as error:
            change.done.set_exception(self._engines.record_fault(error))
            return
        if own is not None:
            change.done.set_exception(own)
            return
        self._engines.health.committed(time.perf_counter() - began)
        change.done.set_result(result)

    def _try_until_done(self, change: Callable[[Connection], Any]) -> tuple[Any, Exception | None]:
        """Try to make a change, and try again if PostgreSQL has undone it because of another one. Return what `_try` returns."""
        began = time.monotonic()
        tries = 1
        while True:
            try:
                return self._try(change)
            except DBAPIError as error:
                if sqlstate_of(error) not in REPEATED or tries == MOST_TRIES or time.monotonic() - began > TRYING_SECONDS:
                    raise
            time.sleep(random.uniform(0, PAUSE_SECONDS * tries))
            tries += 1

    def _try(self, change: Callable[[Connection], Any]) -> tuple[Any, Exception | None]:
        """Make a change in a transaction. Return its result and None, or None and the exception that it raised.

        An error that concerns the database is raised.
        """
        self._engines.open()
        with self._engines.writer.connect() as connection:
            begin_counting(connection)
            try:
                result = change(connection)
                check_transaction(connection)
            except Exception as error:
                if not concerns_one_change(error):
                    raise
                connection.rollback()
                return None, error
            commit(connection)
            self._room.committed(read_written(connection))
            return result, None


def check_transaction(connection: Connection) -> None:
    """Raise RuntimeError if a statement has failed, because PostgreSQL would silently undo such a transaction instead of committing it."""
    driver = connection.connection.driver_connection
    if driver is not None and driver.info.transaction_status.name == "INERROR":
        raise RuntimeError("a change has ignored an error of the database")


def commit(connection: Connection) -> None:
    """Commit the transaction. If the connection ends meanwhile, raise StoreUnreachable."""
    try:
        connection.commit()
    except DBAPIError as error:
        if error.connection_invalidated:
            raise StoreUnreachable("the connection ended during a commit, so it is unknown whether the change was made") from error
        raise
