"""The limit on the size of a PostgreSQL database, which all its web processes observe. Its size is queried every few seconds."""

import threading
import time

from sqlalchemy import Connection, func, select

from app.classroom.store.postgres.written_bytes import read_written
from app.classroom.store.store_room import StoreRoom

ASKED_SECONDS = 5.0


class PostgresRoom(StoreRoom):
    """The bytes that the database and its indexes use on the server's disk, and those that this process has written since the last query.

    Deleted rows count until PostgreSQL gives their space back to the disk. Any thread may call the methods.
    """

    def __init__(self, limit_bytes: int | None = None) -> None:
        super().__init__(None, limit_bytes)
        self._lock = threading.Lock()
        self._asked = float("-inf")  # when, by time.monotonic
        self._base_bytes = 0

    def admit(self, connection: Connection, added_bytes: int = 0) -> int:
        """Return what `measure` returns. Raises StoreAtLimit if the limit is reached, or if `added_bytes` more would exceed it."""
        with self._lock:
            if time.monotonic() - self._asked > ASKED_SECONDS:
                self._base_bytes = connection.execute(select(func.pg_database_size(func.current_database()))).scalar_one()
                self._asked = time.monotonic()
        written_bytes = self.measure(connection)
        self._compare(self._base_bytes + written_bytes, added_bytes)
        return written_bytes

    def measure(self, connection: Connection) -> int:
        """Return how many bytes the current transaction has written."""
        return read_written(connection)

    def committed(self, written_bytes: int) -> None:
        """Add the bytes that a transaction has written."""
        with self._lock:
            self._base_bytes += written_bytes

    def record(self, used_bytes: int) -> None:
        with self._lock:
            super().record(used_bytes)
