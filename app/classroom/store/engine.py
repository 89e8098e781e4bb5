"""SQLAlchemy engines for the database, set up so that committed changes survive a power cut and deleted data is overwritten."""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url

READ_PATIENCE_SECONDS = 0.1  # in WAL readers wait only for a lock on the whole file
WRITE_PATIENCE_SECONDS = 2.0
LOG_BYTES = 8 * 1024 * 1024  # to which SQLite cuts the write-ahead log when it restarts it; it copies the log into the database every 4 MiB


def make_engine(url: str | URL, *, writes: bool) -> Engine:
    """Return an engine for reading, or for writing. Transactions of a writing engine take the write lock when they begin.

    SQLite gets a synchronous write-ahead log, and overwrites deleted data. A new database is made so that it can give free space back to
    the disk (app.classroom.store.upkeep).
    """
    patience = WRITE_PATIENCE_SECONDS if writes else READ_PATIENCE_SECONDS
    if make_url(url).get_backend_name() != "sqlite":
        return create_engine(url, hide_parameters=True, pool_pre_ping=True)
    connect_args = {"timeout": patience, "check_same_thread": False}
    engine = create_engine(url, hide_parameters=True, connect_args=connect_args)  # errors are logged, and parameters are learners' texts

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # we begin transactions ourselves, because Python's own way breaks savepoints
        if connection.execute("PRAGMA page_count").fetchone() == (0,):
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")  # before anything is written
        for pragma in ("journal_mode=WAL", f"journal_size_limit={LOG_BYTES}", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            connection.execute(f"PRAGMA {pragma}").fetchall()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def log_of(file: Path) -> Path:
    """Return the path of the write-ahead log of an SQLite database."""
    return file.with_name(f"{file.name}-wal")


def file_of(url: str | URL) -> Path | None:
    """Return the file of an SQLite database, or None for another database."""
    url = make_url(url)
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database and url.database != ":memory:" else None


def name_database(url: str | URL) -> str:
    """Return the name of a database for messages: its file, or its URL without the password."""
    return str(file_of(url) or make_url(url).render_as_string())
