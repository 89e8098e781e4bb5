"""What one web process tells the others, on both databases."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import Connection

from app.classroom.store.database import Database
from app.classroom.store.notices import Notices, prune_notices, read_notices, write_notice
from app.classroom.store.postgres.postgres_session import PostgresSession
from app.classroom.store.times import DAY_MS, now_ms
from tests.patience import PATIENCE_SECONDS
from tests.postgresql import ONLY_POSTGRES, PostgresServer

pytestmark = pytest.mark.anyio


class Listener:
    """A web process that writes down the notices of a kind."""

    def __init__(self, database: Database, kind: str = "said") -> None:
        self.notices = Notices(database, PostgresSession(database.url) if database.is_postgres else None)
        self.notices.subscribe(kind, self._hear)
        self.heard: list[str] = []
        self._changed = asyncio.Event()

    def _hear(self, body: str) -> None:
        self.heard.append(body)
        self._changed.set()

    async def wait(self, count: int) -> list[str]:
        """Return what was heard, once it is `count` notices."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(self.heard) < count:
                self._changed.clear()
                await self._changed.wait()
        return self.heard


@asynccontextmanager
async def listening(database: Database, *listeners: Listener) -> AsyncIterator[None]:
    for listener in listeners:
        await listener.notices.open()
    yield
    for listener in listeners:
        await listener.notices.close()
    await database.close()


async def say(database: Database, body: str, kind: str = "said") -> None:
    await database.write(write_notice, kind, body)


async def test_a_notice_is_heard_once_by_all_also_by_who_wrote_it(database: Database) -> None:
    here = Listener(database)
    others = [Listener(database), Listener(database, "something else")] if database.is_postgres else []
    async with listening(database, here, *others):
        for body in ("a", "b", "c"):
            await say(database, body)
        assert await here.wait(3) == ["a", "b", "c"]
        if others:
            assert await others[0].wait(3) == ["a", "b", "c"]
            assert others[1].heard == []


async def test_what_was_written_before_is_not_heard(database: Database) -> None:
    await database.write(write_notice, "said", "long ago")
    here = Listener(database)
    async with listening(database, here):
        await say(database, "now")
        assert await here.wait(1) == ["now"]


async def test_what_is_undone_is_not_heard(database: Database) -> None:
    def fail(connection: Connection) -> None:
        write_notice(connection, "said", "undone")
        raise LookupError

    here = Listener(database)
    async with listening(database, here):
        with pytest.raises(LookupError):
            await database.write(fail)
        await say(database, "done")
        assert await here.wait(1) == ["done"]


async def test_a_subscriber_that_fails_does_not_keep_others_from_hearing(database: Database) -> None:
    here = Listener(database)
    here.notices.subscribe("broken", lambda body: int(body))
    async with listening(database, here):
        await say(database, "x", "broken")
        await say(database, "y")
        assert await here.wait(1) == ["y"]


@ONLY_POSTGRES
async def test_what_is_written_while_the_connection_is_lost_is_heard_afterwards(
    database: Database, postgres_server: PostgresServer
) -> None:
    here = Listener(database)
    async with listening(database, here):
        await say(database, "before")
        await here.wait(1)
        for number in range(5):
            await asyncio.to_thread(end_sessions, postgres_server)
            await say(database, str(number))
        assert await here.wait(6) == ["before", "0", "1", "2", "3", "4"]


@ONLY_POSTGRES
async def test_a_transaction_that_is_committed_after_a_later_one_is_heard(database: Database) -> None:
    here = Listener(database)
    slow_has_written, go_on = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(connection: Connection) -> None:
        write_notice(connection, "said", "slow")
        loop.call_soon_threadsafe(slow_has_written.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(PATIENCE_SECONDS)

    async with listening(database, here):
        writing = asyncio.create_task(database.write(slow))
        await slow_has_written.wait()
        await say(database, "fast")
        assert await here.wait(1) == ["fast"]
        go_on.set()
        await writing
        assert await here.wait(2) == ["fast", "slow"]


async def test_notices_are_deleted_after_a_day_but_the_last_so_that_the_next_is_a_new_one(database: Database) -> None:
    here = Listener(database)
    async with listening(database, here):
        await say(database, "a")
        await say(database, "b")
        assert await here.wait(2) == ["a", "b"]
        await database.write(prune_notices, now_ms() + DAY_MS - 60_000)
        assert [row.body for row in await database.read(read_notices, 0)] == ["a", "b"]
        await database.write(prune_notices, now_ms() + DAY_MS + 60_000)
        assert [row.body for row in await database.read(read_notices, 0)] == ["b"]
        await say(database, "c")
        assert await here.wait(3) == ["a", "b", "c"]


@ONLY_POSTGRES
async def test_a_lock_is_one_sessions_until_it_ends(database: Database, postgres_server: PostgresServer) -> None:
    opened: dict[int, asyncio.Event] = {}
    sessions = [PostgresSession(database.url) for _ in range(2)]
    for number, session in enumerate(sessions):
        opened[number] = asyncio.Event()
        session.listen("test", lambda _, event=opened[number]: event.set())  # type: ignore[misc]
        session.open()
        await opened[number].wait()
    first, second = sessions
    lock = await first.try_lock(7)
    assert lock is not None
    assert await second.try_lock(7) is None
    opened[1].clear()
    first.unlock(lock, "test")
    await opened[1].wait()  # it is announced
    assert await second.try_lock(7) is not None
    assert await first.try_lock(7) is None
    await second.close()
    await eventually(lambda: first.try_lock(7))
    await first.close()
    await database.close()


async def eventually(ask: Callable[[], object]) -> None:
    """Ask until there is an answer: PostgreSQL notices the end of a connection a moment later."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not await ask():  # type: ignore[misc]
            pass


def end_sessions(server: PostgresServer) -> None:
    server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gradroom session'")
