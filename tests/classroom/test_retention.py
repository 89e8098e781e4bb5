"""Learners who have not visited for a long time are deleted, and no others."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Connection, select, update
from structlog.testing import capture_logs

from app.classroom.classes.school_classes import ClassChanges, archive_class, change_class
from app.classroom.store.database import Database
from app.classroom.store.faults.store_faults import StoreLocked
from app.classroom.store.schema.tables import LearnerRow, StoreTable
from app.classroom.store.times import DAY_MS
from app.classroom.work.retention import delete_if_unseen, delete_regularly, delete_unseen
from tests.classroom.classes.sample_classes import join_sample, make_sample
from tests.classroom.store_rows import add_learner
from tests.postgresql import ONLY_SQLITE

pytestmark = pytest.mark.anyio


def names(connection: Connection) -> list[str]:
    return list(connection.execute(select(LearnerRow.name).order_by(LearnerRow.name)).scalars())


@ONLY_SQLITE
async def test_all_that_is_kept_of_who_was_long_away_is_gone_from_the_files(database: Database, tmp_path: Path) -> None:
    for number in range(7):
        await database.write(add_learner(f"L{number}", seen_ms=number * DAY_MS, text=f"the text of {number}" * 30, drafts=3))
    assert await delete_unseen(database, 3 * DAY_MS) == 3
    await asyncio.wrap_future(database.scrub())
    assert await database.read(names) == ["L3", "L4", "L5", "L6"]
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert [number for number in range(7) if f"the text of {number}".encode() in kept] == [3, 4, 5, 6]
    left = await database.read(
        lambda connection: {
            table.name: {row.learner_id for row in connection.execute(select(table.c.learner_id))}
            for table in StoreTable.metadata.tables.values()
            if "learner_id" in table.c
        }
    )
    assert all(learners <= {4, 5, 6, 7} for learners in left.values())
    assert await delete_unseen(database, 3 * DAY_MS) == 0
    await database.close()


async def test_who_comes_back_meanwhile_is_kept(database: Database) -> None:
    await database.write(add_learner("a", seen_ms=1))
    await database.write(lambda connection: connection.execute(update(LearnerRow).values(seen_ms=DAY_MS)) and None)
    assert await database.write(delete_if_unseen, "a", DAY_MS) == 0
    assert await database.read(names) == ["a"]
    await database.close()


@ONLY_SQLITE
async def test_a_fault_is_told(database: Database, tmp_path: Path) -> None:
    await database.write(add_learner("a"))
    other = sqlite3.connect(tmp_path / "classroom.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreLocked):
        await delete_unseen(database, DAY_MS)
    other.close()
    assert await delete_unseen(database, DAY_MS) == 1
    await database.close()


async def test_regularly_it_says_how_many_and_not_who(database: Database) -> None:
    await database.write(add_learner("a learner's name", seen_ms=1))
    with capture_logs() as lines:
        forgetting = asyncio.create_task(delete_regularly(database, 400))
        while not lines:
            await asyncio.sleep(0.01)
        forgetting.cancel()
    assert lines == [{"event": "learners_forgotten", "count": 1, "log_level": "info"}]
    await database.close()


async def test_with_no_days_nobody_is_forgotten(database: Database) -> None:
    await database.write(add_learner("a", seen_ms=1))
    pruned, loop = asyncio.Event(), asyncio.get_running_loop()

    def prune(connection: Connection, at_ms: int) -> None:
        loop.call_soon_threadsafe(pruned.set)

    deleting = asyncio.create_task(delete_regularly(database, 0, prune))
    await pruned.wait()
    deleting.cancel()
    assert await database.read(names) == ["a"]
    await database.close()


async def test_old_classes_are_deleted_regularly_and_their_names_are_in_no_file(database: Database, tmp_path: Path) -> None:
    sample = await database.write(make_sample)
    await database.write(join_sample, sample, "ann", "A name that only Ann chose")
    await database.write(change_class, sample.teacher, sample.id, ClassChanges(retention_days=1), 1)
    await database.write(archive_class, sample.teacher, sample.id, 1)
    with capture_logs() as lines:
        pruning = asyncio.create_task(delete_regularly(database, 0))
        while not lines:
            await asyncio.sleep(0.01)
        pruning.cancel()
    assert lines == [{"event": "classes_deleted", "count": 1, "log_level": "info"}]
    await asyncio.wrap_future(database.scrub())
    assert not [file for file in tmp_path.iterdir() if b"A name that only Ann chose" in file.read_bytes()]
    await database.close()
