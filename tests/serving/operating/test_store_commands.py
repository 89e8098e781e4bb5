"""The store's commands as an operator runs them, and how a server treats a damaged or old store.

Servers have bare zygotes, because none of them runs a program.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from app.classroom.store.database import Database
from app.classroom.store.database_lock import DatabaseInUse, hold_database
from app.classroom.store.schema import schema
from app.serving.operating import store_commands
from app.serving.operating.store_commands import serving_store
from app.settings import PROJECT, Settings
from tests.bare.gradroom import BARE_GRADROOM, SMALL_COURSE
from tests.classroom.migration_samples import LATER, NEXT
from tests.classroom.store_rows import add_learner, count_learners
from tests.postgresql import PostgresServer
from tests.warm_gradroom import WarmGradroom

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
PATIENCE_SECONDS = 100


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder that web's user can enter, too."""
    with tempfile.TemporaryDirectory(prefix="gradroom-store-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def settings(folder: Path) -> Settings:
    return Settings(state_folder=folder / "state")


def gradroom(
    settings: Settings, *arguments: str, command: tuple[str, ...] = (sys.executable, "-m", "app.cli"), **streams: object
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a new process, which shares nothing with a warm one."""
    environment = {**os.environ, "GRADROOM_STATE_FOLDER": str(settings.state_folder)}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": PATIENCE_SECONDS, **streams}
    return subprocess.run((*command, *arguments), cwd=PROJECT, env=environment, check=False, **streams)


class Gradroom:
    """The command, forked from one that is warm, with a course that is loaded at once."""

    def __init__(self, warm: WarmGradroom, state_folder: Path) -> None:
        self._warm = warm
        self._state_folder = state_folder

    def __call__(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        folders = {"GRADROOM_STATE_FOLDER": str(self._state_folder), "GRADROOM_LESSONS_FOLDER": str(SMALL_COURSE)}
        return self._warm.run(*arguments, **folders, **environment)


@pytest.fixture
def forked(warm_gradroom: WarmGradroom, settings: Settings) -> Gradroom:
    return Gradroom(warm_gradroom, settings.state_folder)


def database_file(settings: Settings) -> Path:
    return settings.state_folder / "classroom.sqlite3"


def set_revision(settings: Settings, revision: str) -> None:
    with closing(sqlite3.connect(database_file(settings))) as connection, connection:
        connection.execute("update alembic_version set version_num = ?", (revision,))


def make_database(settings: Settings, learners: int = 1) -> None:
    database = Database(settings.database)
    for number in range(learners):
        database.enqueue(add_learner(str(number))).result(PATIENCE_SECONDS)
    database._engines.dispose()


def count(settings: Settings) -> int:
    return Database(settings.database).read_here(count_learners)


def test_a_server_is_backed_up_while_it_serves_and_restored_when_it_does_not(settings: Settings, forked: Gradroom, folder: Path) -> None:
    command = (*BARE_GRADROOM, "serve", "--port", "0")
    environment = {**os.environ, "GRADROOM_STATE_FOLDER": str(settings.state_folder), "GRADROOM_SCRATCH_FOLDER": str(folder)}
    backup = folder / "backup"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=PROJECT, env=environment) as server:
        assert server.stdout
        address = server.stdout.readline().split()[-1]
        assert address
        made = forked("backup", str(backup))
        assert (made.returncode, made.stdout) == (0, ""), made.stderr
        refused = forked("restore", "--force", str(backup))
        assert refused.returncode == 2
        assert "a server uses it: stop that first" in refused.stderr
        server.send_signal(signal.SIGTERM)
        assert server.wait(PATIENCE_SECONDS) == 0
    before = (settings.state_folder / "cookie_secret").read_text()
    for path in settings.state_folder.iterdir():
        path.unlink()
    restored = forked("restore", str(backup))
    assert restored.returncode == 0, restored.stderr
    assert "Restored what was backed up on 20" in restored.stderr
    assert (settings.state_folder / "cookie_secret").read_text() == before
    owner = settings.web_uid if os.geteuid() == 0 else os.geteuid()
    assert {path.stat().st_uid for path in settings.state_folder.iterdir()} == {owner}
    assert forked("migrate").returncode == 0


def test_serve_refuses_a_newer_database_with_a_line_and_does_not_try_again(settings: Settings, forked: Gradroom) -> None:
    make_database(settings)
    set_revision(settings, "9999")
    ended = gradroom(settings, "serve", "--port", "0", command=BARE_GRADROOM)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.count(b"of version 9999, which this Gradroom does not know") == 1
    for command in ("migrate", "web"):
        refused = forked(command, *(["--port", "0"] if command == "web" else []))
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "9999" in refused.stderr


def test_a_backup_goes_through_a_pipe(settings: Settings) -> None:
    make_database(settings, learners=3)
    made = gradroom(settings, "backup", "-")
    assert made.stdout.startswith(b"SQLite format 3\0")
    assert [path.name for path in settings.state_folder.glob("*.backup")] == []
    refused = gradroom(settings, "restore", "-", input=made.stdout)
    assert refused.returncode == 2
    assert b"With --force it is put aside" in refused.stderr
    database_file(settings).unlink()
    assert gradroom(settings, "restore", "-", input=made.stdout).returncode == 0
    assert count(settings) == 3


def test_what_cannot_be_done_is_said_with_status_2(forked: Gradroom, folder: Path) -> None:
    (folder / "text").write_text("no backup")
    for arguments, message in {
        ("backup", str(folder / "b")): "There is no database",
        ("restore", str(folder / "none")): "none cannot be read: No such file or directory.",
        ("restore", str(folder / "text")): "This is not a backup of Gradroom, or not all of one",
    }.items():
        ended = forked(*arguments)
        assert ended.returncode == 2
        assert message in ended.stderr
        assert "Traceback" not in ended.stderr
    assert forked("migrate", "--to", "7").stderr == f"There is no version 7; there are {', '.join(schema.REVISIONS)}.\n"
    assert forked("backup", str(folder / "no" / "b")).stderr.startswith("Nothing can be written into ")


@needs_root
def test_done_by_root_everything_is_webs_and_the_backup_is_roots(settings: Settings, forked: Gradroom, folder: Path) -> None:
    assert forked("migrate").returncode == 0
    assert forked("backup", str(folder / "backup")).returncode == 0
    assert (folder / "backup").stat().st_uid == 0
    assert {path.stat().st_uid for path in (settings.state_folder, *settings.state_folder.iterdir())} == {settings.web_uid}


@needs_root
def test_root_reads_nothing_for_a_backup_that_web_could_not_read(settings: Settings, forked: Gradroom, folder: Path) -> None:
    """An attacker who has taken over web may put a link where root expects the key of the cookies."""
    assert forked("migrate").returncode == 0
    (folder / "roots").write_text("root's secret")
    (folder / "roots").chmod(0o600)
    (settings.state_folder / "cookie_secret").symlink_to(folder / "roots")
    ended = forked("backup", str(folder / "backup"))
    assert ended.returncode == 2
    assert "Permission denied" in ended.stderr
    assert {path.name for path in folder.iterdir()} == {"state", "roots"}


@needs_root
def test_a_state_folder_that_others_may_not_reach_is_backed_up_too(warm_gradroom: WarmGradroom, folder: Path) -> None:
    (folder / "home").mkdir(mode=0o700)
    forked = Gradroom(warm_gradroom, folder / "home" / "state")
    assert forked("migrate").returncode == 0
    assert forked("backup", str(folder / "home" / "backup")).returncode == 0
    assert (folder / "home" / "backup").stat().st_size > 0


def test_a_later_gradroom_backs_up_and_migrates_before_it_serves(settings: Settings, forked: Gradroom, folder: Path) -> None:
    """`make serve` and compose do so. The later Gradroom is this one with one more migration."""
    assert forked("migrate").returncode == 0
    for name in ("app", "templates"):
        shutil.copytree(PROJECT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tests").symlink_to(PROJECT / "tests")
    (folder / f"app/classroom/store/migrations/versions/r{NEXT}_later.py").write_text(LATER)
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "GRADROOM_STATE_FOLDER": str(settings.state_folder),
        "GRADROOM_STATIC_FOLDER": str(PROJECT / "static" / "build"),
    }
    command = (*BARE_GRADROOM, "serve", "--migrate", "--port", "0")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment) as server:
        assert server.stdout
        assert server.stdout.readline().startswith("Gradroom is at ")
        server.send_signal(signal.SIGTERM)
        assert server.wait(PATIENCE_SECONDS) == 0
    with closing(sqlite3.connect(database_file(settings))) as connection:
        assert connection.execute("select version_num from alembic_version").fetchall() == [(NEXT,)]
    (backup,) = settings.state_folder.glob("*.backup")
    assert backup.name.endswith(f"-{schema.HEAD}.backup")


@pytest.fixture
def later_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this Gradroom know the versions 0001 and 0002 only, so that it needs version 0002."""
    monkeypatch.setattr(schema, "REVISIONS", ("0001", "0002"))
    monkeypatch.setattr(schema, "HEAD", "0002")


@pytest.mark.usefixtures("later_version")
def test_an_old_database_is_not_served_and_the_command_is_named(settings: Settings) -> None:
    make_database(settings)
    set_revision(settings, "0001")
    with (
        pytest.raises(match=r"of version 0001, and this Gradroom needs 0002: run `gradroom migrate --backup`"),
        serving_store(settings, Database(settings.database), migrate_first=False),
    ):
        pytest.fail("it is served")


@pytest.mark.usefixtures("later_version")
def test_an_old_database_is_migrated_first_where_that_is_wanted(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    make_database(settings)
    set_revision(settings, "0001")
    commands = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        commands.append(command[-2:])
        set_revision(settings, "0002")
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(store_commands.subprocess, "run", run)
    database = Database(settings.database)
    with serving_store(settings, database, migrate_first=True):
        assert database.read_here(count_learners) == 1
    assert commands == [["migrate", "--backup"]]


@pytest.mark.usefixtures("later_version")
def test_what_could_not_be_migrated_is_not_served(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    make_database(settings)
    set_revision(settings, "0001")
    monkeypatch.setattr(store_commands.subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 2))
    with (
        pytest.raises(match="was not migrated"),
        serving_store(settings, Database(settings.database), migrate_first=True),
    ):
        pytest.fail("it is served")


@pytest.mark.parametrize("status", [0, 2])
def test_a_database_that_keeps_freed_room_is_changed_first_and_served_anyway(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    make_database(settings)
    with closing(sqlite3.connect(database_file(settings), isolation_level=None)) as connection:
        connection.execute("pragma auto_vacuum=none")
        connection.execute("vacuum")
    commands = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        commands.append(command[-1])
        return subprocess.CompletedProcess(command, status)

    monkeypatch.setattr(store_commands.subprocess, "run", run)
    database = Database(settings.database)
    with serving_store(settings, database, migrate_first=True):
        assert database.read_here(count_learners) == 1
    assert commands == ["migrate"]


def test_a_broken_database_does_not_keep_it_from_serving(settings: Settings) -> None:
    settings.state_folder.mkdir()
    database_file(settings).write_bytes(b"no database" * 1000)
    served = False
    with capture_logs() as lines, serving_store(settings, Database(settings.database), migrate_first=True):
        served = True
    assert served
    assert [(line["event"], line["reason"]) for line in lines] == [("store_fault", "broken")]


def test_a_state_folder_that_cannot_be_made_does_not_keep_it_from_serving(folder: Path) -> None:
    (folder / "file").touch()
    settings = Settings(state_folder=folder / "file" / "state")
    with capture_logs() as lines, serving_store(settings, Database(settings.database), migrate_first=False):
        pass
    assert [line["event"] for line in lines] == ["store_fault"]


def test_a_database_that_is_being_restored_is_not_served(settings: Settings) -> None:
    with (
        hold_database(settings.database, alone=True),
        pytest.raises(match="a backup is being restored"),
        serving_store(settings, Database(settings.database), migrate_first=False),
    ):
        pytest.fail("it is served")


def test_while_it_is_served_nobody_else_has_it_alone(settings: Settings) -> None:
    with (
        serving_store(settings, Database(settings.database), migrate_first=False),
        pytest.raises(DatabaseInUse, match="a server uses it"),
        hold_database(settings.database, alone=True),
    ):
        pytest.fail("it is held")


def test_what_goes_wrong_while_it_is_served_is_no_fault_of_the_store(settings: Settings) -> None:
    with pytest.raises(OSError, match="of the server"), serving_store(settings, Database(settings.database), migrate_first=False):
        raise OSError("of the server")


def test_a_database_is_moved_to_postgresql_and_used_there(settings: Settings, forked: Gradroom, postgres_server: PostgresServer) -> None:
    make_database(settings, learners=3)
    refused = forked("move")
    assert (refused.returncode, refused.stderr) == (2, "Where to? Say --to postgresql://USER@HOST/DATABASE.\n")
    nowhere = forked("move", "--to", postgres_server.url_of("nowhere"))
    assert nowhere.returncode == 2 and "cannot be moved to postgresql://gradroom@/nowhere" in nowhere.stderr
    url = postgres_server.make_database(template="template0")
    moved = forked("move", "--to", url)
    assert moved.returncode == 0, moved.stderr
    assert "learner: 3 rows\n" in moved.stderr and "Moved 3 rows" in moved.stderr
    assert count(settings) == 3
    there = settings.model_copy(update={"database_url": url})
    database = Database(there.database)
    assert database.read_here(count_learners) == 3
    database._engines.dispose()
    again = forked("move", GRADROOM_DATABASE_URL=url)
    assert again.returncode == 2 and "is not empty" in again.stderr
    postgres_server.drop_database(url)


@pytest.mark.parametrize("command", [("backup", "file"), ("migrate",), ("web", "--port", "0"), ("move",)])
def test_an_url_that_names_no_database_is_refused_with_a_line(forked: Gradroom, command: tuple[str, ...]) -> None:
    for url, words in (("mysql://host/name", "mysql is not supported: expected sqlite:"), ("nonsense", "it is not a URL: expected")):
        refused = forked(*command, GRADROOM_DATABASE_URL=url)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert words in refused.stderr and "Traceback" not in refused.stderr
