"""A PostgreSQL server for tests, which listens on a Unix socket only and may lose everything. Debian's package `postgresql-15` has it.

PostgreSQL refuses to run as root: then it runs as an ordinary user.
"""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import URL

from app.classroom.store.engine import make_engine
from app.classroom.store.schema import schema
from app.classroom.store.schema.tables import StoreTable
from app.sandbox import kernel

KINDS = ("sqlite", "postgresql")
# for tests with the fixture `database_url` that ask about one kind, or about what is answered before the database is asked
ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
ONLY_POSTGRES = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
PLACES = ("/usr/lib/postgresql/*/bin", "/usr/local/pgsql/bin")
PATIENCE_SECONDS = 60
TEMPLATE = "template_gradroom"
USERS = ("postgres", "nobody")  # of the system
SUPERUSER, USER = "postgres", "gradroom"  # of the server
OPTIONS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_connections": "60",
    "shared_buffers": "16MB",
    "autovacuum": "off",
    "jit": "off",
    "log_timezone": "UTC",
    "timezone": "UTC",
}


def find_programs() -> Path | None:
    """Return the folder of the newest PostgreSQL's programs, or None if there is none."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else []
    for place in PLACES:
        folders += sorted(Path("/").glob(place[1:]), key=lambda folder: [int(part) for part in folder.parts if part.isdigit()])
    return next((folder for folder in reversed(folders) if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


class PostgresServer:
    """A running server. `make_database` makes databases in it."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="gradroom-pg-", dir="/tmp"))  # short, as a socket's path must be
        self._user = next(name for name in USERS if has_user(name)) if os.geteuid() == 0 else None
        self.give(self.folder)
        self.folder.chmod(0o755)
        self._numbers = count(1)
        self._emptied: str | None = None
        self._process: subprocess.Popen[bytes] | None = None
        try:
            arguments = ["--auth=trust", f"--username={SUPERUSER}", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions"]
            self._run("initdb", f"--pgdata={self.folder}/data", *arguments)
            self.start()
            self.execute(f"CREATE ROLE {USER} LOGIN")
            self._make_template()
        except BaseException:
            self.close()
            raise

    def give(self, folder: Path) -> None:
        """Let the server write into a folder."""
        if self._user:
            shutil.chown(folder, self._user)

    @property
    def pid(self) -> int:
        """The pid of its first process, while it runs."""
        assert self._process is not None
        return self._process.pid

    def start(self, **options: str) -> None:
        """Start the server, and wait until it answers."""
        settings = {**OPTIONS, "unix_socket_directories": str(self.folder), **options}
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self.folder / "data", *(f"--{name}={value}" for name, value in settings.items())],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                user=self._user,
                preexec_fn=end_with_tests,
            )
        self._wait_until_it_answers()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT ends sessions and what they are doing, and after SIGKILL the server has to recover when it starts."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE_SECONDS)
            self._process = None

    def close(self) -> None:
        """Stop the server and delete its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def make_database(self, template: str = TEMPLATE, options: str = "") -> str:
        """Return the URL of a new database with the tables of a new store. With the template "template0" it is empty."""
        name = f"test_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template} OWNER {USER} {options}")
        return self.url_of(name)

    def empty_database(self) -> str:
        """Return the URL of a database whose tables are empty. It is always the same one, because that takes a tenth of the time."""
        if self._emptied is None:
            self._emptied = self.make_database()
        name = self._emptied.rpartition("/")[2].partition("?")[0]
        tables = StoreTable.metadata.sorted_tables
        others = f"datname = '{name}' AND pid != pg_backend_pid()"
        statements = [f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"]
        statements += [f"DELETE FROM {table.name}" for table in reversed(tables)]
        statements += [f"SELECT setval('{table.name}_id_seq', 1, false)" for table in tables if table.autoincrement_column is not None]
        self.execute("; ".join(statements), name)
        return self._emptied

    def drop_database(self, url: str) -> None:
        self.execute(f"DROP DATABASE IF EXISTS {url.rpartition('/')[2].partition('?')[0]} WITH (FORCE)")

    def url_of(self, name: str) -> str:
        return URL.create("postgresql", USER, database=name, query={"host": str(self.folder)}).render_as_string()

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Execute a statement as a superuser, outside of a transaction, and return its rows."""
        with psycopg.connect(host=str(self.folder), user=SUPERUSER, dbname=database, autocommit=True) as connection:
            found = connection.execute(statement.encode())
            return found.fetchall() if found.description else []

    def _make_template(self) -> None:
        self.execute(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0 OWNER {USER}")
        engine = make_engine(self.url_of(TEMPLATE), writes=True)
        schema.prepare(engine)
        engine.dispose()

    def _wait_until_it_answers(self) -> None:
        assert self._process is not None
        while True:
            try:
                self.execute("SELECT 1")
                return
            except psycopg.OperationalError:
                if self._process.poll() is not None:
                    raise RuntimeError((self.folder / "log").read_text()) from None
                time.sleep(0.01)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        done = subprocess.run(command, cwd=self.folder, user=self._user, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr}")


def end_with_tests() -> None:
    """Called in the server's process: it ends when the tests end, however they end."""
    with contextlib.suppress(OSError):
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGINT)


def has_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def url_of_kind(request: pytest.FixtureRequest, folder: Path) -> str:
    """Return the URL of an empty database of the kind that the fixture's parameter names."""
    if request.param == "sqlite":
        return f"sqlite:///{folder}/classroom.sqlite3"
    server: PostgresServer = request.getfixturevalue("postgres_server")
    return server.empty_database()
