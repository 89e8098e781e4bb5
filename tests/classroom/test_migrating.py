"""Migrations: both ways to a new database give the same tables, no migration loses data, and impossible ones are refused."""

import shutil
import sqlite3
from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Boolean, Column, Engine, Integer, LargeBinary, MetaData, func, insert, inspect, select

from app.classroom.store.copies.backup import unpack
from app.classroom.store.database import Database
from app.classroom.store.database_lock import DatabaseInUse, hold_database
from app.classroom.store.engine import make_engine
from app.classroom.store.faults.store_faults import StoreBroken, StoreFull, StoreTooNew
from app.classroom.store.migrations.migrating import MIGRATIONS, Migrated, MigrationError, ignore_foreign_keys, migrate, run_migrations
from app.classroom.store.schema import schema
from app.classroom.store.schema.cascades import drop_cascades
from app.classroom.store.schema.tables import StoreTable
from app.classroom.store.sqlite.upkeep import can_give_back
from tests.classroom.migration_samples import AFTER_NEXT, BROKEN, LAST, LATER, NEXT
from tests.classroom.store_rows import add_learner


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/state/classroom.sqlite3"


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """Our migrations, and a later one."""
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / f"r{NEXT}_later.py").write_text(LATER)
    return folder


def file_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


def fill(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Make a database of this version with a row in every table, and return all rows."""
    database = Database(url)
    database.enqueue(add_learner("a", text="a's")).result()
    database.enqueue(add_learner("b", text="b's", drafts=3)).result()
    database.read_here(lambda _: None)
    fill_empty_tables(url)
    return read_all(url)


def fill_empty_tables(url: str) -> None:
    """Insert a row into every table that has none, of whatever version the database is."""
    engine, described = make_engine(url, writes=True), MetaData()
    with engine.begin() as connection:
        described.reflect(connection)
        for table in described.sorted_tables:
            if connection.execute(select(func.count()).select_from(table)).scalar_one() == 0:
                connection.execute(insert(table), {column.name: sample_of(column) for column in table.columns})
    engine.dispose()


def sample_of(column: Column[Any]) -> object:
    if isinstance(column.type, LargeBinary):
        return b"x"
    if isinstance(column.type, Boolean):
        return True
    return 1 if isinstance(column.type, Integer) else "x"


def read_all(url: str, columns: Mapping[str, Collection[str]] | None = None) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of all tables, or only `columns`, which are by table."""
    columns = columns or {table.name: table.columns.keys() for table in StoreTable.metadata.tables.values()}
    with sqlite3.connect(file_of(url)) as connection:
        found = {table: connection.execute(f"select {', '.join(names)} from {table}").fetchall() for table, names in columns.items()}
    connection.close()
    return found


def revision_of(url: str) -> str:
    with sqlite3.connect(file_of(url)) as connection:
        [(revision,)] = connection.execute("select version_num from alembic_version").fetchall()
    connection.close()
    return str(revision)


def make_of_version(url: str, revision: str) -> dict[str, list[str]]:
    """Make a database of this version, with a row in every table. Return the names of its columns, by table."""
    engine = make_engine(url, writes=True)
    with engine.begin() as connection:
        run_migrations(connection, revision)
        described = inspect(connection)
        columns = {
            table: [column["name"] for column in described.get_columns(table)]
            for table in described.get_table_names()
            if table in StoreTable.metadata.tables
        }
    engine.dispose()
    fill_empty_tables(url)
    return columns


def engine_for(url: str) -> Engine:
    file_of(url).parent.mkdir()
    return make_engine(url, writes=True)


def test_the_versions_that_the_server_knows_are_those_of_the_migrations() -> None:
    assert tuple(script.revision for script in ScriptDirectory(MIGRATIONS).walk_revisions())[::-1] == schema.REVISIONS


@pytest.mark.parametrize("way", ["made whole", "migrated from nothing"])
def test_a_new_database_has_the_tables_that_are_described(url: str, way: str) -> None:
    """What is printed when this fails is what a migration has to do."""
    engine = engine_for(url)
    with engine.begin() as connection:
        if way == "made whole":
            schema.make_tables(connection)
        else:
            run_migrations(connection, schema.HEAD)
        assert compare_metadata(MigrationContext.configure(connection), StoreTable.metadata) == []
        assert schema.read_revision(connection) == schema.HEAD
        names = {(name, index["name"]) for name in inspect(connection).get_table_names() for index in inspect(connection).get_indexes(name)}
        assert names == {(table.name, index.name) for table in StoreTable.metadata.tables.values() for index in table.indexes}
    engine.dispose()


@pytest.mark.parametrize("revision", schema.REVISIONS)
def test_from_every_version_nothing_is_lost(url: str, revision: str) -> None:
    file_of(url).parent.mkdir()
    columns = make_of_version(url, revision)
    rows = read_all(url, columns)
    assert all(rows.values())
    migrate(url)
    assert read_all(url, columns) == rows
    assert revision_of(url) == schema.HEAD


def test_a_table_that_others_refer_to_is_changed_and_changed_back_and_nothing_is_lost(url: str, scripts: Path) -> None:
    rows = fill(url)
    assert migrate(url, scripts=scripts) == Migrated(schema.HEAD, NEXT)
    assert read_all(url) == rows
    with sqlite3.connect(file_of(url)) as connection:
        assert connection.execute("select nickname from learner").fetchall() == [(None,), (None,)]
        assert connection.execute("pragma foreign_key_check").fetchall() == []
    connection.close()
    assert migrate(url, to=schema.HEAD, scripts=scripts) == Migrated(NEXT, schema.HEAD)
    assert read_all(url) == rows
    database = Database(url)
    assert database.read_here(lambda connection: compare_metadata(MigrationContext.configure(connection), StoreTable.metadata)) == []


def test_down_is_refused_where_something_would_be_lost(url: str, scripts: Path) -> None:
    (scripts / "versions" / f"r{AFTER_NEXT}_last.py").write_text(LAST)
    fill(url)
    migrate(url, scripts=scripts)
    with pytest.raises(MigrationError, match=f"Without version {AFTER_NEXT}, something that is kept would be lost"):
        migrate(url, to=schema.HEAD, scripts=scripts)
    assert revision_of(url) == AFTER_NEXT


def test_a_migration_that_fails_in_the_middle_changes_nothing(url: str, scripts: Path) -> None:
    (scripts / "versions" / f"r{AFTER_NEXT}_last.py").write_text(BROKEN)
    rows = fill(url)
    with pytest.raises(Exception, match="nonsense"):
        migrate(url, scripts=scripts)
    assert revision_of(url) == schema.HEAD
    assert read_all(url) == rows


def test_rows_that_would_belong_to_nothing_stop_a_migration(url: str) -> None:
    fill(url)
    engine = make_engine(url, writes=True)
    with engine.begin() as connection:
        drop_cascades(connection)
    ignore = engine.raw_connection()
    ignore_foreign_keys(ignore.driver_connection, None)
    ignore.cursor().execute("delete from learner where id = 1")
    with pytest.raises(MigrationError, match="belong to nothing"), engine.begin() as connection:
        run_migrations(connection, schema.HEAD)
    engine.dispose()


def test_a_missing_database_is_made(url: str) -> None:
    assert migrate(url, backup=True) == Migrated(None, schema.HEAD)
    assert revision_of(url) == schema.HEAD


def test_one_that_is_as_it_should_be_is_left_alone_also_while_it_is_served(url: str) -> None:
    fill(url)
    with hold_database(url, alone=False):
        assert migrate(url, backup=True) == Migrated(schema.HEAD, schema.HEAD)


def keep_freed_room(url: str) -> None:
    """Make the database as Gradroom made it before it could give space back."""
    with closing(sqlite3.connect(file_of(url), isolation_level=None)) as connection:
        connection.execute("pragma auto_vacuum=none")
        connection.execute("vacuum")


def test_one_of_before_gives_freed_room_back_from_then_on(url: str) -> None:
    rows = fill(url)
    keep_freed_room(url)
    assert migrate(url, backup=True) == Migrated(schema.HEAD, schema.HEAD, gives_back=True)
    assert read_all(url) == rows
    with closing(sqlite3.connect(file_of(url))) as connection:
        assert can_give_back(connection)
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
    assert migrate(url) == Migrated(schema.HEAD, schema.HEAD)


def test_one_of_before_gives_back_after_its_tables_are_changed_too(url: str, scripts: Path) -> None:
    rows = fill(url)
    keep_freed_room(url)
    done = migrate(url, backup=True, scripts=scripts)
    assert (done.after, done.gives_back) == (NEXT, True) and done.backup
    assert read_all(url) == rows


def test_one_that_is_served_is_not_changed(url: str, scripts: Path) -> None:
    fill(url)
    with hold_database(url, alone=False), pytest.raises(DatabaseInUse, match="a server uses it: stop that first"):
        migrate(url, scripts=scripts)
    assert revision_of(url) == schema.HEAD


def test_a_newer_one_is_refused(url: str) -> None:
    fill(url)
    with sqlite3.connect(file_of(url)) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    connection.close()
    with pytest.raises(StoreTooNew, match=f"of version 9999, and this Gradroom knows versions up to {schema.HEAD}"):
        migrate(url)
    assert revision_of(url) == "9999"


def test_a_version_that_is_none_is_refused(url: str) -> None:
    fill(url)
    with pytest.raises(MigrationError, match=rf"There is no version 7; there are {', '.join(schema.REVISIONS)}\."):
        migrate(url, to="7")


def test_a_broken_one_is_named(url: str) -> None:
    file_of(url).parent.mkdir()
    file_of(url).write_bytes(b"no database" * 1000)
    with pytest.raises(StoreBroken):
        migrate(url)


def test_before_a_change_there_is_a_backup_and_the_newest_few_are_kept(url: str, scripts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = fill(url)
    kept = []
    for second in range(3):
        monkeypatch.setattr("time.gmtime", lambda second=second: (2026, 11, 22, 16, 30, second, 6, 326, 0))
        kept += [migrate(url, backup=True, secret="s", to=to, scripts=scripts).backup for to in (NEXT, schema.HEAD)]
    there = sorted(file_of(url).parent.glob("*.backup"))
    assert there == kept[3:]
    assert [path.name for path in there] == [
        f"classroom-20261122T163001Z-{NEXT}.backup",
        f"classroom-20261122T163002Z-{schema.HEAD}.backup",
        f"classroom-20261122T163002Z-{NEXT}.backup",
    ]
    revision, _, secret = unpack(there[1])
    assert (revision, secret) == (schema.HEAD, "s")
    assert read_all(f"sqlite:///{there[1]}") == rows


def test_without_a_backup_nothing_is_changed(url: str, scripts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(url)

    def fail(*_: object) -> None:
        raise StoreFull("the disk is full")

    monkeypatch.setattr("app.classroom.store.migrations.migrating.write_backup", fail)
    with pytest.raises(StoreFull):
        migrate(url, backup=True, scripts=scripts)
    assert revision_of(url) == schema.HEAD
