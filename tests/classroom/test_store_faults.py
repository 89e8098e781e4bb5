"""Faults of disks and files, caused on a real database: the name of each, and that the store recovers."""

import asyncio
import os
import resource
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from app.classroom.store.database import Database
from app.classroom.store.faults.store_faults import StoreBroken, StoreFault, StoreFull, StoreLocked, StoreReadOnly, StoreUnreachable
from tests.classroom.store_rows import add_learner, count_learners

pytestmark = pytest.mark.anyio
SMALL, LARGE = 100_000, 8_000_000  # characters; SQLite writes the large ones before the commit


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Return a folder on a disk of its own of 2 MiB, if this is root and may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = os.geteuid() == 0 and not subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", folder], check=False).returncode
    yield folder
    if mounted:
        subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.fixture
def own_disk(folder: Path) -> Path:
    if not folder.is_mount():
        pytest.skip("no disk could be mounted")
    return folder


@pytest.fixture
async def database(folder: Path) -> AsyncIterator[Database]:
    """A database with one learner."""
    database = Database(f"sqlite:///{folder}/classroom.sqlite3")
    await database.write(add_learner("first"))
    yield database
    await database.close()


async def expect_fault(database: Database, fault: type[StoreFault], text: str | None = None) -> None:
    """Check that nothing can be written, and that the log says why."""
    before = database.health.faults[fault.reason]
    with capture_logs() as lines, pytest.raises(fault):
        await database.write(add_learner("refused", text=text))
    assert [(line["event"], line["reason"]) for line in lines if line["event"] == "store_fault"] in ([("store_fault", fault.reason)], [])
    assert database.health.faults[fault.reason] == before + 1
    assert text is None or text not in str(lines)


async def expect_works(database: Database, learners: int) -> None:
    with capture_logs() as lines:
        await database.write(add_learner("later"))
    assert [line["event"] for line in lines if line["event"] != "store_made"] == ["store_works"]
    assert await database.read(count_learners) == learners


def fill(disk: Path) -> Path:
    """Write a file that leaves no free space."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(b"x" * 4096):
            pass
    return filler


@pytest.mark.parametrize("characters", [SMALL, LARGE])
async def test_a_full_disk(own_disk: Path, database: Database, characters: int) -> None:
    filler = fill(own_disk)
    await expect_fault(database, StoreFull, "x" * characters)
    assert await database.read(count_learners) == 1
    filler.unlink()
    await expect_works(database, 2)


async def test_a_full_disk_on_which_the_database_would_be_made(own_disk: Path) -> None:
    filler = fill(own_disk)
    database = Database(f"sqlite:///{own_disk}/classroom.sqlite3")
    await expect_fault(database, StoreFull)
    filler.unlink()
    await expect_works(database, 1)
    await database.close()


async def test_one_change_that_does_not_fit_is_not_half_kept(own_disk: Path, database: Database) -> None:
    """SQLite then undoes all changes of the same commit, and none of them is reported as made."""
    texts = ["x", "x" * LARGE, "x"]
    results = [database.enqueue(add_learner(str(number), text=text)) for number, text in enumerate(texts)]
    kept = sum(result.exception() is None for result in results)
    assert isinstance(results[1].exception(), StoreFull)
    assert await database.read(count_learners) == 1 + kept


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("characters", [SMALL, LARGE])
async def test_a_file_that_may_not_grow(database: Database, characters: int) -> None:
    with file_size_limit(150_000):
        await expect_fault(database, StoreFull, "x" * characters)
    await expect_works(database, 2)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Make the folder read-only: for root by a read-only mount, for others by its mode."""
    if os.geteuid() == 0:
        if not folder.is_mount():
            pytest.skip("no disk could be mounted")
        bind = ["mount", "--bind", folder, folder]
        subprocess.run(bind, check=True)
        try:
            subprocess.run(["mount", "-o", "remount,ro,bind", folder], check=True)
            yield
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)
        return
    paths = [folder, *folder.iterdir()]
    modes = [path.stat().st_mode for path in paths]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        yield
    finally:
        for path, mode in zip(paths, modes, strict=True):
            path.chmod(mode)


async def test_a_read_only_database_can_be_read(folder: Path, database: Database) -> None:
    await database.read(count_learners)
    file = Path(str(database.url.database))
    other = sqlite3.connect(file)  # its log stays as long as somebody has it open, and with it it can be read
    other.execute("select * from learner").fetchall()
    await database.close()
    database = Database(f"sqlite:///{file}")
    with read_only(folder):
        await expect_fault(database, StoreReadOnly)
        assert await database.read(count_learners) == 1
    await expect_works(database, 2)
    other.close()
    await database.close()


async def test_a_read_only_database_without_a_log(folder: Path, database: Database) -> None:
    await database.close()
    database = Database(str(database.url))
    with read_only(folder):
        await expect_fault(database, StoreReadOnly)
        with pytest.raises(StoreReadOnly):
            await database.read(count_learners)
    await expect_works(database, 2)
    await database.close()


