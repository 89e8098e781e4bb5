"""Makes the changes to an SQLite database, which has one writer at a time, in one thread.

Changes that arrive during a commit are committed together after it (a group commit). Each has a savepoint of its own. Its result is
returned only after SQLite has written the commit to the disk. Between commits the thread does its Upkeep.
"""

import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from app.classroom.store.faults.store_faults import StoreFault, StoreUnreachable, concerns_one_change
from app.classroom.store.sqlite.upkeep import Upkeep
from app.classroom.store.store_engines import StoreEngines
from app.classroom.store.store_room import StoreRoom, read_pragma
from app.classroom.store.waiting_change import NOTICED, WaitingChange, ended

T = TypeVar("T")
TOGETHER = 256  # changes in one commit, at most


class SqliteWriter:
    """The thread that writes. It starts with the first change."""

    def __init__(self, engines: StoreEngines, room: StoreRoom) -> None:
        self._engines, self._room = engines, room
        self._changes: queue.SimpleQueue[WaitingChange | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._upkeep = Upkeep()
        self.tell_noticed: Callable[[], None] = lambda: None  # called after a commit in which a notice was written

    def put(self, change: WaitingChange) -> None:
        """Enqueue a change. Two threads must not call this at once, and nobody after `close`."""
        self._changes.put(change)
        if self._thread is None:
            self._thread = threading.Thread(target=self._write_until_closed, name="store-write", daemon=True)
            self._thread.start()

    def scrub(self) -> Future[None]:
        """Ask for deleted data to be removed from the write-ahead log, where it would stay until it is overwritten.

        The returned future is done after the removal. While a reader still sees an earlier state, the removal is tried again each second.
        """
        return self._upkeep.empty_log()

    def close(self) -> None:
        """Make the changes that wait, and end the thread."""
        self._changes.put(None)
        if self._thread is not None:
            self._thread.join()

    def end_upkeep(self) -> None:
        """Set StoreUnreachable in unfinished futures of `scrub`, because the thread has ended."""
        self._upkeep.end(ended())

    def _write_until_closed(self) -> None:
        closing = False
        while not closing:
            batch = self._next_changes()
            changes = [one for one in batch if one is not None]
            closing = len(changes) < len(batch)
            self._commit([one for one in changes if one.done.set_running_or_notify_cancel()])
            if self._upkeep.is_late():
                self._do_upkeep()
        self.end_upkeep()

    def _next_changes(self) -> list[WaitingChange | None]:
        """Wait for changes, and return those that have arrived. Do the upkeep while waiting."""
        while True:
            try:
                batch = [self._changes.get(timeout=self._upkeep.wait_seconds())]
            except queue.Empty:
                self._do_upkeep()
                continue
            while len(batch) < TOGETHER and not self._changes.empty():
                batch.append(self._changes.get())
            return batch

    def _do_upkeep(self) -> None:
        """Do one step of the upkeep outside of a transaction. A fault is recorded, and the step is tried again later."""
        try:
            self._engines.open()
            with closing(self._engines.writer.raw_connection()) as connection:
                assert isinstance(connection.driver_connection, sqlite3.Connection)
                self._upkeep.step(connection.driver_connection)
        except (sqlite3.Error, SQLAlchemyError, OSError, StoreFault) as error:
            self._engines.record_fault(error)
            self._upkeep.rest()

    def _commit(self, changes: list[WaitingChange]) -> None:
        """Make the changes in one transaction. After the commit, set the result of each change."""
        if not changes:
            return
        began = time.perf_counter()
        try:
            opened = self._engines.open()
            with self._engines.writer.begin() as connection:
                results = [make_change(one.change, connection) for one in changes]
                self._measure(connection)
                noticed = connection.info.pop(NOTICED, False)
            if opened != self._engines.identify():
                raise StoreUnreachable("its file was removed or replaced while it was written")
        except Exception as error:
            fault = self._engines.record_fault(error)
            for one in changes:
                one.done.set_exception(type(fault)(*fault.args))
            return
        self._engines.health.committed(time.perf_counter() - began)
        if noticed:
            self.tell_noticed()
        for one, (result, own) in zip(changes, results, strict=True):
            if own:
                one.done.set_exception(own)
            else:
                one.done.set_result(result)

    def _measure(self, connection: Connection) -> None:
        """Record how many bytes the database uses, and how many of its pages are free, which the upkeep may give back to the disk."""
        if self._engines.files:
            self._room.record(self._room.measure(connection))
            self._upkeep.record_free_pages(read_pragma(connection, "freelist_count"))


def make_change(change: Callable[[Connection], T], connection: Connection) -> tuple[T | None, Exception | None]:
    """Make a change in a savepoint. Return its result and None, or None and the exception that it raised.

    An error that concerns the whole database is raised instead, because it has undone the whole transaction.
    """
    try:
        with connection.begin_nested():
            return change(connection), None
    except Exception as error:
        if not concerns_one_change(error):
            raise
        return None, error
