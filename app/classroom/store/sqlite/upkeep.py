"""The work of the writing thread between changes: giving free space back to the disk, and removing deleted data from the log.

The work is done in small steps: one whenever no change waits, and one a second while changes keep coming. A database that cannot give space
back (`can_give_back`) uses the space again for later changes. For SQLite only.
"""

import sqlite3
import threading
import time
from concurrent.futures import Future

import structlog

from app.classroom.store.engine import WRITE_PATIENCE_SECONDS

FREE_PAGES = 256  # that stay free for the next changes: 1 MiB
STEP_PAGES = 128  # given back in one step, which takes some milliseconds: half a MiB
PAUSE_SECONDS = 0.02  # without changes before a step
RETRY_SECONDS = 1.0  # after a step that was not possible; also between steps while changes keep coming
FAULT_SECONDS = 60.0  # after a fault of the store
LOGGED_AFTER_SECONDS = 60.0
INCREMENTAL = 2  # of PRAGMA auto_vacuum

log = structlog.get_logger()


class Upkeep:
    """The upkeep of one database. Any thread may call `empty_log`; only the writing thread calls the other methods."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[Future[None]] = []  # futures of `empty_log`
        self._due, self._shrunk = False, False
        self._next = 0.0  # time.monotonic at which the next step may follow
        self._blocked_since: float | None = None  # when emptying the log first failed
        self._logged = False

    def empty_log(self) -> Future[None]:
        """Ask for the log to be emptied. The future is done once the log contains no deleted data."""
        emptied: Future[None] = Future()
        with self._lock:
            self._waiting.append(emptied)
            self._due = True
        return emptied

    def record_free_pages(self, free_pages: int) -> None:
        """Record how many pages are free after a commit. If there are more than FREE_PAGES, they will be given back."""
        if free_pages > FREE_PAGES:
            self._due = True

    def wait_seconds(self) -> float | None:
        """Return how long the thread may wait for a change before it does the next step, or None if there is nothing to do."""
        return max(PAUSE_SECONDS, self._next - time.monotonic()) if self._due else None

    def is_late(self) -> bool:
        """Return whether a step is overdue, so that it must be done even though changes wait."""
        return self._due and time.monotonic() > self._next + RETRY_SECONDS

    def step(self, connection: sqlite3.Connection) -> None:
        """Empty the log if `empty_log` was called, and give some space back. If this raises an error of sqlite3, it may be called again."""
        self._next = time.monotonic() + RETRY_SECONDS
        with self._lock:
            waiting = list(self._waiting)
        if waiting:
            self._report(waiting, truncate_log(connection))
        if give_back(connection):
            self._shrunk = True
            self._next = time.monotonic()
            return
        if self._shrunk:  # the file becomes shorter when the log is copied into it
            self._shrunk = not truncate_log(connection)
        with self._lock:
            self._due = bool(self._waiting) or self._shrunk

    def rest(self) -> None:
        """Delay the next step after a fault of the store."""
        self._next = time.monotonic() + FAULT_SECONDS

    def end(self, error: Exception) -> None:
        """End the upkeep, and set `error` in the futures that are not done."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for emptied in waiting:
            if emptied.set_running_or_notify_cancel():
                emptied.set_exception(error)

    def _report(self, waiting: list[Future[None]], emptied: bool) -> None:
        """If the log is empty, resolve the futures. If it could not be emptied for a long time, log that a reader prevents it."""
        now = time.monotonic()
        if not emptied:
            self._blocked_since = self._blocked_since or now
            if not self._logged and now - self._blocked_since > LOGGED_AFTER_SECONDS:
                self._logged = True
                log.error("store_log_held", seconds=round(now - self._blocked_since))
            return
        if self._logged:
            log.info("store_log_emptied")
        self._blocked_since, self._logged = None, False
        with self._lock:
            self._waiting = self._waiting[len(waiting) :]
        for one in waiting:
            if one.set_running_or_notify_cancel():
                one.set_result(None)


def truncate_log(connection: sqlite3.Connection) -> bool:
    """Copy the log into the database and empty it. Return False if a reader still sees an earlier state."""
    connection.execute("PRAGMA busy_timeout=0")
    try:
        [(busy, *_)] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        connection.execute(f"PRAGMA busy_timeout={int(WRITE_PATIENCE_SECONDS * 1000)}")
    return not busy


def can_give_back(connection: sqlite3.Connection) -> bool:
    """Return whether the database can give free space back. Older databases can only after `gradroom migrate` has changed them."""
    return bool(connection.execute("PRAGMA auto_vacuum").fetchone() == (INCREMENTAL,))


def give_back(connection: sqlite3.Connection) -> bool:
    """Move up to STEP_PAGES pages from the end of the database to free ones, and shorten it. Return False if there was nothing to do."""
    [(free_pages,)] = connection.execute("PRAGMA freelist_count").fetchall()
    if free_pages <= FREE_PAGES or not can_give_back(connection):
        return False
    # SQLite moves one page for each row of the result, and only executescript fetches all rows
    connection.executescript(f"PRAGMA incremental_vacuum({min(STEP_PAGES, free_pages - FREE_PAGES)})")
    return True
