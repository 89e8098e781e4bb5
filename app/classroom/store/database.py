"""The database. Two threads read and one writes, so that the event loop, requests and runs never wait for the disk.

Changes that arrive during a commit are committed together after it (a group commit). Each has a savepoint of its own. Its result is
returned only after SQLite has written the commit to the disk. After a fault the next use opens the database anew, so that a repaired
database works without a restart. Between commits the writing thread does the upkeep (app.classroom.store.upkeep).
"""

import asyncio
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DataError, IntegrityError, ProgrammingError, SQLAlchemyError

from app.classroom.store import schema
from app.classroom.store.engine import file_of, log_of, make_engine, name_database
from app.classroom.store.store_faults import StoreFault, StoreReadOnly, StoreUnreachable, name_fault
from app.classroom.store.store_health import StoreHealth
from app.classroom.store.store_room import StoreRoom, read_pragma
from app.classroom.store.upkeep import Upkeep

T = TypeVar("T")
P = ParamSpec("P")
Change = tuple[Callable[[Connection], Any], Future[Any]]
FileIdentity = list[tuple[int, int]] | None  # device and inode of each
READERS = 2
TOGETHER = 256  # changes in one commit, at most
OWN_ERRORS = (IntegrityError, DataError, ProgrammingError)  # errors of one change; others concern the database


