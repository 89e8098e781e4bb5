"""One permanent connection of a web process to PostgreSQL, which listens to announcements and has advisory locks.

An advisory lock of a session ends with the process or the connection. If the connection is lost, another one is opened.
Announcements and locks do not work through a connection pooler that gives each transaction to another server process.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any, LiteralString

import psycopg
import structlog
from psycopg import sql
from sqlalchemy.engine import URL

from app.classroom.store.engine import CONNECT_SECONDS, GONE_SECONDS, KEEPALIVES

ANSWER_SECONDS = 3.0
PAUSE_SECONDS = 0.2  # before a lost connection is opened again; twice as long each time
LONGEST_PAUSE_SECONDS = 2.0
OPTIONS: dict[str, Any] = {
    "connect_timeout": CONNECT_SECONDS,
    "tcp_user_timeout": GONE_SECONDS * 1000,
    "client_encoding": "utf8",
    "application_name": "gradroom session",
    **KEEPALIVES,
}

log = structlog.get_logger()


class SessionLost(Exception):
    """There is no connection at the moment, or it was lost before the answer."""


class SessionLock:
    """An advisory lock. It ends with its connection."""

    def __init__(self, key: int, connection: psycopg.AsyncConnection[Any]) -> None:
        self.key, self.connection = key, connection


class PostgresSession:
    """The connection. `url` names the database. Only the event loop calls the methods."""

    def __init__(self, url: URL) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._heard: dict[str, Callable[[str], None]] = {}
        self._lost = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None
        self._unlocking: set[asyncio.Task[Any]] = set()

    def listen(self, channel: str, heard: Callable[[str], None]) -> None:
        """Call `heard` with each announcement on a channel, and with "" whenever there is a new connection. Call this before `open`."""
        self._heard[channel] = heard

    def open(self) -> None:
        """Connect in the background, and connect again whenever the connection is lost."""
        self._keeping = asyncio.create_task(self._keep_open())

    async def close(self) -> None:
        if self._keeping:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)

    async def try_lock(self, key: int) -> SessionLock | None:
        """Acquire an advisory lock, or return None if another session has it. Raises SessionLost.

        The caller must not have this lock already. If the caller is cancelled, the lock is released again.
        """
        connection = self._connection
        asking = asyncio.create_task(self._ask(connection, "SELECT pg_try_advisory_lock(%s)", key))
        try:
            locked = await asyncio.shield(asking)
        except asyncio.CancelledError:
            asking.add_done_callback(lambda done: self._unlock_abandoned(done, key, connection))
            raise
        return SessionLock(key, connection) if connection and locked else None

    def unlock(self, lock: SessionLock, channel: str) -> None:
        """Release a lock, and announce its key on a channel, in the background."""
        task = asyncio.create_task(self._unlock(lock, channel))
        self._unlocking.add(task)
        task.add_done_callback(self._unlocking.discard)

    async def _unlock(self, lock: SessionLock, channel: str) -> None:
        with suppress(SessionLost):  # the lock ended with its connection
            statement: LiteralString = "SELECT pg_advisory_unlock(%s), pg_notify(%s, %s)"
            await self._ask(lock.connection, statement, lock.key, channel, str(lock.key))

    def _unlock_abandoned(self, done: "asyncio.Task[Any]", key: int, connection: psycopg.AsyncConnection[Any] | None) -> None:
        if not done.cancelled() and done.exception() is None and done.result() and connection:
            self.unlock(SessionLock(key, connection), next(iter(self._heard)))

    async def _ask(self, connection: psycopg.AsyncConnection[Any] | None, statement: LiteralString, *values: object) -> Any:
        """Return the first column of the answer. If it takes too long, close the connection, which ends its locks. Raises SessionLost."""
        if connection is None or connection is not self._connection:
            raise SessionLost
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                row = await (await connection.execute(statement, values)).fetchone()
        except (psycopg.Error, OSError, TimeoutError) as error:
            await self._give_up(connection)
            raise SessionLost from error
        return row[0] if row else None

    async def _give_up(self, connection: psycopg.AsyncConnection[Any]) -> None:
        if connection is self._connection:
            self._connection = None
            self._lost.set()
        with suppress(psycopg.Error, OSError):
            await connection.close()

    async def _keep_open(self) -> None:
        pause_seconds = PAUSE_SECONDS
        while True:
            try:
                await self._listen_until_lost()
                pause_seconds = PAUSE_SECONDS
            except (psycopg.Error, OSError) as error:
                log.debug("session_failed", error=str(error))  # changes and reads fail at the same time, and the store logs that
            await asyncio.sleep(pause_seconds)
            pause_seconds = min(2 * pause_seconds, LONGEST_PAUSE_SECONDS)

    async def _listen_until_lost(self) -> None:
        connection = await psycopg.AsyncConnection.connect(self._address, autocommit=True, **OPTIONS)
        loop = asyncio.get_running_loop()
        self._lost.clear()
        connection.add_notify_handler(lambda notify: self._hear(notify.channel, notify.payload))
        # psycopg watches the descriptor during a command, so between commands another descriptor is watched
        watched = os.dup(connection.fileno())
        try:
            for channel in self._heard:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            self._connection = connection
            loop.add_reader(watched, self._read, connection)
            for heard in self._heard.values():
                heard("")
            await self._lost.wait()
        finally:
            loop.remove_reader(watched)
            os.close(watched)
            await self._give_up(connection)

    def _read(self, connection: psycopg.AsyncConnection[Any]) -> None:
        """Read announcements that arrive between commands. During a command, psycopg reads them and calls the same handler."""
        if connection.lock.locked():
            return
        try:
            connection.pgconn.consume_input()
            while notify := connection.pgconn.notifies():
                self._hear(notify.relname.decode(), notify.extra.decode())
        except psycopg.Error:  # the server has ended the connection, or `_give_up` has closed it
            self._lost.set()

    def _hear(self, channel: str, payload: str) -> None:
        self._heard[channel](payload)
