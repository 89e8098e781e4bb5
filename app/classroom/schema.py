"""Which version the tables of a database are of. Alembic's migrations change them; a new database is made whole, as they would make it."""

from pathlib import Path

from sqlalchemy import Connection, Engine, String, column, insert, inspect, select, table
from sqlalchemy.schema import Column, MetaData
from sqlalchemy.schema import Table as Described

from app.classroom.store_faults import StoreOutdated, StoreTooNew
from app.classroom.tables import StoreTable

REVISIONS = ("0001",)  # of app/classroom/migrations/versions, in order; a test compares
HEAD = REVISIONS[-1]
VERSION_TABLE = "alembic_version"  # Alembic's own


def read_revision(connection: Connection) -> str | None:
    """The version of a database; None for one without tables."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    version: str | None = connection.execute(select(column("version_num")).select_from(table(VERSION_TABLE))).scalar()
    return version


def make_tables(connection: Connection) -> None:
    """All tables of this version, in an empty database."""
    StoreTable.metadata.create_all(connection)
    version = Described(VERSION_TABLE, MetaData(), Column("version_num", String(32), primary_key=True))
    version.create(connection)
    connection.execute(insert(version).values(version_num=HEAD))


def prepare(engine: Engine) -> None:
    """Makes a missing database. Raises StoreOutdated and StoreTooNew for one that this version cannot use as it is."""
    if engine.url.get_backend_name() == "sqlite" and engine.url.database:
        Path(engine.url.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with engine.begin() as connection:
        revision = read_revision(connection)
        if revision is None:
            make_tables(connection)
        elif revision not in REVISIONS:
            raise StoreTooNew(f"its tables are of version {revision}, which this version of Gradroom does not know")
        elif revision != HEAD:
            raise StoreOutdated(f"its tables are of version {revision}, and this Gradroom needs {HEAD}: run `gradroom migrate`")
