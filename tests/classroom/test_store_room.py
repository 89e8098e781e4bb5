"""The size limit of a database: changes that add are refused, changes that delete are not, and each change of state is logged once."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection
from structlog.testing import capture_logs

from app.classroom.store.database import Database
from app.classroom.store.faults.store_faults import StoreAtLimit
from app.classroom.store.store_room import share_of_disk
from tests.classroom.store_rows import add_learner, count_learners, forget

pytestmark = pytest.mark.anyio
LIMIT = 4 << 20
TEXT = "x" * 60_000


@pytest.fixture
def limited(tmp_path: Path) -> Database:
    return Database(f"sqlite:///{tmp_path}/classroom.sqlite3", LIMIT)


def admitted(database: Database, change: Callable[[Connection], int], added_bytes: int = 0) -> Callable[[Connection], int]:
    def change_if_admitted(connection: Connection) -> int:
        database.room.admit(connection, added_bytes)
        return change(connection)

    return change_if_admitted


async def test_the_file_does_not_grow_beyond_its_limit_by_more_than_one_change(limited: Database, tmp_path: Path) -> None:
    refused = 0
    for number in range(60):
        try:
            await limited.write(admitted(limited, add_learner(str(number), text=TEXT)))
        except StoreAtLimit:
            refused += 1
    assert refused > 20
    assert LIMIT <= limited.room.used_bytes < LIMIT + 5 * len(TEXT)
    await limited.close()
    assert (tmp_path / "classroom.sqlite3").stat().st_size < LIMIT + 5 * len(TEXT)


async def test_changes_of_one_commit_do_not_exceed_it_together(limited: Database) -> None:
    changes = [limited.write(admitted(limited, add_learner(str(number), text=TEXT))) for number in range(60)]
    results = await asyncio.gather(*changes, return_exceptions=True)
    assert {type(one) for one in results} == {int, StoreAtLimit}
    assert limited.room.used_bytes < LIMIT + 5 * len(TEXT)
    await limited.close()


async def test_what_would_not_fit_is_refused_as_a_whole(limited: Database) -> None:
    with pytest.raises(StoreAtLimit):
        await limited.write(admitted(limited, add_learner("a"), LIMIT))
    assert not limited.room.at_limit
    assert await limited.read(count_learners) == 0
    await limited.close()


async def test_its_beginning_and_its_end_are_told_once_each(limited: Database) -> None:
    learners: list[int] = []

    async def fill() -> None:
        while True:
            learners.append(await limited.write(admitted(limited, add_learner(str(len(learners)), text=TEXT))))

    with capture_logs() as lines:
        with pytest.raises(StoreAtLimit):
            await fill()
        for _ in range(3):
            with pytest.raises(StoreAtLimit):
                await limited.write(admitted(limited, add_learner("later")))
        await limited.write(forget(learners[0]))
        await limited.write(forget(learners[1]))
        await limited.write(admitted(limited, add_learner("later")))
    assert [(line["event"], line["limit_bytes"]) for line in lines if line["event"] != "store_made"] == [
        ("store_at_limit", LIMIT), ("store_below_limit", LIMIT),
    ]  # fmt: skip
    await limited.close()


def test_without_a_limit_that_is_set_it_is_half_of_what_the_disk_has_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "classroom.sqlite3"
    file.write_bytes(bytes(1000))
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 3000 if folder == tmp_path else 0}))
    assert share_of_disk(f"sqlite:///{file}") == 2000
    assert share_of_disk(f"sqlite:///{tmp_path}/not/yet/made.sqlite3") == 1500
    assert share_of_disk("postgresql://localhost/gradroom") is None