async def test_a_folder_in_which_nothing_can_be_made(folder: Path) -> None:
    database = Database(f"sqlite:///{folder}/state/classroom.sqlite3")
    with read_only(folder):
        await expect_fault(database, StoreReadOnly)
    await expect_works(database, 1)
    await database.close()


async def test_a_database_that_another_program_holds(database: Database) -> None:
    other = sqlite3.connect(str(database.url.database), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    await expect_fault(database, StoreLocked)
    assert await database.read(count_learners) == 1  # in WAL, readers do not wait for writers
    other.execute("ROLLBACK")
    other.close()
    await expect_works(database, 2)


async def test_a_database_that_another_program_has_to_itself(database: Database) -> None:
    await database.close()
    other = sqlite3.connect(str(database.url.database), isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    database = Database(str(database.url))
    await expect_fault(database, StoreLocked)
    with pytest.raises(StoreLocked):
        await database.read(count_learners)
    other.execute("ROLLBACK")
    other.close()
    await expect_works(database, 2)
    await database.close()


GARBAGE = b"this is no database " * 1000


async def test_a_file_that_is_no_database(folder: Path) -> None:
    file = folder / "classroom.sqlite3"
    file.write_bytes(GARBAGE)
    database = Database(f"sqlite:///{file}")
    await expect_fault(database, StoreBroken)
    with pytest.raises(StoreBroken):
        await database.read(count_learners)
    assert file.read_bytes() == GARBAGE  # it may be mended yet
    file.unlink()
    await expect_works(database, 1)
    await database.close()


async def test_a_truncated_file(database: Database) -> None:
    await database.write(add_learner("second", text="x" * SMALL))
    await database.close()
    file = Path(str(database.url.database))
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    database = Database(str(database.url))
    await expect_fault(database, StoreBroken, "x" * SMALL)
    file.write_bytes(whole)
    await expect_works(database, 3)
    await database.close()


async def test_a_file_that_is_damaged_while_it_is_served(database: Database) -> None:
    await asyncio.wrap_future(database.scrub())
    file = Path(str(database.url.database))
    whole = file.read_bytes()
    file.write_bytes(GARBAGE)
    remove_log(file)
    await expect_fault(database, StoreBroken)
    with pytest.raises(StoreBroken):
        await database.read(count_learners)
    file.write_bytes(whole)
    await expect_works(database, 2)


def remove_log(file: Path) -> None:
    """Delete the log, as a person may who takes it for rubbish. The changes in it are lost."""
    for end in ("-wal", "-shm"):
        file.with_name(file.name + end).unlink()


async def test_a_log_that_is_removed_while_it_is_served_is_written_to_no_more(database: Database) -> None:
    await asyncio.wrap_future(database.scrub())
    remove_log(Path(str(database.url.database)))
    await database.write(add_learner("second"))
    with sqlite3.connect(str(database.url.database)) as other:
        assert other.execute("select count(*) from learner").fetchall() == [(2,)]
    other.close()


async def test_a_file_that_is_removed_while_it_is_served_is_made_anew(database: Database) -> None:
    file = Path(str(database.url.database))
    file.unlink()
    with capture_logs() as lines:
        await database.write(add_learner("second"))
    assert [line["event"] for line in lines] == ["store_made"]
    with sqlite3.connect(file) as other:
        assert other.execute("select name from learner").fetchall() == [("second",)]
    other.close()


async def test_what_is_written_while_its_file_is_removed_is_not_promised(database: Database) -> None:
    file = Path(str(database.url.database))
    with pytest.raises(StoreUnreachable):
        await database.write(lambda _: file.unlink())


async def test_a_file_that_is_replaced_while_it_is_served_is_read_as_it_is_now(database: Database, tmp_path: Path) -> None:
    other = Database(f"sqlite:///{tmp_path}/other.sqlite3")
    for name in "abc":
        await other.write(add_learner(name))
    await other.close()
    assert await database.read(count_learners) == 1
    file = Path(str(database.url.database))
    for one in file.parent.glob(f"{file.name}*"):
        one.unlink()
    file.write_bytes((tmp_path / "other.sqlite3").read_bytes())
    assert await database.read(count_learners) == 3
    await database.write(add_learner("d"))
    assert await database.read(count_learners) == 4


async def test_a_fault_is_logged_once_a_minute_and_counted_each_time(folder: Path) -> None:
    (folder / "classroom.sqlite3").write_bytes(GARBAGE)
    database = Database(f"sqlite:///{folder}/classroom.sqlite3")
    with capture_logs() as lines:
        for _ in range(3):
            with pytest.raises(StoreBroken):
                await database.read(count_learners)
    assert [(line["event"], line["reason"]) for line in lines] == [("store_fault", "broken")]
    assert database.health.faults == {"broken": 3}
    await database.close()
