"""Makes and restores backups. A backup is one SQLite file.

It contains the database as it was at one moment, and a table with the secret of the cookies. It can be made while a server writes, because
it is copied in one read transaction, which sees one moment and delays no change.
"""

import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from app.classroom.store.database_lock import hold_database
from app.classroom.store.engine import WRITE_PATIENCE_SECONDS, conceal_secrets, file_of
from app.classroom.store.faults.store_faults import name_fault
from app.classroom.store.schema.schema import HEAD, REVISIONS, VERSION_TABLE
from app.classroom.store.times import now_ms

STEP_PAGES = 4096  # copied between two calls of `tell`: 16 MiB
Tell = Callable[[int, int], None]  # called with the numbers of copied and of all pages


class BackupError(Exception):
    """A backup cannot be made or restored; the message says why."""


@dataclass(frozen=True)
class Restored:
    """A restored backup. `secret` says whether the backup contained the secret of the cookies.

    `aside` are the replaced files, under their new names.
    """

    revision: str
    made_ms: int
    secret: bool
    aside: list[Path]


def sqlite_file(url: str) -> Path:
    """Return the database's file. Raises BackupError if the database is not SQLite."""
    file = file_of(url)
    if file is None:
        address = conceal_secrets(url).set(drivername="postgresql").render_as_string()
        raise BackupError(
            "PostgreSQL has its own tools. Back up with: "
            f"pg_dump --format=custom --file=gradroom.dump '{address}'. Restore, while no server runs, with: "
            f"pg_restore --clean --if-exists --no-owner --exit-on-error --single-transaction --dbname='{address}' gradroom.dump. "
            "Keep the key of the cookies with it: GRADROOM_COOKIE_SECRET, or the file cookie_secret in the state folder."
        )
    return file


@contextmanager
def open_snapshot(url: str) -> Iterator[sqlite3.Connection]:
    """Open the database for reading. The context sees it as it is now, whatever others write. Raises BackupError and StoreFault."""
    file = sqlite_file(url)
    if not file.exists():
        raise BackupError(f"There is no database {file}.")
    try:
        snapshot = sqlite3.connect(as_uri(file), uri=True, isolation_level=None, timeout=WRITE_PATIENCE_SECONDS)
        with closing(snapshot):
            snapshot.execute("BEGIN")
            snapshot.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchall()
            yield snapshot
    except sqlite3.Error as error:
        raise name_fault(error) from error


def write_backup(snapshot: sqlite3.Connection, file: Path, secret: str | None, tell: Tell = lambda done, total: None) -> None:
    """Write a backup to `file`, which only its owner may read.

    It is written to another file beside `file`, which is renamed when it is complete. `tell` is called with the copied and the total number
    of pages. Raises BackupError, StoreFault.
    """
    try:
        with drafted(file) as draft, closing(sqlite3.connect(draft, isolation_level=None)) as target:
            target.execute("PRAGMA synchronous=OFF")  # the file is synchronized at the end
            snapshot.backup(target, pages=STEP_PAGES, progress=lambda _, left, total: tell(total - left, total))
            target.execute("PRAGMA journal_mode=DELETE")  # so that opening it makes no second file
            target.execute("CREATE TABLE backup (made_ms INTEGER NOT NULL, cookie_secret TEXT)")
            target.execute("INSERT INTO backup VALUES (?, ?)", (now_ms(), secret))
    except (sqlite3.Error, OSError) as error:
        raise name_fault(error) from error


