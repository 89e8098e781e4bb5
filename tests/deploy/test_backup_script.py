"""deploy/backup.sh backs up either database, and puts a backup of PostgreSQL back."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.classroom.store.database import Database
from tests.classroom.store_rows import add_learner, count_learners
from tests.postgresql import PostgresServer, find_programs

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "deploy" / "backup.sh"


def backup(*arguments: str | Path, url: str, folder: Path, keep: int = 14) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPT, *arguments], env=environment(url, folder, keep), capture_output=True, text=True, check=False)


@contextmanager
def nightly(script: Path, url: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run `nightly` until the block ends."""
    command = (script, "nightly")
    with subprocess.Popen(command, env=environment(url, folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()
        assert process.wait(30) == 0


def environment(url: str, folder: Path, keep: int = 14) -> dict[str, str]:
    programs = find_programs()
    path = f"{programs}:{os.environ['PATH']}" if programs else os.environ["PATH"]
    return {
        **os.environ,
        "PATH": path,
        "BACKUP_FOLDER": str(folder / "backups"),
        "BACKUP_RETRY_SECONDS": "0.1",
        "BACKUPS": str(keep),
        "GRADROOM_DATABASE_URL": url,
        "GRADROOM_STATE_FOLDER": str(folder / "state"),
        "GRADROOM_WEB_UID": "0",
    }


def list_backups(folder: Path) -> list[str]:
    return sorted(file.name for file in (folder / "backups").iterdir())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "cookie_secret").write_text("the key of the cookies")
    return tmp_path


@pytest.fixture
def url(postgres_server: PostgresServer) -> str:
    return postgres_server.make_database()


async def add(url: str, *names: str) -> None:
    database = Database(url)
    for name in names:
        await database.write(add_learner(name, text="x = 1"))
    await database.close()


async def count(url: str) -> int:
    database = Database(url)
    try:
        return await database.read(count_learners)
    finally:
        await database.close()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_a_backup_of_postgresql_brings_back_what_was_there(url: str, folder: Path, postgres_server: PostgresServer) -> None:
    await add(url, "ada", "bob")
    assert backup("once", url=url, folder=folder).returncode == 0
    [secret, dump] = list_backups(folder)
    assert (folder / "backups" / secret).read_text() == "the key of the cookies"
    assert (folder / "backups" / dump).stat().st_mode & 0o077 == 0
    await add(url, "cyd")
    postgres_server.execute("CREATE TABLE newer (x INTEGER)", url.rpartition("/")[2].partition("?")[0])
    restored = backup("restore", folder / "backups" / dump, url=url, folder=folder)
    assert restored.returncode == 0, restored.stderr
    assert await count(url) == 2
    await add(url, "dan")  # ids go on where they were
    assert await count(url) == 3


@pytest.mark.anyio
async def test_what_was_restored_is_backed_up_and_restored_again(url: str, folder: Path) -> None:
    await add(url, "ada")
    for name in ("bob", "cyd"):
        shutil.rmtree(folder / "backups", ignore_errors=True)
        assert backup("once", url=url, folder=folder).returncode == 0
        await add(url, name)
        restored = backup("restore", folder / "backups" / list_backups(folder)[-1], url=url, folder=folder)
        assert restored.returncode == 0, restored.stderr
        assert await count(url) == 1


@pytest.mark.anyio
async def test_a_broken_backup_changes_nothing(url: str, folder: Path) -> None:
    await add(url, "ada")
    backup("once", url=url, folder=folder)
    dump = folder / "backups" / list_backups(folder)[-1]
    dump.write_bytes(dump.read_bytes()[:-200])
    assert backup("restore", dump, url=url, folder=folder).returncode != 0
    assert await count(url) == 1


def test_only_the_newest_stay(url: str, folder: Path) -> None:
    (folder / "backups").mkdir()
    for day in range(1, 4):
        (folder / "backups" / f"gradroom-2026010{day}T030000Z.dump").touch()
        (folder / "backups" / f"gradroom-2026010{day}T030000Z.cookie_secret").touch()
    assert backup("once", url=url, folder=folder, keep=2).returncode == 0
    stayed = list_backups(folder)
    assert stayed[:2] == ["gradroom-20260103T030000Z.cookie_secret", "gradroom-20260103T030000Z.dump"]
    assert len(stayed) == 4


def test_without_a_database_there_is_no_backup_and_no_part_of_one(folder: Path, postgres_server: PostgresServer) -> None:
    done = backup("once", url=postgres_server.url_of("nowhere"), folder=folder)
    assert done.returncode != 0
    assert "nowhere" in done.stderr
    assert list_backups(folder) == []


@pytest.mark.anyio
async def test_sqlite_is_backed_up_by_gradroom(folder: Path) -> None:
    await add(f"sqlite:///{folder}/state/classroom.sqlite3", "ada")
    done = backup("once", url="", folder=folder)
    assert done.returncode == 0, done.stderr
    [made] = list_backups(folder)
    assert made.endswith(".backup")


def test_the_password_is_no_word_of_a_command(folder: Path) -> None:
    (folder / "pg_dump").write_text(f'#!/bin/sh\nprintf "%s\\n" "$PGPASSWORD" "$@" > {folder}/seen\nexit 1\n')
    (folder / "pg_dump").chmod(0o755)
    url = "postgres://ada:s%40y%25+\\n%C3%BC/?@host:5432/name?sslmode=require"  # as Gradroom reads it
    given = environment(url, folder)
    subprocess.run([SCRIPT, "once"], env={**given, "PATH": f"{folder}:{given['PATH']}"}, check=False)
    password, *words = (folder / "seen").read_text().splitlines()
    assert password == "s@y%+\\nü/?"
    assert words[-1] == "postgresql://ada@host:5432/name?sslmode=require"
    assert "s%40y" not in "".join(words)


def test_a_backup_that_fails_is_tried_again_the_same_night(folder: Path, postgres_server: PostgresServer) -> None:
    with nightly(SCRIPT, postgres_server.url_of("of_later"), folder) as process:
        assert process.stdout is not None
        assert any("no backup was made" in line for line in process.stdout)
        postgres_server.execute("CREATE DATABASE of_later")
        assert any(line.startswith("made ") for line in process.stdout)


def test_where_nothing_can_be_backed_up_the_log_says_so(folder: Path) -> None:
    script = Path(shutil.copy(SCRIPT, folder))
    with nightly(script, "", folder) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("nothing is backed up here")
    assert not (folder / "backups").exists()
