"""Migrates a database to another version of its tables, with Alembic. Servers import neither this module nor Alembic.

If several processes do this at once, one of them migrates, and the others wait until it has. Older SQLite databases are also rewritten
so that they give free space back to the disk.

The migrations are in the folder `versions` beside this module. A migration that can be undone without losing data has a `downgrade`.
"""

import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import SQLAlchemyError

from app.classroom.store.copies.backup import open_snapshot, sqlite_file, write_backup
from app.classroom.store.database_lock import DatabaseInUse, hold_database
from app.classroom.store.engine import file_of, make_engine
from app.classroom.store.faults.store_faults import StoreTooNew, name_fault
from app.classroom.store.schema.cascades import count_orphans, delete_orphans, drop_cascades, make_cascades
from app.classroom.store.schema.schema import lock_tables, make_file, make_tables, read_revision
from app.classroom.store.sqlite.upkeep import INCREMENTAL, truncate_log
from app.classroom.store.store_room import read_pragma

MIGRATIONS = Path(__file__).parent
MOST_BACKUPS = 3
OTHERS_SECONDS = 60.0  # to wait while another process migrates the same SQLite database


class MigrationError(Exception):
    """The database cannot be migrated to the wanted version; the message says why."""


@dataclass(frozen=True)
class Migrated:
    """What `migrate` has done: the versions before and after, and the backup if one was made. `before` is None if there was no database.

    `gives_back` is true if the database was rewritten so that it gives free space back to the disk. `orphans` is the number of deleted rows
    without a parent: another program had deleted their learners.
    """

    before: str | None
    after: str
    backup: Path | None = None
    gives_back: bool = False
    orphans: int = 0


def migrate(url: str, *, backup: bool = False, secret: str | None = None, to: str | None = None, scripts: Path = MIGRATIONS) -> Migrated:
    """Migrate a database to version `to`, by default the newest. A missing database is made.

    If `backup` is set and the tables change, a backup with the cookies' `secret` is first made beside the database. If this raises
    MigrationError, BackupError, DatabaseInUse or StoreFault, nothing is changed. For PostgreSQL, `backup` raises BackupError.
    """
    directory = ScriptDirectory(scripts)
    wanted = to or str(directory.get_current_head())
    engine = make_engine(url, writes=True)
    if file_of(url):
        event.listen(engine, "connect", ignore_foreign_keys)
    try:
        before = make_missing(engine)
        current, orphans = find_revision(engine), find_orphans(engine)
        verify_way(directory, current, wanted)
        if current == wanted and not orphans and not keeps_freed_room(engine):
            return Migrated(before, wanted)
        with hold_database(url, alone=True, patience_seconds=OTHERS_SECONDS):
            made = None
            if orphans or find_revision(engine) != wanted:  # or another process has just migrated it
                made = back_up(url, str(current), secret) if backup else None
                with engine.begin() as connection:
                    lock_tables(connection)
                    orphans = delete_orphans(connection)
                    if read_revision(connection) != wanted:
                        run_migrations(connection, wanted, scripts)
            gives_back = keeps_freed_room(engine)
            if gives_back:
                make_give_back(engine)
        return Migrated(before, wanted, made, gives_back, orphans)
    except (sqlite3.Error, SQLAlchemyError, OSError) as error:
        raise name_fault(error) from error
    except DatabaseInUse:
        if find_revision(engine) == wanted and not find_orphans(engine):  # another process has migrated it, and a server uses it
            return Migrated(before, wanted)
        raise
    finally:
        engine.dispose()


def find_revision(engine: Engine) -> str | None:
    with engine.connect() as connection:
        return read_revision(connection)


def find_orphans(engine: Engine) -> int:
    with engine.connect() as connection:
        return count_orphans(connection)


def keeps_freed_room(engine: Engine) -> bool:
    """Return whether this is an SQLite database, of an older Gradroom, that cannot give free space back to the disk."""
    if file_of(engine.url) is None:
        return False
    with engine.connect() as connection:
        return read_pragma(connection, "auto_vacuum") != INCREMENTAL


def make_give_back(engine: Engine) -> None:
    """Rewrite the whole database, so that it can give free space back. The disk needs room for two more copies of it.

    If this raises sqlite3.Error, nothing is changed.
    """
    with closing(engine.raw_connection()) as connection:  # outside of a transaction
        assert isinstance(connection.driver_connection, sqlite3.Connection)
        connection.driver_connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        connection.driver_connection.execute("VACUUM")
        truncate_log(connection.driver_connection)


def make_missing(engine: Engine) -> str | None:
    """If the database is missing, make it in the newest version and return None. Otherwise return its version."""
    if file := file_of(engine.url):
        make_file(file)
    before = find_revision(engine)
    if before is not None:
        return before
    with engine.begin() as connection:
        lock_tables(connection)
        before = read_revision(connection)
        if before is None:
            make_tables(connection)
    return before


def verify_way(directory: ScriptDirectory, current: str | None, wanted: str) -> None:
    """Check that the tables can be migrated from version `current` to version `wanted`.

    Raises StoreTooNew if `current` is unknown, and MigrationError if `wanted` is unknown or a migration to undo has no `downgrade`.
    """
    order = [script.revision for script in directory.walk_revisions()][::-1]
    if current not in order:
        raise StoreTooNew(
            f"the tables are of version {current}, and this Gradroom knows versions up to {order[-1]}: use the newer Gradroom"
        )
    if wanted not in order:
        raise MigrationError(f"There is no version {wanted}; there are {', '.join(order)}.")
    for revision in order[order.index(wanted) + 1 : order.index(current) + 1]:
        script = directory.get_revision(revision)
        if script and not hasattr(script.module, "downgrade"):
            raise MigrationError(
                f"Without version {revision}, something that is kept would be lost. Restore an earlier backup, if you want that."
            )


def run_migrations(connection: Connection, to: str, scripts: Path = MIGRATIONS) -> None:
    """Run the migrations that lead from the database's version to version `to`, in the connection's transaction. Raises MigrationError."""
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    current = read_revision(connection)
    drop_cascades(connection)
    (command.downgrade if current and current > to else command.upgrade)(config, to)
    make_cascades(connection)
    if connection.dialect.name == "sqlite" and (lost := connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()):
        raise MigrationError(f"The migration to {to} would leave {len(lost)} rows that belong to nothing.")


def ignore_foreign_keys(connection: Any, _: Any) -> None:
    """Turn foreign keys off, so that a migration can replace a table.

    SQLite changes a table by making a new one and deleting the old one. That must not delete the rows that refer to the old table.
    """
    connection.execute("PRAGMA foreign_keys=OFF")


def back_up(url: str, revision: str, secret: str | None) -> Path:
    """Make a backup beside the database, named by time and version, and delete all but the newest MOST_BACKUPS."""
    file = sqlite_file(url)
    made = file.with_name(f"{file.stem}-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{revision}.backup")
    with open_snapshot(url) as snapshot:
        write_backup(snapshot, made, secret)
    for old in sorted(file.parent.glob(f"{file.stem}-*.backup"))[:-MOST_BACKUPS]:
        old.unlink()
    return made
