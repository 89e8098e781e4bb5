"""A lock on a database: servers share it; who restores a backup or changes the tables has it alone.

The lock is on the folder of an SQLite database (flock(2)), so that no file has to be made for it; databases of one folder share it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from app.classroom.store.engine import file_of


class DatabaseInUse(Exception):
    """Somebody else has the database; the message says what to do."""


@contextmanager
def hold_database(url: str, *, alone: bool) -> Iterator[None]:
    """Holds the lock meanwhile. Raises DatabaseInUse, and OSError for a folder that cannot be used. PostgreSQL has locks of its own."""
    file = file_of(url)
    if file is None:
        yield
        return
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(folder, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            who = (
                "a server uses it: stop that first"
                if alone
                else "a backup is being restored, or its tables are being changed: wait for that"
            )
            raise DatabaseInUse(f"The database {file} cannot be used now: {who}.") from None
        yield
    finally:
        os.close(folder)
