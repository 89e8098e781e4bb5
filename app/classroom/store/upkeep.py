"""What the thread that writes does between changes: it gives freed room back to the disk, and removes what was deleted from the log.

It takes small steps: one whenever no change waits, and one a second while changes keep coming. A database that was made before it could
give room back (`can_give_back`) keeps it for later changes. SQLite only.
"""

import sqlite3
import threading
import time
from concurrent.futures import Future

import structlog

from app.classroom.store.engine import WRITE_PATIENCE_SECONDS

FREE_PAGES = 256  # that stay free, for the next changes: 1 MiB
STEP_PAGES = 128  # given back in one step: half a MiB, which takes some milliseconds
PAUSE_SECONDS = 0.02  # without changes, before a step
RETRY_SECONDS = 1.0  # after a step that was not possible; also between steps while changes keep coming
FAULT_SECONDS = 60.0  # after a fault of the store
TOLD_AFTER_SECONDS = 60.0
INCREMENTAL = 2  # of PRAGMA auto_vacuum

log = structlog.get_logger()


class Upkeep:
    """What is to be done to one database. `empty_log` may be called by any thread, all else by the one that writes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[Future[None]] = []  # for the log to be emptied
        self._due, self._shrunk = False, False
        self._next = 0.0  # when a step may follow, by time.monotonic
        self._held_since: float | None = None  # when the log could not be emptied first
        self._told = False

    def empty_log(self) -> Future[None]:
        """Asks for the log to be emptied. The future is done once nothing that was deleted is in it."""
        emptied: Future[None] = Future()
        with self._lock:
            self._waiting.append(emptied)
            self._due = True
        return emptied

    def record_free_pages(self, free_pages: int) -> None:
        """After a commit: whether there is room to give back."""
        if free_pages > FREE_PAGES:
            self._due = True

    def wait_seconds(self) -> float | None:
        """How long to wait for a change before the next step; None: no step is due."""
        return max(PAUSE_SECONDS, self._next - time.monotonic()) if self._due else None

    def is_late(self) -> bool:
        """Whether a step is to be taken although changes wait."""
        return self._due and time.monotonic() > self._next + RETRY_SECONDS

    def step(self, connection: sqlite3.Connection) -> None:
        """Empties the log if somebody waits for it, and gives some room back. What sqlite3 raises may be tried again."""
        self._next = time.monotonic() + RETRY_SECONDS
        with self._lock:
            waiting = list(self._waiting)
        if waiting:
            self._tell(waiting, truncate_log(connection))
        if give_back(connection):
            self._shrunk = True
            self._next = time.monotonic()
            return
        if self._shrunk:  # the file itself is cut when the log is copied into it
            self._shrunk = not truncate_log(connection)
        with self._lock:
            self._due = bool(self._waiting) or self._shrunk

    def rest(self) -> None:
        """After a fault of the store."""
        self._next = time.monotonic() + FAULT_SECONDS

    def end(self, error: Exception) -> None:
        """No step follows; `error` is raised for whoever still waits."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for emptied in waiting:
            if emptied.set_running_or_notify_cancel():
                emptied.set_exception(error)

    def _tell(self, waiting: list[Future[None]], emptied: bool) -> None:
        """Tells those who wait; and operators, if another program reads for so long that the log cannot be emptied."""
        now = time.monotonic()
        if not emptied:
            self._held_since = self._held_since or now
            if not self._told and now - self._held_since > TOLD_AFTER_SECONDS:
                self._told = True
                log.error("store_log_held", seconds=round(now - self._held_since))
            return
        if self._told:
            log.info("store_log_emptied")
        self._held_since, self._told = None, False
        with self._lock:
            self._waiting = self._waiting[len(waiting) :]
        for one in waiting:
            if one.set_running_or_notify_cancel():
                one.set_result(None)


def truncate_log(connection: sqlite3.Connection) -> bool:
    """Copies the log into the database, and empties it; False while somebody reads an earlier state, for whom nobody waits here."""
    connection.execute("PRAGMA busy_timeout=0")
    try:
        [(busy, *_)] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        connection.execute(f"PRAGMA busy_timeout={int(WRITE_PATIENCE_SECONDS * 1000)}")
    return not busy


def can_give_back(connection: sqlite3.Connection) -> bool:
    """Whether the database was made, or changed by `gradroom migrate`, so that freed room can be given back."""
    return bool(connection.execute("PRAGMA auto_vacuum").fetchone() == (INCREMENTAL,))


def give_back(connection: sqlite3.Connection) -> bool:
    """Cuts up to STEP_PAGES off the end of the database, after what they hold is moved to free pages; False if there is nothing to do."""
    [(free_pages,)] = connection.execute("PRAGMA freelist_count").fetchall()
    if free_pages <= FREE_PAGES or not can_give_back(connection):
        return False
    # one page is moved for each row, which has no columns: only executescript asks for all of them
    connection.executescript(f"PRAGMA incremental_vacuum({min(STEP_PAGES, free_pages - FREE_PAGES)})")
    return True
