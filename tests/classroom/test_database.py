"""The store's threads: group commits, one bad change among good ones, and what a fault is called."""

import asyncio
import sqlite3
import stat
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, insert, select

from app.classroom import database as database_module
from app.classroom.database import Database
from app.classroom.store_faults import StoreBroken, StoreFault, StoreLocked, StoreReadOnly, StoreTooNew
from app.classroom.tables import LearnerRow

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "classroom.sqlite3"


def add(name: str, connection: Connection) -> str:
    connection.execute(insert(LearnerRow).values(name=name, made_ms=1, seen_ms=1))
    if name == "bad":
        raise ValueError(name)
    return name


def count(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(LearnerRow)).scalar_one()


async def test_a_missing_database_is_made_for_its_owner_alone(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    assert await database.read(count) == 0
    await database.close()
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


async def test_changes_that_come_together_are_undone_one_by_one(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    names = ["a", "b", "bad", "a", "c"]  # the second "a" breaks a constraint of the table
    results = await asyncio.gather(*(database.write(partial(add, name)) for name in names), return_exceptions=True)
    assert [type(one).__name__ if isinstance(one, Exception) else one for one in results] == ["a", "b", "ValueError", "IntegrityError", "c"]
    assert await database.read(count) == 3
    await database.close()


async def test_what_is_written_is_there_for_another_process(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    await database.write(lambda connection: add("a", connection))
    assert sqlite3.connect(file).execute("select name from learner").fetchall() == [("a",)]
    await database.close()


async def fault_of(database: Database) -> StoreFault:
    with pytest.raises(StoreFault) as raised:
        await database.write(lambda connection: add("a", connection))
    await database.close()
    return raised.value


async def test_a_broken_file_is_named(file: Path) -> None:
    file.parent.mkdir()
    file.write_bytes(b"no database" * 1000)
    assert isinstance(await fault_of(Database(f"sqlite:///{file}")), StoreBroken)


async def test_a_locked_database_is_named_and_used_again_when_it_is_free(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "WRITE_PATIENCE_SECONDS", 0.05)
    database = Database(f"sqlite:///{file}")
    await database.write(lambda connection: add("a", connection))
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreLocked):
        await database.write(lambda connection: add("b", connection))
    assert await database.read(count) == 1
    other.execute("ROLLBACK")
    other.close()
    assert await database.write(lambda connection: add("c", connection)) == "c"
    await database.close()


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    assert (await fault_of(Database(f"sqlite:///{tmp_path}/state/classroom.sqlite3"))).reason in (StoreReadOnly.reason, "unreachable")


async def test_a_later_version_is_refused(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    assert await database.read(count) == 0
    await database.close()
    with sqlite3.connect(file) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    connection.close()
    assert isinstance(await fault_of(Database(f"sqlite:///{file}")), StoreTooNew)
