"""Backups: they are made while a server writes, are complete or missing, and are checked completely before they are restored."""

import errno
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from app.classroom.store.copies.backup import BackupError, open_snapshot, restore_backup, write_backup
from app.classroom.store.database import Database
from app.classroom.store.database_lock import DatabaseInUse, hold_database
from app.classroom.store.engine import name_database
from app.classroom.store.faults.store_faults import StoreBroken, StoreFull
from app.classroom.store.schema.schema import HEAD
from tests.classroom.store_rows import add_learner, count_learners, forget

pytestmark = pytest.mark.anyio
PATIENCE = 60


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/state/classroom.sqlite3"


@pytest.fixture
def secret_file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "cookie_secret"


def back_up(url: str, file: Path, secret: str | None = "the secret") -> Path:
    with open_snapshot(url) as snapshot:
        write_backup(snapshot, file, secret)
    return file


def count_in(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        [(count,)] = connection.execute("select count(*) from learner").fetchall()
    return int(count)


def restore(url: str, backup: Path, secret_file: Path, *, replace: bool = False) -> None:
    with backup.open("rb") as opened:
        restore_backup(url, opened, secret_file, replace=replace)


async def test_a_backup_is_one_file_for_its_owner_alone(url: str, tmp_path: Path) -> None:
    database = Database(url)
    await database.write(add_learner("a", text="x"))
    folder = tmp_path / "backups"
    folder.mkdir()
    back_up(url, folder / "monday")
    assert [(path.name, stat.S_IMODE(path.stat().st_mode)) for path in folder.iterdir()] == [("monday", 0o600)]
    assert count_in(folder / "monday") == 1
    await database.close()


async def test_while_somebody_writes_a_backup_holds_one_moment_and_comes_to_an_end(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a transaction of its own, SQLite would begin the copy anew with each commit."""
    monkeypatch.setattr("app.classroom.store.copies.backup.STEP_PAGES", 1)
    database = Database(url)
    for number in range(10):
        await database.write(add_learner(f"before {number}", text="x" * 20_000))
    steps = []

    def tell(done: int, total: int) -> None:
        steps.append((done, total))
        database.enqueue(add_learner(f"meanwhile {done}", text="x" * 20_000)).result(PATIENCE)

    with open_snapshot(url) as snapshot:
        write_backup(snapshot, tmp_path / "backup", None, tell)
    done, total = zip(*steps, strict=True)
    assert list(done) == list(range(1, total[0] + 1))
    assert count_in(tmp_path / "backup") == 10
    assert await database.read(count_learners) == 10 + len(steps)
    await database.close()


async def test_a_backup_that_fails_leaves_what_was_there_before(url: str, tmp_path: Path) -> None:
    database = Database(url)
    await database.write(add_learner("a"))
    await database.close()
    backup = back_up(url, tmp_path / "backup")

    def fail(done: int, total: int) -> None:
        raise OSError("the cable was pulled")

    before = backup.read_bytes()
    with pytest.raises(Exception, match="cable"), open_snapshot(url) as snapshot:
        write_backup(snapshot, backup, None, fail)
    assert backup.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"state", "backup"}


def test_what_is_not_there_is_not_backed_up(url: str) -> None:
    with pytest.raises(BackupError, match="There is no database"), open_snapshot(url):
        pass


def test_a_broken_database_is_not_backed_up(url: str, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "classroom.sqlite3").write_bytes(b"no database" * 1000)
    with pytest.raises(StoreBroken), open_snapshot(url):
        pass


@pytest.mark.parametrize("url", ["postgresql://ada:hush@host/name?sslmode=require", "postgres://ada@host/name?password=hush"])
def test_another_server_has_tools_of_its_own_and_its_password_is_not_repeated(url: str) -> None:
    with pytest.raises(BackupError, match=r"pg_dump .* 'postgresql://ada@host/name") as refused, open_snapshot(url):
        pass
    assert "hush" not in str(refused.value) + name_database(url) and "*" not in str(refused.value)


async def test_a_backup_is_restored_with_the_secret_where_there_is_nothing(url: str, secret_file: Path, tmp_path: Path) -> None:
    elsewhere = Database(f"sqlite:///{tmp_path}/elsewhere/classroom.sqlite3")
    await elsewhere.write(add_learner("a", text="x"))
    backup = back_up(str(elsewhere.url), tmp_path / "backup")
    await elsewhere.close()
    restore(url, backup, secret_file)
    assert secret_file.read_text() == "the secret"
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in secret_file.parent.iterdir()} == {
        "classroom.sqlite3": 0o600,
        "cookie_secret": 0o600,
    }
    assert b"the secret" not in (secret_file.parent / "classroom.sqlite3").read_bytes()
    database = Database(url)
    assert await database.read(count_learners) == 1
    await database.write(add_learner("b"))
    await database.close()


async def test_what_stood_there_before_is_put_aside_with_all_that_was_in_it(url: str, secret_file: Path, tmp_path: Path) -> None:
    database = Database(url)
    await database.write(add_learner("a"))
    backup = back_up(url, tmp_path / "backup")
    await database.write(add_learner("b"))
    secret_file.write_text("another secret")
    other = sqlite3.connect(str(database.url.database))  # so that the log is not written back when the server ends
    other.execute("select * from learner").fetchall()
    await database.close()
    with backup.open("rb") as opened, pytest.raises(BackupError, match="With --force it is put aside"):
        restore_backup(url, opened, secret_file, replace=False)
    with backup.open("rb") as opened:
        restored = restore_backup(url, opened, secret_file, replace=True)
    other.close()
    assert (restored.revision, restored.secret) == (HEAD, True)
    aside, aside_secret = restored.aside
    assert (count_in(Path(str(database.url.database))), count_in(aside)) == (1, 2)
    assert (secret_file.read_text(), aside_secret.read_text()) == ("the secret", "another secret")


async def test_a_broken_database_is_put_aside_as_it_is(url: str, secret_file: Path, tmp_path: Path) -> None:
    database = Database(url)
    await database.write(add_learner("a"))
    backup = back_up(url, tmp_path / "backup", None)
    await database.close()
    file = Path(str(database.url.database))
    file.write_bytes(b"garbage" * 1000)
    file.with_name(f"{file.name}-wal").write_bytes(b"log")
    restore(url, backup, secret_file, replace=True)
    assert count_in(file) == 1
    aside = {path.read_bytes() for path in file.parent.iterdir() if ".before-" in path.name}
    assert aside == {b"garbage" * 1000, b"log"}
    assert not secret_file.exists()


async def test_a_server_that_runs_is_not_restored(url: str, secret_file: Path, tmp_path: Path) -> None:
    database = Database(url)
    await database.write(add_learner("a"))
    backup = back_up(url, tmp_path / "backup")
    await database.close()
    with hold_database(url, alone=False), pytest.raises(DatabaseInUse):
        restore(url, backup, secret_file, replace=True)


def test_servers_share_a_database_and_are_kept_from_one_that_is_restored(url: str) -> None:
    with hold_database(url, alone=False), hold_database(url, alone=False):
        pass
    with hold_database(url, alone=True), pytest.raises(DatabaseInUse, match="wait for that"), hold_database(url, alone=False):
        pass


DAMAGES = {
    "empty": lambda whole: b"",
    "half of it": lambda whole: whole[: len(whole) // 2],
    "its end is missing": lambda whole: whole[:-1],
    "no database": lambda whole: b"no database" * 1000,
    "a page is overwritten": lambda whole: whole[: 4096 * 20] + bytes(4096) + whole[4096 * 21 :],
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_what_is_not_a_whole_backup_changes_nothing(url: str, secret_file: Path, tmp_path: Path, damage: str) -> None:
    database = Database(url)
    await database.write(add_learner("a", text="x" * 100_000))
    backup = back_up(url, tmp_path / "backup")
    await database.close()
    backup.write_bytes(DAMAGES[damage](backup.read_bytes()))
    before = {path.name: path.read_bytes() for path in secret_file.parent.iterdir()}
    with pytest.raises(BackupError):
        restore(url, backup, secret_file, replace=True)
    assert {path.name: path.read_bytes() for path in secret_file.parent.iterdir()} == before


async def test_a_plain_database_is_no_backup(url: str, secret_file: Path, tmp_path: Path) -> None:
    other = Database(f"sqlite:///{tmp_path}/other.sqlite3")
    await other.write(add_learner("a"))
    await other.close()
    with pytest.raises(BackupError, match="not a backup of Gradroom"):
        restore(url, tmp_path / "other.sqlite3", secret_file)


async def test_a_backup_of_a_newer_version_is_refused(url: str, secret_file: Path, tmp_path: Path) -> None:
    database = Database(url)
    await database.write(add_learner("a"))
    backup = back_up(url, tmp_path / "backup")
    await database.close()
    with closing(sqlite3.connect(backup)) as connection, connection:
        connection.execute("update alembic_version set version_num = '9999'")
    with pytest.raises(BackupError, match=f"of version 9999, and this one knows them up to {HEAD}"):
        restore(url, backup, secret_file, replace=True)


async def test_a_server_takes_over_what_was_restored_also_if_it_was_not_told(url: str, secret_file: Path, tmp_path: Path) -> None:
    """This happens after `restore` into a volume that a server on another machine has open."""
    database = Database(url)
    learner = await database.write(add_learner("a"))
    backup = back_up(url, tmp_path / "backup")
    await database.write(forget(learner))
    assert await database.read(count_learners) == 0
    restore(url, backup, secret_file, replace=True)
    assert await database.read(count_learners) == 1
    await database.write(add_learner("b"))
    assert count_in(Path(str(database.url.database))) == 2
    await database.close()


async def test_a_backup_waits_for_nobody_who_writes(url: str, tmp_path: Path) -> None:
    database = Database(url)
    await database.write(add_learner("a"))
    held, going_on = threading.Event(), threading.Event()

    def hold(_: object) -> None:
        held.set()
        assert going_on.wait(PATIENCE)

    writing = database.enqueue(hold)
    assert held.wait(PATIENCE)
    back_up(url, tmp_path / "backup")
    going_on.set()
    writing.result(PATIENCE)
    assert count_in(tmp_path / "backup") == 1
    await database.close()


async def test_a_disk_that_is_full_changes_nothing(url: str, secret_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = Database(url)
    await database.write(add_learner("a"))
    backup = back_up(url, tmp_path / "backup")
    await database.close()
    before = {path.name: path.read_bytes() for path in secret_file.parent.iterdir()}

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("shutil.copyfileobj", fail)
    with pytest.raises(StoreFull):
        restore(url, backup, secret_file, replace=True)
    assert {path.name: path.read_bytes() for path in secret_file.parent.iterdir()} == before


async def test_the_key_of_the_cookies_gets_its_folder_too(url: str, tmp_path: Path) -> None:
    database = Database(url)
    await database.write(add_learner("a"))
    backup = back_up(url, tmp_path / "backup")
    await database.close()
    restore(f"sqlite:///{tmp_path}/new/classroom.sqlite3", backup, tmp_path / "elsewhere" / "cookie_secret")
    assert (tmp_path / "elsewhere" / "cookie_secret").read_text() == "the secret"
