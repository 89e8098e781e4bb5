"""The version of a database's tables. A new database is made in the newest version; Alembic migrates older ones."""

import os
from contextlib import suppress
from pathlib import Path

from sqlalchemy import Connection, Engine, String, column, insert, inspect, select, table, text
from sqlalchemy.schema import Column, MetaData
from sqlalchemy.schema import Table as Described

import app.classroom.store.schema.class_tables  # noqa: F401 - its tables belong to the metadata, too
from app.classroom.store.engine import file_of, is_postgres
from app.classroom.store.faults.store_faults import StoreOutdated, StoreTooNew
from app.classroom.store.learner_lock import LOCK, lock_key
from app.classroom.store.schema.cascades import make_cascades
from app.classroom.store.schema.tables import StoreTable

VERSIONS = Path(__file__).parents[1] / "migrations" / "versions"
REVISIONS = tuple(sorted(file.name[1:5] for file in VERSIONS.glob("r[0-9]*.py")))  # a module's name begins with its version: r0001_…
HEAD = REVISIONS[-1]
VERSION_TABLE = "alembic_version"  # Alembic's own


def read_revision(connection: Connection) -> str | None:
    """Return the version of a database, or None if it has no tables."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.scalar(select(column("version_num", String)).select_from(table(VERSION_TABLE)))


def make_tables(connection: Connection) -> None:
    """Make all tables in an empty database."""
    StoreTable.metadata.create_all(connection)
    version = Described(VERSION_TABLE, MetaData(), Column("version_num", String(32), primary_key=True))
    version.create(connection)
    connection.execute(insert(version).values(version_num=HEAD))
    make_cascades(connection)


def prepare(writer: Engine, reader: Engine | None = None) -> bool:
    """Make the database if it is missing. Return whether this call made it.

    If `reader` is given, it alone is used on an existing database, which may be read-only. Raises StoreOutdated or StoreTooNew if this code
    cannot use the version of the tables.
    """
    if file := file_of(writer.url):
        make_file(file)
    with (reader or writer).connect() as connection:
        revision = read_revision(connection)
    made = False
    if revision is None:
        with writer.begin() as connection:
            lock_tables(connection)
            revision = read_revision(connection)
            if made := revision is None:  # or another process was first
                make_tables(connection)
                revision = HEAD
    if revision not in REVISIONS:
        raise StoreTooNew(
            f"its tables are of version {revision}, which this Gradroom does not know: use the newer Gradroom, or restore an older backup"
        )
    if revision != HEAD:
        raise StoreOutdated(f"its tables are of version {revision}, and this Gradroom needs {HEAD}: run `gradroom migrate --backup`")
    return made


def lock_tables(connection: Connection) -> None:
    """On PostgreSQL, acquire the lock on making and changing the tables. The lock ends with the transaction.

    On SQLite the transaction itself has locked the file.
    """
    if is_postgres(connection):
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(LOCK, {"key": lock_key("tables")})


def make_file(file: Path) -> None:
    """Make a missing file that only its owner may read. If root makes it, it belongs to the owner of the folder.

    SQLite gives its log the same owner and mode.
    """
    if file.exists():
        return
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):  # another process was first
        made = os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        if os.geteuid() == 0:
            folder = file.parent.stat()
            os.fchown(made, folder.st_uid, folder.st_gid)
        os.close(made)
