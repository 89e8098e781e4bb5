"""The database. Threads read and write it, so that the event loop never waits for it.

Each read sees one snapshot. SqliteWriter or PostgresWriter makes the changes, and the result of a change is returned only after its
commit. After a fault the next use opens the database anew, so that a repaired database works without a restart.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from app.classroom.store.faults.store_faults import StoreFault
from app.classroom.store.postgres.postgres_room import PostgresRoom
from app.classroom.store.postgres.postgres_writer import PostgresWriter
from app.classroom.store.sqlite.sqlite_writer import SqliteWriter
from app.classroom.store.store_engines import StoreEngines
from app.classroom.store.store_room import StoreRoom
from app.classroom.store.waiting_change import WaitingChange, ended

T = TypeVar("T")
P = ParamSpec("P")


class Database:
    """A database. `url` is a URL of SQLite or PostgreSQL. If the database or its tables are missing, the first use makes them.

    `room` compares its size with `limit_bytes`. Every method raises StoreFault if the store fails. An exception in a change undoes that
    change alone. `health` counts faults and commits. The constructor raises DatabaseUrlError.
    """

    room: StoreRoom
    _writer: SqliteWriter | PostgresWriter

    def __init__(self, url: str, limit_bytes: int | None = None) -> None:
        self._engines = StoreEngines(url)
        self.url, self.health = self._engines.url, self._engines.health
        self.is_postgres = self._engines.is_postgres
        if self.is_postgres:
            self.room = room = PostgresRoom(limit_bytes)
            self._writer = PostgresWriter(self._engines, room)
        else:
            self.room = StoreRoom(self._engines.files[0] if self._engines.files else None, limit_bytes)
            self._writer = SqliteWriter(self._engines, self.room)
        self._pool = ThreadPoolExecutor(self._engines.readers, "store-read")
        self._enqueuing = threading.Lock()
        self._closed = False

    async def read(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call `query(connection, *args, **kwargs)` in a thread, on one snapshot of the database, and return its result."""
        if self._closed:
            raise ended()
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: self.read_here(query, *args, **kwargs))

    async def write(self, change: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call `change(connection, *args, **kwargs)` in a writing thread, and return its result after the commit.

        If this is cancelled before the change has begun, the change is not made. On PostgreSQL a change may be called several times, each
        time after the earlier calls were undone.
        """
        return await asyncio.wrap_future(self.enqueue(change, *args, **kwargs))

    def enqueue(self, change: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Make a change like `write`, without waiting, and return a future of the result."""
        return self.enqueue_in_order(None, change, *args, **kwargs)

    def enqueue_in_order(
        self, key: str | None, change: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Make a change like `enqueue`, after earlier changes with the same key. SQLite makes all changes in order."""
        done: Future[T] = Future()
        with self._enqueuing:
            if self._closed:
                done.set_exception(ended())
            else:
                self._writer.put(WaitingChange(lambda connection: change(connection, *args, **kwargs), done, key))
        return done

    def on_notice(self, look: Callable[[], None]) -> None:
        """Call `look` after each commit in which a notice was written (app.classroom.store.notices).

        Only for SQLite: PostgreSQL announces notices itself.
        """
        if isinstance(self._writer, SqliteWriter):
            self._writer.tell_noticed = look

    def write_apart(self, change: Callable[[Connection], T]) -> T:
        """Make a change now, in the caller's thread and in a transaction of its own. Only for PostgreSQL.

        The caller may itself be a change. This change must not need what the caller has locked.
        """
        try:
            with self._engines.apart.begin() as connection:
                return change(connection)
        except (SQLAlchemyError, OSError, StoreFault) as error:
            raise self._engines.record_fault(error) from error

    def read_here(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call `query` as `read` does, but in the caller's thread."""
        try:
            self._engines.open()
            with self._engines.reader.connect() as connection:
                return query(connection, *args, **kwargs)
        except (SQLAlchemyError, OSError, StoreFault) as error:
            raise self._engines.record_fault(error) from error

    def scrub(self) -> Future[None]:
        """Ask for deleted data to be removed from SQLite's write-ahead log. The returned future is done after the removal.

        PostgreSQL removes deleted data itself (docs/operations.md says when), so there the future is done at once.
        """
        if not isinstance(self._writer, SqliteWriter):
            nothing: Future[None] = Future()
            nothing.set_result(None)
            return nothing
        emptied = self._writer.scrub()
        self.enqueue(lambda _: None)  # wakes the thread
        if self._closed:
            self._writer.end_upkeep()
        return emptied

    def open(self) -> None:
        """Make the database if it is missing, and check that its tables are of a version that this code knows."""
        try:
            self._engines.open()
        except (SQLAlchemyError, OSError) as error:
            raise self._engines.name_fault(error) from error

    async def close(self) -> None:
        """End the threads after the enqueued changes are made. Later changes are refused."""
        with self._enqueuing:
            self._closed = True
        await asyncio.to_thread(self._writer.close)
        self._pool.shutdown()
        self._engines.dispose()
