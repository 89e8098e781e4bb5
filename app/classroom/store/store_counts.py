"""Counts what is stored, at most once a minute, for the metrics."""

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress

import msgspec
from sqlalchemy import Connection, func, select

from app.classroom.store.database import Database
from app.classroom.store.engine import file_of, is_postgres, log_of
from app.classroom.store.faults.store_faults import StoreFault
from app.classroom.store.schema.class_tables import MemberRow, SchoolClassRow
from app.classroom.store.schema.tables import AttemptRow, DraftRow, LearnerRow, StoreTable
from app.classroom.store.store_room import size_of_file

FRESH_SECONDS = 60.0
PATIENCE_SECONDS = 0.5
COUNTED: Mapping[str, type[StoreTable]] = {
    "learners": LearnerRow, "attempts": AttemptRow, "drafts": DraftRow, "classes": SchoolClassRow, "members": MemberRow,
}  # fmt: skip


class StoreFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of rows, and sizes in bytes: of the database, and of SQLite's write-ahead log."""

    learners: int
    attempts: int
    drafts: int
    classes: int
    members: int
    database_bytes: int
    log_bytes: int


class StoreCounts:
    """The counts of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._figures: StoreFigures | None = None
        self._counted = float("-inf")  # when, by time.monotonic
        self._counting: asyncio.Task[None] | None = None

    async def read(self) -> StoreFigures | None:
        """Return counts that are at most a minute old, or older ones if counting takes long. Return None if the store cannot be read."""
        if time.monotonic() - self._counted > FRESH_SECONDS:
            if self._counting is None or self._counting.done():
                self._counting = asyncio.create_task(self._count())
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await asyncio.shield(self._counting)
        return self._figures

    async def _count(self) -> None:
        try:
            self._figures = await self._database.read(self._look)
        except StoreFault:
            self._figures = None
        else:
            self._counted = time.monotonic()

    def _look(self, connection: Connection) -> StoreFigures:
        counts = [select(func.count()).select_from(table).scalar_subquery().label(name) for name, table in COUNTED.items()]
        rows = connection.execute(select(*counts)).one()._asdict()
        if is_postgres(connection):
            size = connection.execute(select(func.pg_database_size(func.current_database()))).scalar_one()
            return StoreFigures(**rows, database_bytes=size, log_bytes=0)
        file = file_of(self._database.url)
        database_bytes, log_bytes = (size_of_file(file), size_of_file(log_of(file))) if file else (0, 0)
        return StoreFigures(**rows, database_bytes=database_bytes, log_bytes=log_bytes)
