"""The counts of the store for the metrics."""

import asyncio
import threading
from pathlib import Path

import pytest

from app.classroom.store import store_counts as census_module
from app.classroom.store.database import Database
from app.classroom.store.store_counts import StoreCounts
from app.classroom.store.store_engines import POSTGRES_READERS
from tests.classroom.classes.sample_classes import join_sample, make_sample
from tests.classroom.store_rows import add_learner
from tests.postgresql import ONLY_SQLITE

pytestmark = pytest.mark.anyio
PATIENCE = 60


@ONLY_SQLITE
async def test_rows_and_bytes_are_counted(database: Database, tmp_path: Path) -> None:
    await database.write(add_learner("a", text="x", drafts=3))
    await database.write(add_learner("b"))
    await database.write(lambda connection: join_sample(connection, make_sample(connection), "a"))
    figures = await StoreCounts(database).read()
    assert figures
    assert (figures.learners, figures.attempts, figures.drafts, figures.classes, figures.members) == (2, 1, 3, 1, 1)
    assert figures.database_bytes == (tmp_path / "classroom.sqlite3").stat().st_size
    assert figures.log_bytes == (tmp_path / "classroom.sqlite3-wal").stat().st_size > 0
    await database.close()


async def test_they_are_counted_once_a_minute(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    census = StoreCounts(database)
    first = await census.read()
    await database.write(add_learner("a"))
    assert await census.read() is first
    monkeypatch.setattr(census_module, "FRESH_SECONDS", -1)
    later = await census.read()
    assert later and later.learners == 1
    await database.close()


async def test_while_counting_takes_long_the_last_figures_are_told(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(census_module, "FRESH_SECONDS", -1)
    monkeypatch.setattr(census_module, "PATIENCE_SECONDS", 0.01)
    census = StoreCounts(database)
    while (first := await census.read()) is None:
        pass
    going_on = threading.Event()
    busy = [asyncio.create_task(database.read(lambda _: going_on.wait(PATIENCE))) for _ in range(POSTGRES_READERS)]  # all readers
    await asyncio.sleep(0)
    assert await census.read() is first
    going_on.set()
    await asyncio.gather(*busy)
    await database.close()


@ONLY_SQLITE
async def test_of_a_store_that_cannot_be_read_nothing_is_told(database: Database, tmp_path: Path) -> None:
    (tmp_path / "classroom.sqlite3").write_bytes(b"no database" * 1000)
    census = StoreCounts(database)
    assert await census.read() is None
    (tmp_path / "classroom.sqlite3").unlink()
    assert await census.read()
    await database.close()
