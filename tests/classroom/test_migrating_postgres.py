"""Migrations of PostgreSQL databases, and several processes that make or migrate a database at the same time."""

import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from app.classroom.store.copies.backup import BackupError
from app.classroom.store.database import Database
from app.classroom.store.engine import make_engine
from app.classroom.store.faults.store_faults import StoreOutdated
from app.classroom.store.migrations.migrating import Migrated, migrate, run_migrations
from app.classroom.store.schema import schema
from app.classroom.store.schema.tables import StoreTable
from app.settings import PROJECT
from tests.classroom.test_migrating import file_of, make_of_version
from tests.postgresql import KINDS, PostgresServer

PATIENCE_SECONDS = 100
PROCESSES = 3


@pytest.fixture
def url(postgres_server: PostgresServer) -> Iterator[str]:
    """An empty database, without tables."""
    made = postgres_server.make_database(template="template0")
    yield made
    postgres_server.drop_database(made)


@pytest.fixture(params=KINDS)
def untouched(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without tables; in SQLite without a file."""
    if request.param == "postgresql":
        url: str = request.getfixturevalue("url")
        return url
    (tmp_path / "state").mkdir()
    return f"sqlite:///{tmp_path}/state/classroom.sqlite3"


def read_all(url: str, columns: Mapping[str, Collection[str]]) -> dict[str, list[tuple[object, ...]]]:
    engine = make_engine(url, writes=False)
    with engine.connect() as connection:
        found = {
            table: [tuple(row) for row in connection.execute(text(f"SELECT {', '.join(names)} FROM {table}"))]
            for table, names in columns.items()
        }
    engine.dispose()
    return found


@pytest.mark.parametrize("way", ["made whole", "migrated from nothing"])
def test_a_new_database_has_the_tables_that_are_described(url: str, way: str) -> None:
    engine = make_engine(url, writes=True)
    with engine.begin() as connection:
        if way == "made whole":
            schema.make_tables(connection)
        else:
            run_migrations(connection, schema.HEAD)
        assert compare_metadata(MigrationContext.configure(connection), StoreTable.metadata) == []
        assert schema.read_revision(connection) == schema.HEAD
        found = inspect(connection)
        names = {(name, index["name"]) for name in found.get_table_names() for index in found.get_indexes(name)}
        assert names >= {(table.name, index.name) for table in StoreTable.metadata.tables.values() for index in table.indexes}
    engine.dispose()


@pytest.mark.parametrize("revision", schema.REVISIONS)
def test_from_every_version_nothing_is_lost(url: str, revision: str) -> None:
    columns = make_of_version(url, revision)
    rows = read_all(url, columns)
    assert all(rows.values())
    assert migrate(url) == Migrated(revision, schema.HEAD)
    assert read_all(url, columns) == rows
    assert migrate(url) == Migrated(schema.HEAD, schema.HEAD)


def test_an_old_one_is_refused_until_it_is_migrated(url: str) -> None:
    make_of_version(url, schema.REVISIONS[0])
    database = Database(url)
    with pytest.raises(StoreOutdated, match="gradroom migrate"):
        database.open()
    migrate(url)
    database.open()
    database._engines.dispose()


def test_a_backup_before_a_change_is_refused_with_the_command_that_makes_one(url: str) -> None:
    make_of_version(url, schema.REVISIONS[0])
    with pytest.raises(BackupError, match=r"pg_dump --format=custom .*pg_restore .*COOKIE_SECRET"):
        migrate(url, backup=True)
    engine = make_engine(url, writes=False)
    with engine.connect() as connection:
        assert schema.read_revision(connection) == schema.REVISIONS[0]
    engine.dispose()


def start_together(code: str, *arguments: str) -> list[str]:
    """Run the code in several processes, which wait for each other after they have imported everything. Return their outputs."""
    wait = "print('ready', flush=True); sys.stdin.readline()"
    imports = "import sys; from app.classroom.store.database import Database; from app.classroom.store.migrations.migrating import migrate"
    program = f"{imports}\n{wait}\n{code}"
    command = [sys.executable, "-c", program, *arguments]
    started = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=PROJECT)
        for _ in range(PROCESSES)
    ]
    for one in started:
        assert one.stdout and one.stdout.readline() == "ready\n", one.communicate()[1]
    for one in started:
        assert one.stdin
        one.stdin.write("\n")
        one.stdin.flush()
    ended = [one.communicate(timeout=PATIENCE_SECONDS) for one in started]
    assert [one.returncode for one in started] == [0] * PROCESSES, "".join(error for _, error in ended)
    return [output for output, _ in ended]


def test_several_processes_migrate_once(untouched: str) -> None:
    columns = make_of_version(untouched, schema.REVISIONS[0])
    rows = read_all(untouched, columns)
    told = start_together("done = migrate(sys.argv[1], backup=sys.argv[1].startswith('sqlite')); print(done.backup)", untouched)
    assert read_all(untouched, columns) == rows
    backups = list(file_of(untouched).parent.glob("*.backup")) if untouched.startswith("sqlite") else []
    assert len(backups) == sum(one != "None\n" for one in told) == untouched.startswith("sqlite")
    database = Database(untouched)
    database.open()
    database._engines.dispose()


def test_several_processes_make_a_missing_database_once(untouched: str) -> None:
    told = start_together("database = Database(sys.argv[1]); database.open()", untouched)
    assert sum("store_made" in one for one in told) == 1
    assert migrate(untouched).before == schema.HEAD
