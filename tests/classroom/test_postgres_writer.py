"""Changes in PostgreSQL: each in a transaction of its own, repeated where others are in the way, never falsely reported as made."""

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, select, text, update
from sqlalchemy.exc import IntegrityError

from app.classroom.store.database import Database
from app.classroom.store.engine import parse_url
from app.classroom.store.faults.store_faults import StoreLocked, StoreUnreachable
from app.classroom.store.learner_lock import lock_learner
from app.classroom.store.postgres import postgres_writer
from app.classroom.store.postgres.written_bytes import ROW_BYTES, read_written
from app.classroom.store.schema.tables import LearnerRow
from app.classroom.work import learners
from app.setting_groups import database_address
from app.setting_groups.database_address import DatabaseUrlError
from tests.classroom.store_rows import add_learner, count_learners
from tests.postgresql import ONLY_POSTGRES, PostgresServer

pytestmark = [pytest.mark.anyio, ONLY_POSTGRES]
PATIENCE = 60


@pytest.fixture
async def other(database_url: str) -> AsyncIterator[Database]:
    """The same database, as another web process opens it."""
    made = Database(database_url)
    yield made
    await made.close()


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    made = Database(database_url)
    yield made
    await made.close()


def add_to_bytes(learner: str, locked: bool) -> Any:
    """Return a change that reads and then writes."""

    def change(connection: Connection) -> None:
        if locked:
            lock_learner(connection, learner)
        found = connection.execute(select(LearnerRow.bytes).where(LearnerRow.name == learner)).scalar_one()
        connection.execute(update(LearnerRow).where(LearnerRow.name == learner).values(bytes=found + 1))

    return change


async def test_changes_behind_the_learners_lock_see_each_other(database: Database, other: Database) -> None:
    await database.write(add_learner("ada"))
    await asyncio.gather(*(one.write(add_to_bytes("ada", locked=True)) for _ in range(40) for one in (database, other)))
    assert (await database.read(learners.read_holdings, "ada")).bytes == 80


async def test_a_deadlock_is_repeated_until_both_changes_are_made(database: Database, other: Database) -> None:
    for name in "ab":
        await database.write(add_learner(name))
    met = threading.Barrier(2)
    tries = []

    def cross(first: str, second: str) -> Any:
        def change(connection: Connection) -> None:
            tries.append(first)
            connection.execute(update(LearnerRow).where(LearnerRow.name == first).values(bytes=LearnerRow.bytes + 1))
            if tries.count(first) == 1:
                met.wait(PATIENCE)
            connection.execute(update(LearnerRow).where(LearnerRow.name == second).values(bytes=LearnerRow.bytes + 1))

        return change

    await asyncio.gather(database.write(cross("a", "b")), other.write(cross("b", "a")))
    assert len(tries) == 3
    for name in "ab":
        assert (await database.read(learners.read_holdings, name)).bytes == 2
    assert not database.health.faults and not other.health.faults


async def test_a_lock_that_lasts_is_a_fault_after_some_tries(database: Database, other: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_writer, "MOST_TRIES", 2)
    held, released = threading.Event(), threading.Event()

    def hold(connection: Connection) -> None:
        lock_learner(connection, "ada")
        held.set()
        assert released.wait(PATIENCE)

    holding = asyncio.create_task(other.write(hold))
    await asyncio.to_thread(held.wait, PATIENCE)
    tries = 0

    def change(connection: Connection) -> None:
        nonlocal tries
        tries += 1
        connection.execute(text("SET LOCAL lock_timeout = '20ms'"))
        lock_learner(connection, "ada")

    with pytest.raises(StoreLocked):
        await database.write(change)
    assert tries == 2
    assert await database.write(add_learner("eve")) > 0  # nobody else waits
    released.set()
    await holding
    await database.write(change)


async def test_a_change_that_fails_is_undone_alone_and_is_no_fault(database: Database) -> None:
    def fail(connection: Connection) -> None:
        add_learner("bad")(connection)
        raise ValueError

    await database.write(add_learner("ada"))
    results = await asyncio.gather(
        database.write(fail), database.write(add_learner("ada")), database.write(add_learner("eve")), return_exceptions=True
    )
    assert [type(one) for one in results] == [ValueError, IntegrityError, int]
    assert await database.read(count_learners) == 2
    assert not database.health.faults


async def test_a_change_that_ignores_an_error_is_not_reported_as_made(database: Database) -> None:
    def ignore(connection: Connection) -> None:
        add_learner("ada")(connection)
        with pytest.raises(IntegrityError):
            add_learner("ada")(connection)

    with pytest.raises(RuntimeError):
        await database.write(ignore)
    assert await database.read(count_learners) == 0


