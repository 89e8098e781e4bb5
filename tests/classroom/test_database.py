"""The database's threads: group commits, a failing change among others, and the names of faults."""

import asyncio
import os
import random
import sqlite3
import stat
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, insert, select, text, update
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs

from app.classroom.store.database import Database
from app.classroom.store.engine import WRITE_PATIENCE_SECONDS
from app.classroom.store.faults.store_faults import StoreFault, StoreTooNew, StoreUnreachable
from app.classroom.store.schema.tables import DraftRow, LearnerRow
from tests.classroom.store_rows import add_learner, forget

pytestmark = pytest.mark.anyio
PATIENCE = 60


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


async def test_a_change_may_have_an_argument_named_key_as_that_of_the_order(file: Path) -> None:
    def say(connection: Connection, *, key: str) -> str:
        return key

    database = Database(f"sqlite:///{file}")
    assert await database.write(say, key="k") == "k"
    await database.close()


async def fault_of(database: Database) -> StoreFault:
    with pytest.raises(StoreFault) as raised:
        await database.write(lambda connection: add("a", connection))
    await database.close()
    return raised.value


async def test_a_later_version_is_refused(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    assert await database.read(count) == 0
    await database.close()
    with sqlite3.connect(file) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    connection.close()
    assert isinstance(await fault_of(Database(f"sqlite:///{file}")), StoreTooNew)


async def test_an_answer_that_nobody_waits_for_any_more_does_not_end_the_thread(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    held, going_on = threading.Event(), threading.Event()

    def hold(_: Connection) -> None:
        held.set()
        assert going_on.wait(PATIENCE)

    first = asyncio.create_task(database.write(hold))
    await asyncio.to_thread(held.wait, PATIENCE)
    second = asyncio.create_task(database.write(lambda connection: add("left before it was begun", connection)))
    await asyncio.sleep(0)
    for task in (first, second):
        task.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    going_on.set()
    assert await database.write(lambda connection: add("later", connection)) == "later"
    assert await database.read(count) == 1
    await database.close()


async def test_what_one_change_raises_is_told_only_if_the_others_were_committed(file: Path) -> None:
    """The exception may be about something that another change of the same commit made."""
    database = Database(f"sqlite:///{file}")
    await database.read(count)

    def fail(_: Connection) -> None:
        raise OperationalError("", None, sqlite3.OperationalError("as if the disk were gone"))

    futures = hold_together(database, [lambda connection: add("bad", connection), fail])
    assert [type(future.exception()) for future in futures] == [StoreUnreachable, StoreUnreachable]
    await database.close()


def hold_together(database: Database, changes: list[Callable[[Connection], object]]) -> list[Future[object]]:
    """Enqueue changes so that one commit contains all of them."""
    held, going_on = threading.Event(), threading.Event()

    def hold(_: Connection) -> None:
        held.set()
        assert going_on.wait(PATIENCE)

    database.enqueue(hold)
    assert held.wait(PATIENCE)
    futures = [database.enqueue(change) for change in changes]
    going_on.set()
    for future in futures:
        future.exception(PATIENCE)
    return futures


async def test_what_is_enqueued_is_written_before_the_end_and_what_comes_later_is_refused(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    futures = [database.enqueue(lambda connection, name=str(number): add(name, connection)) for number in range(300)]
    await database.close()
    assert [future.result(0) for future in futures] == [str(number) for number in range(300)]
    for refused in (database.write(count), database.read(count), asyncio.wrap_future(database.scrub())):
        with pytest.raises(StoreUnreachable, match="ending"):
            await refused


async def test_a_text_is_in_no_fault(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    await database.read(count)

    def fail(connection: Connection) -> None:
        connection.execute(text("insert into nothing values (:source)"), {"source": "a learner's text"})

    with capture_logs() as lines, pytest.raises(StoreFault) as raised:
        await database.write(fail)
    assert "learner's text" not in f"{lines} {raised.value} {raised.value.__cause__}"
    await database.close()


@pytest.mark.parametrize("seed", range(2))
async def test_of_learners_who_were_deleted_no_text_is_left_in_the_files(file: Path, seed: int) -> None:
    draw = random.Random(seed)
    database = Database(f"sqlite:///{file}")
    marks = [f"MARK{number:03d}-" for number in range(30)]
    learners = [await database.write(add_learner(mark, text=mark * draw.choice((3, 60, 400)), drafts=draw.randint(1, 9))) for mark in marks]
    for _ in range(60):
        number = draw.randrange(len(marks))
        source = marks[number] * draw.choice((1, 20, 150, 1500))
        change = update(DraftRow).where(DraftRow.learner_id == learners[number], DraftRow.cell == str(draw.randint(0, 9)))
        await database.write(lambda connection, change=change, source=source: connection.execute(change.values(source=source)) and None)
    gone = draw.sample(range(len(marks)), 8)
    for number in gone:
        await database.write(forget(learners[number]))
    await asyncio.wrap_future(database.scrub())
    found = {number for number, mark in enumerate(marks) if any(mark.encode() in one.read_bytes() for one in file.parent.iterdir())}
    assert found == set(range(len(marks))) - set(gone)
    await database.close()


async def test_text_that_cannot_be_removed_because_of_a_reader_is_removed_once_it_has_read(file: Path) -> None:
    """Until then neither the deletion nor any other change waits."""
    database = Database(f"sqlite:///{file}")
    learner = await database.write(add_learner("a", text="MARK"))
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN")
    other.execute("select * from learner").fetchall()
    await database.write(forget(learner))
    removed = database.scrub()
    began = time.monotonic()
    for name in "bcd":
        await asyncio.sleep(0.03)  # the thread tries in between
        await database.write(add_learner(name))
    assert time.monotonic() - began < WRITE_PATIENCE_SECONDS and not removed.done()
    other.close()
    async with asyncio.timeout(PATIENCE):
        await asyncio.wrap_future(removed)
    assert not [one for one in file.parent.iterdir() if b"MARK" in one.read_bytes()]
    await database.close()


async def test_the_file_is_for_its_owner_alone(file: Path) -> None:
    file.parent.mkdir(mode=0o755)
    database = Database(f"sqlite:///{file}")
    await database.write(add_learner("a"))
    assert {stat.S_IMODE(one.stat().st_mode) for one in file.parent.iterdir()} == {0o600}
    await database.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
async def test_made_by_root_the_files_are_the_folders_owners(file: Path) -> None:
    """This happens if `gradroom author` runs as root after `serve` has given the state folder to web's user."""
    file.parent.mkdir()
    os.chown(file.parent, 4321, 4321)
    database = Database(f"sqlite:///{file}")
    await database.write(add_learner("a"))
    assert {(one.stat().st_uid, one.stat().st_gid) for one in file.parent.iterdir()} == {(4321, 4321)}
    await database.close()
