"""Counts how many bytes the statements of a transaction write into PostgreSQL: texts and bytes of the rows, and a constant for each row."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.interfaces import DBAPICursor, ExecutionContext

ROW_BYTES = 250  # of a row's header, its numbers and its entries in indexes
WRITTEN = "written_bytes"  # in the connection's `info`


def count_written(engine: Engine) -> None:
    """Count the bytes that are written through `engine`, for each connection."""

    @event.listens_for(engine, "before_cursor_execute")
    def count(
        connection: Connection, _: DBAPICursor, __: str, parameters: Any, context: ExecutionContext | None, executemany: bool
    ) -> None:
        if context is not None and (context.isinsert or context.isupdate):
            rows = parameters if executemany else [parameters]
            connection.info[WRITTEN] = read_written(connection) + sum(map(measure_row, rows))


def measure_row(row: Any) -> int:
    values: Iterable[object] = row.values() if isinstance(row, dict) else row
    return ROW_BYTES + sum(map(measure_value, values))


def measure_value(value: object) -> int:
    value = getattr(value, "obj", value)  # psycopg's wrapper of bytes
    if isinstance(value, str):
        return len(value.encode(errors="replace"))
    return len(value) if isinstance(value, bytes) else 0


def begin_counting(connection: Connection) -> None:
    """Set the count to 0 for a new transaction."""
    connection.info[WRITTEN] = 0


def read_written(connection: Connection) -> int:
    """Return how many bytes the connection has written since `begin_counting`."""
    return int(connection.info.get(WRITTEN, 0))
