"""The database's file and its log become smaller after deletions, while other changes are made."""

import asyncio
import sqlite3
import time
from pathlib import Path

import pytest
from sqlalchemy import Connection
from structlog.testing import capture_logs

from app.classroom.store.database import Database
from app.classroom.store.sqlite import upkeep as upkeep_module
from app.classroom.store.sqlite.upkeep import can_give_back
from tests.classroom.store_rows import add_learner, forget
from tests.postgresql import ONLY_SQLITE

pytestmark = pytest.mark.anyio
PATIENCE = 60
TEXT = "x" * 60_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "classroom.sqlite3"


def sizes(file: Path) -> int:
    return sum(one.stat().st_size for one in file.parent.iterdir() if not one.name.endswith("-shm"))


async def shrink_below(file: Path, most_bytes: int) -> None:
    end = time.monotonic() + PATIENCE
    while sizes(file) > most_bytes:
        assert time.monotonic() < end, f"{sizes(file)} bytes are still more than {most_bytes}"
        await asyncio.sleep(0.02)


@ONLY_SQLITE
async def test_the_files_shrink_after_a_deletion_and_nothing_else_is_lost(database: Database, file: Path) -> None:
    gone = await database.write(add_learner("a", text=TEXT, drafts=80))
    stays = await database.write(add_learner("b", text=TEXT, drafts=4))  # at the end of the file
    assert sizes(file) > 9 << 20
    await database.write(forget(gone))
    await shrink_below(file, 3 << 20)
    assert sizes(file) > (upkeep_module.FREE_PAGES * 4096) // 2
    rows = await database.read(lambda connection: connection.exec_driver_sql("select learner_id, source from draft").fetchall())
    assert [tuple(row) for row in rows] == [(stays, TEXT)] * 4
    assert await database.read(lambda connection: connection.exec_driver_sql("pragma integrity_check").fetchall()) == [("ok",)]
    await database.close()


@ONLY_SQLITE
async def test_they_shrink_too_while_others_write_without_a_pause(database: Database, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep_module, "RETRY_SECONDS", 0.01)
    gone = await database.write(add_learner("a", text=TEXT, drafts=80))
    going = True

    async def keep_writing(name: str) -> None:
        while going:
            await database.write(lambda _: None)

    writers = [asyncio.create_task(keep_writing(name)) for name in "bcd"]
    await database.write(forget(gone))
    await shrink_below(file, 4 << 20)
    going = False
    await asyncio.gather(*writers)
    await database.close()


@ONLY_SQLITE
async def test_little_free_room_is_left_for_the_next_changes(database: Database, file: Path) -> None:
    learner = await database.write(add_learner("a", text=TEXT, drafts=5))
    before = file.stat().st_size
    await database.write(forget(learner))
    await asyncio.wrap_future(database.scrub())
    assert file.stat().st_size >= before
    await database.close()


async def test_a_database_that_was_made_before_keeps_its_free_room_and_works(file: Path) -> None:
    with sqlite3.connect(file) as old:
        old.execute("create table before_it_could (x)")
    old.close()
    database = Database(f"sqlite:///{file}")
    gone = await database.write(add_learner("a", text=TEXT, drafts=80))
    await database.write(forget(gone))
    await asyncio.wrap_future(database.scrub())
    await database.write(add_learner("b"))
    await asyncio.sleep(0.1)
    assert file.stat().st_size > 9 << 20
    await database.close()


@ONLY_SQLITE
async def test_a_reader_who_keeps_the_log_for_long_is_told_of_once_and_so_is_its_end(
    database: Database, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep_module, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(upkeep_module, "LOGGED_AFTER_SECONDS", 0.05)
    await database.write(add_learner("a"))
    reader = sqlite3.connect(file, isolation_level=None)
    reader.execute("begin")
    reader.execute("select * from learner").fetchall()
    await database.write(add_learner("b"))
    with capture_logs() as lines:
        emptied = database.scrub()
        await asyncio.sleep(0.5)
        reader.close()
        async with asyncio.timeout(PATIENCE):
            await asyncio.wrap_future(emptied)
    assert [line["event"] for line in lines] == ["store_log_held", "store_log_emptied"]
    await database.close()


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_a_new_database_can_give_room_back(connection: Connection) -> None:
    driver = connection.connection.driver_connection
    assert driver is not None and can_give_back(driver)


@ONLY_SQLITE
async def test_after_a_fault_the_next_step_is_later_and_works_once_it_is_mended(
    database: Database, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep_module, "FAULT_SECONDS", 0.3)
    await database.write(add_learner("a"))
    original = upkeep_module.truncate_log
    failures = 0

    def fail(_: sqlite3.Connection) -> bool:
        nonlocal failures
        failures += 1
        raise sqlite3.OperationalError("as if the disk were full")

    monkeypatch.setattr(upkeep_module, "truncate_log", fail)
    emptied = database.scrub()
    await asyncio.sleep(0.2)
    assert (failures, emptied.done(), database.health.faults.total()) == (1, False, 1)
    monkeypatch.setattr(upkeep_module, "truncate_log", original)
    async with asyncio.timeout(PATIENCE):
        await asyncio.wrap_future(emptied)
    await database.close()
