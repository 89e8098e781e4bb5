"""SQLAlchemy engines for the database, set up so that committed changes survive a power cut and nobody waits without end.

PostgreSQL is used through psycopg, which is installed with the extra `gradroom[postgresql]`. Statements are not prepared on its server,
because a connection pooler in between may give each transaction to another server process.
"""

import sqlite3
import time
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url

from app.classroom.store.faults.store_faults import StoreUnreachable
from app.classroom.store.postgres.written_bytes import count_written
from app.setting_groups.database_address import check_database_url

READ_PATIENCE_SECONDS = 0.1  # in WAL readers wait only for a lock on the whole file
WRITE_PATIENCE_SECONDS = 2.0
PAUSE_SECONDS = 0.01  # while another process makes the file
LOG_BYTES = 8 * 1024 * 1024  # to which SQLite truncates the log when it restarts it; it copies the log into the database every 4 MiB

POSTGRES_DRIVER = "postgresql+psycopg"
SECRET_OPTIONS = ("password", "sslpassword")  # that the query of a URL may have
CONNECT_SECONDS = 3  # for each address of the server
POOL_SECONDS = 5.0  # until a connection of this process is free
READ_SECONDS = 10.0  # of one statement of PostgreSQL
WRITE_SECONDS = 60.0  # a deletion of the most that one learner may have takes some seconds
IDLE_SECONDS = 60.0  # within a transaction, after which PostgreSQL ends it, because its process or machine may have stopped
GONE_SECONDS = 10  # without an acknowledgement, after which the connection is closed
# a server may be set up to answer before a commit is on its disk
SYNCHRONOUS = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
KEEPALIVES = {"keepalives": 1, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}


def parse_url(url: str | URL) -> URL:
    """Return the URL of an SQLite or PostgreSQL database with its driver. Raises DatabaseUrlError, also if the driver is missing."""
    parsed = read_url(url)
    return parsed if parsed.get_backend_name() == "sqlite" else parsed.set(drivername=POSTGRES_DRIVER)


def read_url(url: str | URL) -> URL:
    """Return the URL of an SQLite or PostgreSQL database. Raises DatabaseUrlError."""
    return make_url(check_database_url(url) if isinstance(url, str) else url)


def make_engine(url: str | URL, *, writes: bool, connections: int = 1) -> Engine:
    """Return an engine for reading, or for writing. Raises DatabaseUrlError.

    On PostgreSQL it has at most `connections` connections, and one more while others are being closed.
    """
    url = parse_url(url)
    return make_sqlite_engine(url, writes=writes) if url.get_backend_name() == "sqlite" else make_postgres_engine(url, writes, connections)


def make_sqlite_engine(url: URL, *, writes: bool) -> Engine:
    """Return an engine for SQLite. Transactions of a writing engine take the write lock when they begin.

    The database gets a synchronous write-ahead log, and overwrites deleted data. A new database can give free space back
    to the disk (app.classroom.store.sqlite.upkeep).
    """
    engine = create_engine(
        url,
        hide_parameters=True,  # errors are logged, and parameters are learners' texts
        connect_args={"timeout": WRITE_PATIENCE_SECONDS if writes else READ_PATIENCE_SECONDS, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: Any) -> None:
        file = file_of(url)
        may_be_made = file is not None and not log_of(file).exists()  # another process may be making it now
        end = time.monotonic() + (WRITE_PATIENCE_SECONDS if may_be_made else 0)
        while True:
            try:
                set_up_sqlite(connection)
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(PAUSE_SECONDS)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def set_up_sqlite(connection: sqlite3.Connection) -> None:
    connection.isolation_level = None  # we begin transactions ourselves, because Python's own way breaks savepoints
    if connection.execute("PRAGMA page_count").fetchone() == (0,):
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")  # before anything is written
    for pragma in ("journal_mode=WAL", f"journal_size_limit={LOG_BYTES}", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}").fetchall()


def make_postgres_engine(url: URL, writes: bool, connections: int) -> Engine:
    """Return an engine for PostgreSQL. A transaction of a reading engine is one snapshot, and cannot write.

    A writing engine's transactions are READ COMMITTED: what is read after app.classroom.store.learner_lock is what was committed last.
    """
    engine = create_engine(
        url,
        hide_parameters=True,
        pool_pre_ping=True,
        pool_size=connections,
        max_overflow=1,
        pool_timeout=POOL_SECONDS,
        connect_args={
            "connect_timeout": CONNECT_SECONDS,
            "tcp_user_timeout": GONE_SECONDS * 1000,
            "prepare_threshold": None,
            "client_encoding": "utf8",
            "application_name": "gradroom",
            **KEEPALIVES,
        },
    )
    options = {
        "statement_timeout": f"{int((WRITE_SECONDS if writes else READ_SECONDS) * 1000)}ms",
        "lock_timeout": f"{int(WRITE_PATIENCE_SECONDS * 1000)}ms",
        "idle_in_transaction_session_timeout": f"{int(IDLE_SECONDS * 1000)}ms",
        "default_transaction_isolation": "read committed" if writes else "repeatable read",
    }
    if not writes:
        options["default_transaction_read_only"] = "on"
    set_options = "SELECT " + ", ".join("set_config(%s, %s, false)" for _ in options)

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: Any) -> None:
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            connection.close()
            raise StoreUnreachable(f"its encoding is {encoding}, which cannot store every text: create it with ENCODING 'UTF8'")
        connection.autocommit = True
        connection.execute(set_options, [text for option in options.items() for text in option])
        connection.execute(SYNCHRONOUS)
        connection.autocommit = False

    if writes:
        count_written(engine)
    return engine


def is_postgres(connection: Connection) -> bool:
    return connection.dialect.name == "postgresql"


def log_of(file: Path) -> Path:
    """Return the path of the write-ahead log of an SQLite database."""
    return file.with_name(f"{file.name}-wal")


def file_of(url: str | URL) -> Path | None:
    """Return the file of an SQLite database, or None for another database. Raises DatabaseUrlError."""
    url = read_url(url)
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database and url.database != ":memory:" else None


def name_database(url: str | URL) -> str:
    """Return the name of a database for messages: its file, or its URL without secrets."""
    return str(file_of(url) or conceal_secrets(url).render_as_string())


def conceal_secrets(url: str | URL) -> URL:
    """Return the URL of a database without its password. Raises DatabaseUrlError."""
    return read_url(url)._replace(password=None).difference_update_query(SECRET_OPTIONS)
