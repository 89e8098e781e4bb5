"""The store: reads in threads, and one thread that writes, so that no request and no run ever waits for the disk in the event loop.

Writes that come while one is being committed are committed together (a group commit): each has a savepoint of its own, and whoever waits is
told only after the commit, which SQLite has then written through to the disk.
"""

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

import structlog
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from app.classroom import schema
from app.classroom.store_faults import StoreFault, name_fault

T = TypeVar("T")
Change = tuple[Callable[[Connection], Any], Future[Any]]
READERS = 2
TOGETHER = 256  # changes of one commit
READ_PATIENCE_SECONDS = 0.1  # in WAL nobody keeps readers waiting but who locks the whole file
WRITE_PATIENCE_SECONDS = 2.0

log = structlog.get_logger()


class Database:
    """`url` as SQLAlchemy writes it. A missing database is made at its first use.

    Every method raises a StoreFault if the store cannot do it; what a change itself raises undoes that change alone.
    """

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        self._readers, self._writer_engine = make_engine(url, READ_PATIENCE_SECONDS), make_engine(url, WRITE_PATIENCE_SECONDS)
        self._pool = ThreadPoolExecutor(READERS, "store-read")
        self._changes: queue.SimpleQueue[Change | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting, self._opening = threading.Lock(), threading.Lock()
        self._opened = False

    async def read(self, look: Callable[[Connection], T]) -> T:
        """What `look` finds, in one snapshot."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self.look, look)

    async def write(self, change: Callable[[Connection], T]) -> T:
        """What `change` returns, once it is committed."""
        return await asyncio.wrap_future(self.enqueue(change))

    def enqueue(self, change: Callable[[Connection], T]) -> Future[T]:
        """As `write`, for who does not wait."""
        done: Future[T] = Future()
        self._changes.put((change, done))
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._write_on, name="store-write", daemon=True)
                self._thread.start()
        return done

    def look(self, look: Callable[[Connection], T]) -> T:
        """As `read`, in the caller's thread."""
        self._open(self._readers)
        try:
            with self._readers.connect() as connection:
                return look(connection)
        except (SQLAlchemyError, OSError) as error:
            raise name_fault(error) from error

    def open(self) -> None:
        """Makes the database if it is missing, and looks whether its tables are those that this version knows."""
        self._open(self._writer_engine)

    def _open(self, engine: Engine) -> None:
        with self._opening:
            if self._opened:
                return
            try:
                schema.prepare(engine)
            except (SQLAlchemyError, OSError) as error:
                raise name_fault(error) from error
            self._opened = True

    async def close(self) -> None:
        """Ends the threads, after what is enqueued is written."""
        if self._thread is not None:
            self._changes.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None
        self._pool.shutdown()
        self._readers.dispose()
        self._writer_engine.dispose()

    def _write_on(self) -> None:
        going = True
        while going:
            batch = [self._changes.get()]
            while len(batch) < TOGETHER and not self._changes.empty():
                batch.append(self._changes.get())
            changes = [one for one in batch if one is not None]
            going = len(changes) == len(batch)
            self._commit(changes)

    def _commit(self, changes: list[Change]) -> None:
        """Makes changes in one transaction, and tells each what came of it."""
        settled: list[tuple[Future[Any], Any]] = []
        try:
            self.open()
            with self._writer_engine.begin() as connection:
                for change, done in changes:
                    try:
                        with connection.begin_nested():
                            settled.append((done, change(connection)))
                    except Exception as error:
                        if isinstance(error, SQLAlchemyError) and not isinstance(error, IntegrityError):
                            raise
                        done.set_exception(error)  # the change's own, as a conflict; it alone is undone
        except Exception as error:
            fault = error if isinstance(error, StoreFault) else name_fault(error)
            log.error("store_fault", reason=fault.reason, message=str(fault))
            for _, done in changes:
                if not done.done():
                    done.set_exception(fault)
            return
        for done, result in settled:
            done.set_result(result)


def make_engine(url: str, patience_seconds: float) -> Engine:
    """An engine. SQLite gets a write-ahead log that is synchronous, so that what was committed outlives also a power cut."""
    if make_url(url).get_backend_name() != "sqlite":
        return create_engine(url)
    engine = create_engine(url, connect_args={"timeout": patience_seconds, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say; Python's own way breaks savepoints
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if patience_seconds == WRITE_PATIENCE_SECONDS else "BEGIN")

    return engine
