"""The limit on the size of the database, at which nothing more is added. The log says when it is reached and when there is room again."""

import shutil
from pathlib import Path

import structlog
from sqlalchemy import Connection

from app.classroom.store.engine import LOG_BYTES, file_of, log_of
from app.classroom.store.faults.store_faults import StoreAtLimit

REOPENS = 0.95  # the part of a limit below which more is admitted again; with 1 the log could have a line for each change

log = structlog.get_logger()


def share_of_disk(url: str) -> int | None:
    """Return half of the sum of an SQLite database's size and the free space of its disk.

    Return None for another database, or if the disk cannot be examined.
    """
    file = file_of(url)
    if file is None:
        return None
    try:
        folder = next(folder for folder in file.absolute().parents if folder.exists())
        return (shutil.disk_usage(folder).free + size_of_file(file) + size_of_file(log_of(file))) // 2
    except OSError:
        return None  # the next use of the database raises it


def size_of_file(file: Path) -> int:
    """Return the size of a file in bytes, 0 if it is missing."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


class StoreRoom:
    """The bytes that an SQLite database uses, and their limit, or None for no limit. A database in memory counts as empty.

    Only the writing thread calls the methods; any thread may read the attributes.
    """

    def __init__(self, file: Path | None, limit_bytes: int | None = None) -> None:
        self._log = log_of(file) if file else None
        self.limit_bytes, self.used_bytes, self.at_limit = limit_bytes, 0, False

    def admit(self, connection: Connection, added_bytes: int = 0) -> int:
        """Return what `measure` returns. Raises StoreAtLimit if the limit is reached, or if `added_bytes` more would exceed it."""
        used_bytes = self.measure(connection)
        self._compare(used_bytes, added_bytes)
        return used_bytes

    def _compare(self, used_bytes: int, added_bytes: int) -> None:
        self.record(used_bytes)
        if self.at_limit or (self.limit_bytes is not None and used_bytes + added_bytes > self.limit_bytes):
            raise StoreAtLimit(f"{used_bytes} of {self.limit_bytes} bytes are used")

    def measure(self, connection: Connection) -> int:
        """Return the bytes in use: the pages that are not free, and the part of the log that exceeds LOG_BYTES.

        Pages that the current transaction has added are included.
        """
        if self._log is None:
            return 0
        pages = read_pragma(connection, "page_count") - read_pragma(connection, "freelist_count")
        return pages * read_pragma(connection, "page_size") + max(0, size_of_file(self._log) - LOG_BYTES)

    def record(self, used_bytes: int) -> None:
        """Record the bytes in use. Logs once when the limit is reached and once when there is room again."""
        self.used_bytes = used_bytes
        if self.limit_bytes is None:
            return
        if not self.at_limit and used_bytes >= self.limit_bytes:
            self.at_limit = True
            log.error("store_at_limit", used_bytes=used_bytes, limit_bytes=self.limit_bytes)
        elif self.at_limit and used_bytes < REOPENS * self.limit_bytes:
            self.at_limit = False
            log.info("store_below_limit", used_bytes=used_bytes, limit_bytes=self.limit_bytes)


def read_pragma(connection: Connection, name: str) -> int:
    """Return the value of a numeric PRAGMA of SQLite. This uses the driver, because SQLAlchemy takes ten times as long."""
    driver = connection.connection.driver_connection
    assert driver is not None
    [(value,)] = driver.execute(f"PRAGMA {name}").fetchall()
    return int(value)
