"""Notices between web processes: rows of the table `outbox`. A process that has missed an announcement can still read them.

A notice is written in the transaction of its change. After the commit, PostgreSQL announces it to all web processes (NOTIFY), which read
the table; on SQLite, the only web process reads the table itself. A process that has lost its connection reads the table as soon as it is
connected again.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

import structlog
from sqlalchemy import Connection, Row, delete, func, insert, select

from app.classroom.store.database import Database
from app.classroom.store.engine import is_postgres
from app.classroom.store.faults.store_faults import StoreFault
from app.classroom.store.schema.tables import OutboxRow
from app.classroom.store.times import DAY_MS, now_ms
from app.classroom.store.waiting_change import NOTICED

if TYPE_CHECKING:
    from app.classroom.store.postgres.postgres_session import PostgresSession

CHANNEL = "gradroom_outbox"
OVERLAP = 1000  # ids of transactions that may be committed later than those with higher ids

log = structlog.get_logger()


def hash_name(learner: str) -> str:
    """Return the SHA-256 hash of a learner's name. Notices contain only this hash."""
    return sha256(learner.encode()).hexdigest()


def write_notice(connection: Connection, kind: str, body: str) -> None:
    """Write a notice that all web processes get after the transaction is committed."""
    connection.execute(insert(OutboxRow), {"at_ms": now_ms(), "kind": kind, "body": body})
    connection.info[NOTICED] = True
    if is_postgres(connection):
        connection.execute(select(func.pg_notify(CHANNEL, "")))


def read_notices(connection: Connection, after_id: int) -> Sequence[Row[int, str, str]]:
    """Return id, kind and body of the notices after an id."""
    return connection.execute(
        select(OutboxRow.id, OutboxRow.kind, OutboxRow.body).where(OutboxRow.id > after_id).order_by(OutboxRow.id)
    ).all()


def prune_notices(connection: Connection, now_ms: int) -> None:
    """Delete notices that are older than a day. The last one stays, because SQLite gives the id of a deleted last row to the next row."""
    last = select(func.max(OutboxRow.id)).scalar_subquery()
    connection.execute(delete(OutboxRow).where(OutboxRow.at_ms < now_ms - DAY_MS, OutboxRow.id < last))


class Notices:
    """Passes the notices that were written since `open` to subscribers in this process, each once. This includes the process's own notices.

    `session` is the connection that listens to PostgreSQL, or None for SQLite.
    """

    def __init__(self, database: Database, session: "PostgresSession | None" = None) -> None:
        self._database, self._session = database, session
        self._subscribers: dict[str, Callable[[str], None]] = {}
        self._last_id: int | None = None
        self._read: set[int] = set()  # ids above `_last_id` - OVERLAP
        self._reading = asyncio.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._look_waits = False  # a look waits until the one before it has ended
        self._looks: set[asyncio.Task[None]] = set()
        database.on_notice(self.look_soon)
        if session:
            session.listen(CHANNEL, lambda _: self.look_soon())

    def subscribe(self, kind: str, subscriber: Callable[[str], None]) -> None:
        """Call `subscriber` in the event loop with the body of each notice of a kind."""
        self._subscribers[kind] = subscriber

    async def open(self) -> None:
        """Begin now. Earlier notices are not passed on. If the store cannot be read now, begin as soon as it can be."""
        self._loop = asyncio.get_running_loop()
        if self._session:
            self._session.open()
        await self._look()

    async def close(self) -> None:
        self._loop = None
        if self._session:
            await self._session.close()
        for look in self._looks:
            look.cancel()

    def look_soon(self) -> None:
        """Look for new notices. Any thread may call this."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has just been closed
                self._loop.call_soon_threadsafe(self._start_look)

    def _start_look(self) -> None:
        if self._look_waits:
            return  # that look will find the same notices
        self._look_waits = True
        look = asyncio.create_task(self._look())
        self._looks.add(look)
        look.add_done_callback(self._looks.discard)

    async def _look(self) -> None:
        async with self._reading:
            self._look_waits = False
            begins = self._last_id is None
            try:
                found = await self._database.read(read_notices, max(0, (self._last_id or 0) - OVERLAP))
            except StoreFault:
                return  # the store has logged it, and a new connection causes another look
            new = [row for row in found if row.id not in self._read]
            self._last_id = max((row.id for row in found), default=self._last_id or 0)
            self._read = {row.id for row in found if row.id > self._last_id - OVERLAP}
        for row in () if begins else new:
            self._give(row.kind, row.body)

    def _give(self, kind: str, body: str) -> None:
        try:
            if kind in self._subscribers:
                self._subscribers[kind](body)
        except Exception:
            log.exception("notice_failed", kind=kind)
