"""A lock on a database. Servers share it; a command that restores a backup or migrates the tables locks exclusively.

The lock is on the folder of an SQLite database (flock(2)), so that no lock file is needed. Databases in one folder share it.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from app.classroom.store.engine import file_of

PAUSE_SECONDS = 0.05
SHARED = 5  # if the lock is found shared so often in succession, servers have it


class DatabaseInUse(Exception):
    """Another process has locked the database; the message says what to do."""


@contextmanager
def hold_database(url: str, *, alone: bool, patience_seconds: float = 0.0) -> Iterator[None]:
    """Lock the database in this context, exclusively if `alone` is set. Does nothing for PostgreSQL, which has locks of its own.

    While another process has locked it exclusively, this waits for at most `patience_seconds`. Raises DatabaseInUse, and OSError for an
    unusable folder.
    """
    file = file_of(url)
    if file is None:
        yield
        return
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if not lock(folder, alone, patience_seconds):
            who = (
                "a server uses it: stop that first"
                if alone
                else "a backup is being restored, or its tables are being changed: wait for that"
            )
            raise DatabaseInUse(f"The database {file} cannot be used now: {who}.")
        yield
    finally:
        os.close(folder)


def lock(folder: int, alone: bool, patience_seconds: float) -> bool:
    """Lock an open folder, and return whether that succeeded. Waits only for a process with the exclusive lock, not for servers."""
    kind = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
    end = time.monotonic() + patience_seconds
    shared = 0  # how often in succession the lock was shared; a process that waits here also shares it for a moment
    while not try_lock(folder, kind):
        if time.monotonic() >= end or shared == SHARED:
            return False
        if try_lock(folder, fcntl.LOCK_SH):
            fcntl.flock(folder, fcntl.LOCK_UN)
            shared += 1
        else:
            shared = 0
        time.sleep(PAUSE_SECONDS)
    return True


def try_lock(folder: int, kind: int) -> bool:
    try:
        fcntl.flock(folder, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
