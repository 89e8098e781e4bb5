"""A lock on a database. Servers share it; whoever restores a backup or migrates the tables holds it exclusively.

It is a lock on the folder of an SQLite database (flock(2)), so that no lock file is needed; databases in one folder share it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from app.classroom.store.engine import file_of


class DatabaseInUse(Exception):
    """Another process has locked the database; the message says what to do."""


@contextmanager
def hold_database(url: str, *, alone: bool) -> Iterator[None]:
    """Lock the database in this context, exclusively if `alone` is set. Does nothing for PostgreSQL, which has locks of its own.

    Raises DatabaseInUse, and OSError for an unusable folder.
    """
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
