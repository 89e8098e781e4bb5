"""Faults of a PostgreSQL server, caused on a real one: the name of each, and that the next use afterwards succeeds."""

import os
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from app.classroom.store import engine as engine_module
from app.classroom.store.database import Database
from app.classroom.store.faults.store_faults import (
    StoreBroken,
    StoreCrowded,
    StoreFault,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreUnreachable,
)
from app.classroom.store.postgres import postgres_writer
from tests.classroom.store_rows import add_learner, count_learners
from tests.postgresql import PostgresServer

pytestmark = pytest.mark.anyio


@pytest.fixture
def url(postgres_server: PostgresServer) -> Iterator[str]:
    made = postgres_server.make_database()
    yield made
    postgres_server.drop_database(made)


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    """A database with one learner."""
    made = Database(url)
    await made.write(add_learner("first"))
    yield made
    await made.close()


def end_connections(server: PostgresServer, database: Database) -> None:
    server.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database.url.database}'")


async def expect_fault(database: Database, fault: type[StoreFault], match: str | None = None) -> None:
    with pytest.raises(fault, match=match) as raised:
        await database.write(add_learner("refused"))
    assert type(raised.value) is fault
    assert database.health.fault == fault.reason


async def expect_works(database: Database, learners: int) -> None:
    await database.write(add_learner("later"))
    assert await database.read(count_learners) == learners
    assert database.health.fault is None


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
async def test_a_server_that_is_gone_is_used_again_once_it_is_back(
    database: Database, postgres_server: PostgresServer, how: signal.Signals
) -> None:
    postgres_server.stop(how)
    try:
        await expect_fault(database, StoreUnreachable)
        with pytest.raises(StoreUnreachable):
            await database.read(count_learners)
    finally:
        postgres_server.start()
    await expect_works(database, 2)


async def test_a_restart_that_nobody_noticed_fails_nobody(database: Database, postgres_server: PostgresServer) -> None:
    await database.read(count_learners)
    postgres_server.stop()
    postgres_server.start()
    assert await database.read(count_learners) == 1
    await expect_works(database, 2)
    assert not database.health.faults


async def test_a_database_that_may_not_be_written_can_be_read(database: Database, postgres_server: PostgresServer) -> None:
    postgres_server.execute(f"ALTER DATABASE {database.url.database} SET default_transaction_read_only = on")
    end_connections(postgres_server, database)
    await expect_fault(database, StoreReadOnly)
    assert await database.read(count_learners) == 1
    postgres_server.execute(f"ALTER DATABASE {database.url.database} RESET ALL")
    end_connections(postgres_server, database)
    await expect_works(database, 2)


async def test_tables_that_may_not_be_written_are_named_so_too(database: Database, postgres_server: PostgresServer) -> None:
    name = str(database.url.database)
    postgres_server.execute("ALTER TABLE learner OWNER TO postgres; GRANT SELECT ON learner TO gradroom", name)
    await expect_fault(database, StoreReadOnly)
    assert await database.read(count_learners) == 1
    postgres_server.execute("ALTER TABLE learner OWNER TO gradroom", name)
    await expect_works(database, 2)


async def test_a_server_without_a_free_connection(database: Database, postgres_server: PostgresServer) -> None:
    postgres_server.execute(f"ALTER DATABASE {database.url.database} CONNECTION LIMIT 0")
    end_connections(postgres_server, database)
    await expect_fault(database, StoreCrowded)
    postgres_server.execute(f"ALTER DATABASE {database.url.database} CONNECTION LIMIT -1")
    await expect_works(database, 2)


async def test_a_table_that_is_locked(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "WRITE_PATIENCE_SECONDS", 0.02)
    monkeypatch.setattr(postgres_writer, "MOST_TRIES", 2)
    database, other = Database(url), engine_module.make_engine(url, writes=True)
    await database.write(add_learner("first"))
    with other.begin() as connection:
        connection.execute(text("LOCK TABLE learner IN SHARE MODE"))
        await expect_fault(database, StoreLocked)
        assert await database.read(count_learners) == 1
    await expect_works(database, 2)
    await database.close()
    other.dispose()


async def test_a_table_that_is_missing(database: Database, postgres_server: PostgresServer) -> None:
    name = str(database.url.database)
    postgres_server.execute("ALTER TABLE learner RENAME TO elsewhere", name)
    await expect_fault(database, StoreBroken)
    postgres_server.execute("ALTER TABLE elsewhere RENAME TO learner", name)
    await expect_works(database, 2)


async def test_a_statement_that_takes_too_long_is_ended(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "READ_SECONDS", 0.02)
    database = Database(url)
    database.open()

    def sleep(connection: Connection) -> None:
        connection.execute(text("SELECT pg_sleep(60)"))

    with pytest.raises(StoreLocked):
        await database.read(sleep)
    await expect_works(database, 1)
    await database.close()


@pytest.fixture
def small_disk(tmp_path: Path, postgres_server: PostgresServer) -> Iterator[Path]:
    """A disk of its own for a database, if this is root and may mount one."""
    folder = postgres_server.folder / "small"
    folder.mkdir()
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m,mode=777", "none", folder], check=False).returncode:
        folder.rmdir()
        pytest.skip("no disk could be mounted")
    (folder / "space").mkdir()
    postgres_server.give(folder / "space")
    postgres_server.execute(f"CREATE TABLESPACE small LOCATION '{folder / 'space'}'")
    yield folder
    postgres_server.execute("DROP TABLESPACE small")
    subprocess.run(["umount", "--lazy", folder], check=True)
    folder.rmdir()


async def test_a_full_disk(small_disk: Path, postgres_server: PostgresServer) -> None:
    url = postgres_server.make_database(options="TABLESPACE small")
    database = Database(url)
    await database.write(add_learner("first"))
    filler = small_disk / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(b"x" * 4096):
            pass
    with pytest.raises(StoreFull):
        await database.write(add_learner("large", text="\n".join(map(str, range(300_000)))))
    assert await database.read(count_learners) == 1
    filler.unlink()
    await expect_works(database, 2)
    await database.close()
    postgres_server.drop_database(url)


async def test_a_scrub_does_not_ask_the_server() -> None:
    database = Database("postgresql://ada@localhost:1/none")
    database.scrub().result(0)
    await database.close()
    assert not database.health.faults


async def test_a_database_that_cannot_store_every_text_is_refused(postgres_server: PostgresServer) -> None:
    url = postgres_server.make_database("template0", "ENCODING 'LATIN1' LOCALE 'C'")
    database = Database(url)
    await expect_fault(database, StoreUnreachable, "LATIN1.*ENCODING 'UTF8'")
    await database.close()
    postgres_server.drop_database(url)


async def test_a_database_that_is_not_there_is_named_without_what_is_secret(postgres_server: PostgresServer) -> None:
    url = postgres_server.url_of("nowhere").replace("gradroom@", "gradroom:secret-password@")
    database = Database(url)
    with pytest.raises(StoreUnreachable, match='"nowhere" does not exist') as raised:
        await database.write(add_learner("refused"))
    assert "secret-password" not in f"{raised.value} {raised.value.__cause__!r}"
    await database.close()
