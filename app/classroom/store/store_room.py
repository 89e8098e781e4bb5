"""How much the database may hold. At its limit nothing more is added; operators are told when that begins and when it ends."""

import shutil
from pathlib import Path

import structlog
from sqlalchemy import Connection

from app.classroom.store.engine import LOG_BYTES, file_of, log_of
from app.classroom.store.store_faults import StoreAtLimit

REOPENS = 0.95  # of a limit: not before less than that is used, more is added again. Else the log would tell of each change

log = structlog.get_logger()


def share_of_disk(url: str) -> int | None:
    """Half of what an SQLite database has and could still get on its file system, in bytes; None for any other database, and where that
    cannot be known."""
    file = file_of(url)
    if file is None:
        return None
    try:
        folder = next(folder for folder in file.absolute().parents if folder.exists())
        return (shutil.disk_usage(folder).free + size_of_file(file) + size_of_file(log_of(file))) // 2
    except OSError:
        return None  # whoever uses the database meets it again


def size_of_file(file: Path) -> int:
    """Bytes; 0 if it is missing."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


class StoreRoom:
    """Bytes that one database uses, and its limit (None: none). Only SQLite's are measured; any other database counts as empty.

    Its methods are for the thread that writes; any thread may read the attributes.
    """

    def __init__(self, file: Path | None, limit_bytes: int | None = None) -> None:
        self._log = log_of(file) if file else None
        self.limit_bytes, self.used_bytes, self.at_limit = limit_bytes, 0, False

    def admit(self, connection: Connection, added_bytes: int = 0) -> int:
        """Bytes in use. Raises StoreAtLimit if nothing more, or not so much more, may be added."""
        used_bytes = self.measure(connection)
        self.record(used_bytes)
        if self.at_limit or (self.limit_bytes is not None and used_bytes + added_bytes > self.limit_bytes):
            raise StoreAtLimit(f"{used_bytes} of {self.limit_bytes} bytes are used")
        return used_bytes

    def measure(self, connection: Connection) -> int:
        """Bytes in use: pages that are not free, with those of this transaction, and of the log what exceeds LOG_BYTES."""
        if self._log is None:
            return 0
        pages = read_pragma(connection, "page_count") - read_pragma(connection, "freelist_count")
        return pages * read_pragma(connection, "page_size") + max(0, size_of_file(self._log) - LOG_BYTES)

    def record(self, used_bytes: int) -> None:
        """Notices when the limit is reached, and when there is room again; each is logged once."""
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
    """A number of SQLite's. Its driver is asked directly, which takes a tenth of the time."""
    driver = connection.connection.driver_connection
    assert driver is not None
    [(value,)] = driver.execute(f"PRAGMA {name}").fetchall()
    return int(value)
