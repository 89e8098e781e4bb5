"""The engines of one database. The first use opens it, and so does the first use after a fault, so that no restart is needed."""

import os
import threading
import time

import structlog

from app.classroom.store.engine import file_of, log_of, make_engine, name_database, parse_url
from app.classroom.store.faults.store_faults import StoreFault, StoreReadOnly, StoreUnreachable, name_fault
from app.classroom.store.faults.store_health import StoreHealth
from app.classroom.store.schema import schema

READERS = 2  # threads
POSTGRES_READERS = 4  # they wait for the network and for other processes, too
POSTGRES_WRITERS = 4
SLOW_SECONDS = 0.5
PAUSE_SECONDS = 1.0  # after a slow attempt to open the database, in which nobody tries again
FileIdentity = list[tuple[int, int]] | None  # device and inode of each file

log = structlog.get_logger()


class StoreEngines:
    """The engines `reader`, `writer` and `apart`. `health` counts their faults. Any thread may call the methods.

    On PostgreSQL, `apart` is for small changes that a thread makes while it makes another one. `files` are an SQLite database and its
    write-ahead log; for PostgreSQL, the list is empty.
    """

    def __init__(self, url: str) -> None:
        self.url = parse_url(url)
        self.health = StoreHealth()
        file = file_of(self.url)
        self.files = [file, log_of(file)] if file else []
        self.is_postgres = self.url.get_backend_name() == "postgresql"
        self.readers = POSTGRES_READERS if self.is_postgres else READERS
        self.reader = make_engine(self.url, writes=False, connections=self.readers)
        self.writer = make_engine(self.url, writes=True, connections=POSTGRES_WRITERS)
        self.apart = make_engine(self.url, writes=True)
        self._opening = threading.Lock()
        self._opened: FileIdentity = None
        self._failed: tuple[StoreFault, float] | None = None  # the fault of a slow attempt to open it, and until when it is raised again

    def open(self) -> FileIdentity:
        """Open the database if it is not open, or if its files were replaced. What is written to a replaced file would be lost.

        Raises StoreFault, SQLAlchemyError and OSError.
        """
        with self._opening:
            if self._opened is None or self._opened != self.identify():
                self._reopen()
            return self._opened

    def _reopen(self) -> None:
        began = time.monotonic()
        if self._failed and began < self._failed[1]:
            raise self._failed[0]
        if self.files:
            self.dispose()
        try:
            made = schema.prepare(self.writer, self.reader)
        except Exception as error:
            now = time.monotonic()
            self._failed = (self.name_fault(error), now + PAUSE_SECONDS) if now - began > SLOW_SECONDS else None
            raise
        self._failed = None
        if made:
            log.info("store_made", database=name_database(self.url))
        self._opened = self.identify()

    def identify(self) -> FileIdentity:
        """Return device and inode of the database and of its write-ahead log, or None if one of these files is missing."""
        try:
            return [(status.st_dev, status.st_ino) for status in map(os.stat, self.files)]
        except FileNotFoundError:
            return None

    def record_fault(self, error: Exception) -> StoreFault:
        """Count and log a fault and return it. The next use opens the database anew."""
        with self._opening:
            self._opened = None
        return self.health.failed(self.name_fault(error), error)

    def name_fault(self, error: Exception) -> StoreFault:
        """Return the StoreFault for an error."""
        fault = name_fault(error)
        if isinstance(fault, StoreUnreachable) and self.files and not os.access(self.files[0].parent, os.W_OK):
            return StoreReadOnly(f"{fault}: nothing can be made in its folder")
        return fault

    def dispose(self) -> None:
        """Close the connections that are not in use."""
        self.reader.dispose()
        self.writer.dispose()
        self.apart.dispose()