class Database:
    """A database. `url` is a URL of SQLAlchemy. If the database is missing, the first use makes it.

    `room` compares its size with `limit_bytes`. Every method raises StoreFault if the store fails. An exception in a change undoes that
    change alone. `health` counts faults and commits.
    """

    def __init__(self, url: str, limit_bytes: int | None = None) -> None:
        self.url = make_url(url)
        self.health = StoreHealth()
        self._reader, self._writer = make_engine(url, writes=False), make_engine(url, writes=True)
        self._pool = ThreadPoolExecutor(READERS, "store-read")
        self._changes: queue.SimpleQueue[Change | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._enqueuing, self._opening = threading.Lock(), threading.Lock()
        self._opened: FileIdentity = None
        file = file_of(url)
        self._files = [file, log_of(file)] if file else []
        self.room = StoreRoom(file, limit_bytes)
        self._upkeep = Upkeep()
        self._closed = False

    async def read(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call `query(connection, *args, **kwargs)` in a thread, on one snapshot of the database, and return its result."""
        if self._closed:
            raise ended()
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: self.read_here(query, *args, **kwargs))

    async def write(self, change: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call `change(connection, *args, **kwargs)` in the writing thread, and return its result after the commit.

        If this is cancelled before the change has begun, the change is not made.
        """
        return await asyncio.wrap_future(self.enqueue(change, *args, **kwargs))

    def enqueue(self, change: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Make a change like `write`, without waiting, and return a future of the result."""
        done: Future[T] = Future()
        with self._enqueuing:
            if self._closed:
                done.set_exception(ended())
                return done
            self._changes.put((lambda connection: change(connection, *args, **kwargs), done))
            if self._thread is None:
                self._thread = threading.Thread(target=self._write_until_closed, name="store-write", daemon=True)
                self._thread.start()
        return done

    def read_here(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Read like `read`, but in the caller's thread."""
        try:
            self._open()
            with self._reader.connect() as connection:
                return query(connection, *args, **kwargs)
        except (SQLAlchemyError, OSError, StoreFault) as error:
            raise self._record_fault(error) from error

    def scrub(self) -> Future[None]:
        """Ask for deleted data to be removed from the write-ahead log, where it would stay until it is overwritten.

        The returned future is done after the removal. While a reader still sees an earlier state, the removal is tried again each second.
        """
        if not self._files:
            return self.enqueue(lambda _: None)
        emptied = self._upkeep.empty_log()
        self.enqueue(lambda _: None)  # wakes the thread
        if self._closed:
            self._upkeep.end(ended())
        return emptied

    def open(self) -> None:
        """Make the database if it is missing, and check that its tables are of a version that this code knows."""
        try:
            self._open()
        except (SQLAlchemyError, OSError) as error:
            raise self._name_fault(error) from error

    def _open(self) -> FileIdentity:
        """Open the database if it is not open, or if its files were replaced. What is written to a replaced file would be lost."""
        with self._opening:
            if self._opened is None or self._opened != self._identify():
                self._reader.dispose()
                self._writer.dispose()
                if schema.prepare(self._writer, self._reader):
                    self.health.made(name_database(self.url))
                self._opened = self._identify()
            return self._opened

    async def close(self) -> None:
        """End the threads after the enqueued changes are made. Later changes are refused."""
        with self._enqueuing:
            self._closed = True
            self._changes.put(None)
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)
        self._pool.shutdown()
        self._reader.dispose()
        self._writer.dispose()

    def _identify(self) -> FileIdentity:
        """Return device and inode of the database and of its write-ahead log, or None if one of these files is missing."""
        try:
            return [(status.st_dev, status.st_ino) for status in map(os.stat, self._files)]
        except FileNotFoundError:
            return None

    def _write_until_closed(self) -> None:
        closing = False
        while not closing:
            batch = self._next_changes()
            changes = [one for one in batch if one is not None]
            closing = len(changes) < len(batch)
            self._commit([(change, done) for change, done in changes if done.set_running_or_notify_cancel()])
            if self._upkeep.is_late():
                self._do_upkeep()
        self._upkeep.end(ended())

    def _next_changes(self) -> list[Change | None]:
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
            self._open()
            connection = self._writer.raw_connection()
            try:
                assert isinstance(connection.driver_connection, sqlite3.Connection)
                self._upkeep.step(connection.driver_connection)
            finally:
                connection.close()
        except (sqlite3.Error, SQLAlchemyError, OSError, StoreFault) as error:
            self._record_fault(error)
            self._upkeep.rest()

    def _commit(self, changes: list[Change]) -> None:
        """Make the changes in one transaction. After the commit, set the result of each change."""
        if not changes:
            return
        began = time.perf_counter()
        try:
            opened = self._open()
            with self._writer.begin() as connection:
                results = [make_change(change, connection) for change, _ in changes]
                self._measure(connection)
            if opened != self._identify():
                raise StoreUnreachable("its file was removed or replaced while it was written")
        except Exception as error:
            fault = self._record_fault(error)
            for _, done in changes:
                done.set_exception(type(fault)(*fault.args))
            return
        self.health.committed(time.perf_counter() - began)
        for (_, done), (result, own) in zip(changes, results, strict=True):
            if own:
                done.set_exception(own)
            else:
                done.set_result(result)

    def _measure(self, connection: Connection) -> None:
        """Record how many bytes the database uses, and how many of its pages are free, which the upkeep may give back to the disk."""
        if self._files:
            self.room.record(self.room.measure(connection))
            self._upkeep.record_free_pages(read_pragma(connection, "freelist_count"))

    def _record_fault(self, error: Exception) -> StoreFault:
        """Count and log a fault and return it. The next use opens the database anew."""
        with self._opening:
            self._opened = None
        return self.health.failed(self._name_fault(error), error)

    def _name_fault(self, error: Exception) -> StoreFault:
        fault = name_fault(error)
        if isinstance(fault, StoreUnreachable) and self._files and not os.access(self._files[0].parent, os.W_OK):
            return StoreReadOnly(f"{fault}: nothing can be made in its folder")
        return fault


def make_change(change: Callable[[Connection], T], connection: Connection) -> tuple[T | None, Exception | None]:
    """Make a change in a savepoint. Return its result and None, or None and the exception that it raised.

    An error that concerns the whole database is raised instead, because it has undone the whole transaction.
    """
    try:
        with connection.begin_nested():
            return change(connection), None
    except Exception as error:
        if isinstance(error, SQLAlchemyError) and not isinstance(error, OWN_ERRORS):
            raise
        return None, error


def ended() -> StoreUnreachable:
    return StoreUnreachable("the server is ending")