async def test_changes_with_one_key_are_made_in_order_and_others_need_not_wait(database: Database) -> None:
    made: list[int] = []
    held, released = threading.Event(), threading.Event()

    def hold(_: Connection) -> None:
        held.set()
        assert released.wait(PATIENCE)

    futures = [database.enqueue_in_order("ada", hold)]
    futures += [database.enqueue_in_order("ada", lambda _, number=number: made.append(number)) for number in range(50)]
    await asyncio.to_thread(held.wait, PATIENCE)
    await asyncio.gather(*(database.write(lambda _: None) for _ in range(10)))
    assert made == []
    futures[25].cancel()
    released.set()
    await asyncio.gather(*map(asyncio.wrap_future, futures), return_exceptions=True)
    assert made == [number for number in range(50) if number != 24]


async def test_what_is_enqueued_is_made_before_the_end(database_url: str) -> None:
    database = Database(database_url)
    futures = [database.enqueue_in_order(f"{number % 3}", add_learner(f"{number}")) for number in range(60)]
    await database.close()
    assert all(future.result(0) for future in futures)
    for refused in (database.write(count_learners), database.read(count_learners)):
        with pytest.raises(StoreUnreachable, match="ending"):
            await refused


async def test_a_connection_that_ends_during_a_change_has_changed_nothing(database: Database, postgres_server: PostgresServer) -> None:
    def end_itself(connection: Connection) -> None:
        add_learner("ada")(connection)
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    with pytest.raises(StoreUnreachable):
        await database.write(end_itself)
    assert await database.read(count_learners) == 0
    assert await database.write(add_learner("ada"))


@pytest.mark.parametrize("committed", [True, False])
async def test_if_the_connection_ends_during_the_commit_the_change_is_not_reported_as_made(
    database: Database, monkeypatch: pytest.MonkeyPatch, committed: bool
) -> None:
    """The server's answer to COMMIT is lost, whether or not it has committed. The change is not repeated either."""
    await database.write(add_learner("first"))
    calls = 0

    def change(connection: Connection) -> int:
        nonlocal calls
        calls += 1
        return add_learner("ada")(connection)

    def lose_answer(self: psycopg.Connection[Any]) -> None:
        if committed:
            with self.lock:
                self.wait(self._commit_gen())
        self.pgconn.finish()
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Connection, "commit", lose_answer)
        with pytest.raises(StoreUnreachable, match="unknown"):
            await database.write(change)
    assert calls == 1
    assert await database.read(count_learners) == 1 + committed


async def test_what_is_read_for_one_page_is_one_snapshot_and_writes_nothing(database: Database) -> None:
    read_once, written = threading.Event(), threading.Event()

    def read_twice(connection: Connection) -> tuple[int, int]:
        first = count_learners(connection)
        read_once.set()
        assert written.wait(PATIENCE)
        return first, count_learners(connection)

    reading = asyncio.create_task(database.read(read_twice))
    await asyncio.to_thread(read_once.wait, PATIENCE)
    await database.write(add_learner("ada"))
    written.set()
    assert await reading == (0, 0)
    with pytest.raises(Exception, match="read-only"):
        await database.read(add_learner("eve"))


async def test_each_connection_has_limits_and_commits_to_the_disk(database: Database, postgres_server: PostgresServer) -> None:
    names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "synchronous_commit", "client_encoding")

    def read(connection: Connection) -> list[str]:
        return [connection.execute(text(f"SHOW {name}")).scalar_one() for name in names]

    name = database.url.database
    postgres_server.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    try:
        assert await database.read(read) == ["10s", "2s", "1min", "on", "UTF8"]
        assert await database.write(read) == ["1min", "2s", "1min", "on", "UTF8"]
    finally:
        postgres_server.execute(f"ALTER DATABASE {name} RESET ALL")


async def test_the_bytes_that_a_change_writes_are_counted_and_none_of_the_change_before(database: Database) -> None:
    def write(connection: Connection) -> int:
        add_learner("ada", text="ü" * 500)(connection)
        return read_written(connection)

    def change(connection: Connection) -> int:
        connection.execute(update(LearnerRow).values(lesson="x" * 100))
        return read_written(connection)

    texts = 2 * 1000 + 1000 + 2 * 1000  # source and verdict, the answer, the draft and its version
    assert 5 * ROW_BYTES + texts < await database.write(write) < 5 * ROW_BYTES + texts + 200
    assert await database.write(change) == ROW_BYTES + 100
    assert await database.write(read_written) == 0


def test_an_url_without_a_driver_or_of_another_database_is_refused_with_words(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert str(parse_url("postgres://ada@host/name")) == "postgresql+psycopg://ada@host/name"
    for url, words in (("mysql://host/name", "mysql is not supported"), ("nonsense", "not a URL")):
        with pytest.raises(DatabaseUrlError, match=words):
            Database(url)
    monkeypatch.setattr(database_address, "find_spec", lambda name: None)
    with pytest.raises(DatabaseUrlError, match=r"gradroom\[postgresql\]"):
        Database(database_url)