def restore_backup(url: str, backup: BinaryIO, secret_file: Path, *, replace: bool) -> Restored:
    """Check a backup completely, and put it in the place of the database. An existing database is replaced only if `replace` is set.

    If this raises BackupError, DatabaseInUse or StoreFault, nothing is changed.
    """
    file = sqlite_file(url)
    with hold_database(url, alone=True), ExitStack() as drafts:
        if file.exists() and not replace:
            raise BackupError(f"There is already a database, {file}. With --force it is put aside, and the backup takes its place.")
        draft = new_file(file)
        drafts.callback(draft.unlink, missing_ok=True)
        try:
            with draft.open("wb") as copy:
                shutil.copyfileobj(backup, copy)
            revision, made_ms, secret = unpack(draft)
            ready = [(draft, file)]
            if secret:
                secret_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                secret_draft = new_file(secret_file)
                drafts.callback(secret_draft.unlink, missing_ok=True)
                secret_draft.write_text(secret)
                ready.insert(0, (secret_draft, secret_file))
            aside = put_aside(file, secret_file if secret else None)
            for made, place in ready:
                put_in_place(made, place)
        except (sqlite3.Error, OSError) as error:
            raise name_fault(error) from error
    return Restored(revision, made_ms, secret is not None, aside)


def unpack(file: Path) -> tuple[str, int, str | None]:
    """Turn a copy of a backup into a plain database. Return its version, the time when it was made in milliseconds, and the secret or None.

    Raises BackupError if the backup is damaged.
    """
    try:
        with closing(sqlite3.connect(file, isolation_level=None)) as database:
            found = database.execute("PRAGMA integrity_check(1)").fetchall()
            if found != [("ok",)]:
                raise BackupError(f"This backup is damaged: {found[0][0]}.")
            [(pages, page_bytes)] = database.execute("SELECT page_count, page_size FROM pragma_page_count, pragma_page_size").fetchall()
            if file.stat().st_size != pages * page_bytes:
                raise BackupError("This backup is damaged: its end is missing.")
            [(made_ms, secret)] = database.execute("SELECT made_ms, cookie_secret FROM backup").fetchall()
            [(revision,)] = database.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchall()
            database.execute("PRAGMA secure_delete=ON")  # so that the database has no trace of the secret
            database.execute("DROP TABLE backup")
    except (sqlite3.Error, ValueError) as error:
        fault = name_fault(error)
        if fault.reason in ("full", "read_only"):
            raise fault from error
        raise BackupError(f"This is not a backup of Gradroom, or not all of one ({error}).") from None
    if revision not in REVISIONS:
        raise BackupError(
            f"This backup is of a newer Gradroom: its tables are of version {revision}, and this one knows them up to {HEAD}."
        )
    return revision, made_ms, secret


def put_aside(file: Path, secret_file: Path | None) -> list[Path]:
    """Give each existing file a second name, and return these names.

    The log of the old database is renamed, because SQLite would read it as the log of the new database.
    """
    stamp = f".before-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{secrets.token_hex(2)}"
    aside = []
    for one in (file, secret_file):
        if one and one.exists():
            aside.append(one.with_name(one.name + stamp))
            os.link(one, aside[-1])
    for end in ("-wal", "-shm"):
        log = file.with_name(file.name + end)
        if log.exists():
            log.rename(file.with_name(file.name + stamp + end))
    return aside


def as_uri(file: Path) -> str:
    """Return the URI with which SQLite opens an existing file and does not create a missing one."""
    return f"file:{quote(str(file))}?mode=rw"


@contextmanager
def drafted(place: Path) -> Iterator[Path]:
    """Yield a new file, which takes the place of `place` at the end of the context, or is removed if that raises. Raises BackupError."""
    draft = new_file(place)
    try:
        yield draft
        put_in_place(draft, place)
    finally:
        draft.unlink(missing_ok=True)


def new_file(place: Path) -> Path:
    """Make a new empty file beside `place` that only its owner may read. Raises BackupError."""
    draft = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise BackupError(f"Nothing can be written into {draft.parent}: {error.strerror}.") from None
    return draft


def put_in_place(draft: Path, place: Path) -> None:
    """Write the data of `draft` to the disk, and then rename it to `place`."""
    synchronize(draft)
    draft.replace(place)
    synchronize(place.parent)


def synchronize(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
