"""A row that is deleted with another program takes what belongs to it, although foreign keys are off there."""

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import insert

from app.classroom.store.database import Database
from app.classroom.store.engine import make_engine
from app.classroom.store.migrations.migrating import MIGRATIONS, Migrated, migrate, run_migrations
from app.classroom.store.schema.cascades import count_orphans, delete_orphans, drop_cascades, list_keys
from app.classroom.store.schema.schema import HEAD
from app.classroom.store.schema.tables import PersonRow, PersonSessionRow, StoreTable
from tests.classroom.migration_samples import LATER, NEXT
from tests.classroom.store_rows import add_learner

OF_LEARNERS = ("attempt", "kept_answer", "draft", "draft_version")  # in which `add_learner` makes rows


@pytest.fixture
def file(tmp_path: Path) -> Path:
    database = Database(f"sqlite:///{tmp_path}/classroom.sqlite3")
    for name in ("ann", "bob"):
        database.enqueue(add_learner(name, text=name)).result()
    asyncio.run(database.close())
    return tmp_path / "classroom.sqlite3"


@contextmanager
def opened(file: Path) -> Iterator[sqlite3.Connection]:
    """Open the file as other programs do, and commit."""
    with closing(sqlite3.connect(file)) as connection, connection:
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (0,)
        yield connection


def count_rows(file: Path) -> dict[str, int]:
    with opened(file) as connection:
        return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in OF_LEARNERS}


def list_triggers(file: Path) -> set[str]:
    with opened(file) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}


def described_triggers() -> set[str]:
    keys = [key for table in StoreTable.metadata.tables.values() for key in table.foreign_keys]
    assert {key.ondelete for key in keys} == {"CASCADE"}
    return {f"cascade_{key.parent.table.name}_{key.parent.name}" for key in keys}


def test_a_learner_deleted_by_hand_leaves_nothing_to_the_next(file: Path) -> None:
    before = count_rows(file)
    with opened(file) as connection:
        [(number,)] = connection.execute("SELECT max(id) FROM learner").fetchall()
        connection.execute("DELETE FROM learner WHERE name = 'bob'")
        connection.execute("INSERT INTO learner (name, made_ms, seen_ms, bytes, reviews) VALUES ('next', 1, 1, 0, 1)")
        assert connection.execute("SELECT id FROM learner WHERE name = 'next'").fetchone() == (number,)
    assert count_rows(file) == {table: rows // 2 for table, rows in before.items()}


def test_a_person_deleted_by_hand_leaves_no_session(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    database.enqueue(
        lambda connection: (
            connection.execute(insert(PersonRow).values(id=1, name="Ada", name_key="ada", role="operator", made_ms=1)),
            connection.execute(insert(PersonSessionRow).values(person_id=1, token_sha256="", made_ms=1, seen_ms=1, client="")),
        )
    ).result()
    with opened(file) as connection:
        connection.execute("DELETE FROM person")
        assert connection.execute("SELECT count(*) FROM person_session").fetchone() == (0,)


def test_every_foreign_key_has_a_trigger(file: Path) -> None:
    assert list_triggers(file) == described_triggers()


@pytest.mark.parametrize("revision", ["0001", HEAD])
def test_a_migrated_database_has_the_same_triggers(tmp_path: Path, revision: str) -> None:
    url = f"sqlite:///{tmp_path}/classroom.sqlite3"
    engine = make_engine(url, writes=True)
    with engine.begin() as connection:
        run_migrations(connection, revision)
    engine.dispose()
    migrate(url)
    assert list_triggers(tmp_path / "classroom.sqlite3") == described_triggers()


def test_a_migration_that_replaces_a_table_keeps_its_triggers_and_rows(file: Path, tmp_path: Path) -> None:
    scripts = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    (scripts / "versions" / f"r{NEXT}_later.py").write_text(LATER)
    before = count_rows(file)
    migrate(f"sqlite:///{file}", scripts=scripts)
    assert list_triggers(file) == described_triggers()
    assert count_rows(file) == before


def test_orphans_are_counted_and_deleted_by_the_next_migration(file: Path) -> None:
    url = f"sqlite:///{file}"
    engine = make_engine(url, writes=True)
    with engine.begin() as connection:
        drop_cascades(connection)
    before = count_rows(file)
    with opened(file) as connection:
        connection.execute("DELETE FROM learner WHERE name = 'ann'")
    assert count_rows(file) == before
    orphans = sum(before.values()) // 2
    with engine.begin() as connection:
        assert count_orphans(connection) == orphans
    engine.dispose()
    assert migrate(url) == Migrated(HEAD, HEAD, orphans=orphans)
    assert count_rows(file) == {table: rows // 2 for table, rows in before.items()}
    assert migrate(url) == Migrated(HEAD, HEAD)


def test_an_answer_whose_attempt_is_an_orphan_is_deleted_too(file: Path) -> None:
    engine = make_engine(f"sqlite:///{file}", writes=True)
    with opened(file) as connection:
        connection.execute("DROP TRIGGER cascade_kept_answer_attempt_id")
        connection.execute("DELETE FROM attempt")
    with engine.begin() as connection:
        assert delete_orphans(connection) == 2
        assert delete_orphans(connection) == 0
        assert {key.child for key in list_keys(connection) if key.parent == "attempt"} == {"kept_answer", "note"}
    engine.dispose()


def test_deleting_counts_only_the_learner_itself(file: Path) -> None:
    engine = make_engine(f"sqlite:///{file}", writes=True)
    with engine.begin() as connection:
        assert connection.exec_driver_sql("DELETE FROM learner WHERE name = 'ann'").rowcount == 1
    engine.dispose()
