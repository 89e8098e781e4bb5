"""A backup is one file: the database as it was at one moment, with one table more, which holds the secret of the cookies.

It is an SQLite database itself. Made while a server writes: a read transaction keeps its moment, and nobody waits for it.
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
from app.classroom.store.engine import WRITE_PATIENCE_SECONDS, file_of
from app.classroom.store.schema import HEAD, REVISIONS, VERSION_TABLE
from app.classroom.store.store_faults import name_fault
from app.classroom.store.times import now_ms

STEP_PAGES = 4096  # copied between two looks at how far it is; 16 MiB
Tell = Callable[[int, int], None]  # how many pages of how many are copied


class BackupError(Exception):
    """It cannot be backed up or restored; the message says why."""


@dataclass(frozen=True)
class Restored:
    """A backup that was restored. `secret`: whether it holds one. `aside`: the files that it replaced, under their new names."""

    revision: str
    made_ms: int
    secret: bool
    aside: list[Path]


def sqlite_file(url: str) -> Path:
    """The database's file; raises BackupError if another program than SQLite keeps it."""
    file = file_of(url)
    if file is None:
        raise BackupError(
            "This database is not SQLite: back it up and restore it with the tools of its own server (for PostgreSQL pg_dump and "
            "pg_restore), and keep the cookie's secret, GRADROOM_COOKIE_SECRET or cookie_secret in the state folder, with it."
        )
    return file


@contextmanager
def open_snapshot(url: str) -> Iterator[sqlite3.Connection]:
    """The database as it is now, whatever is written meanwhile. Raises BackupError, StoreFault."""
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
    """Writes the file beside its place and renames it when it is whole; nobody but its owner may read it. Raises BackupError,
    StoreFault."""
    draft = new_file(file)
    try:
        with closing(sqlite3.connect(draft, isolation_level=None)) as target:
            target.execute("PRAGMA synchronous=OFF")  # the whole is synchronized at its end
            snapshot.backup(target, pages=STEP_PAGES, progress=lambda _, left, total: tell(total - left, total))
            target.execute("PRAGMA journal_mode=DELETE")  # else opening it would make a second file
            target.execute("CREATE TABLE backup (made_ms INTEGER NOT NULL, cookie_secret TEXT)")
            target.execute("INSERT INTO backup VALUES (?, ?)", (now_ms(), secret))
        put_in_place(draft, file)
    except (sqlite3.Error, OSError) as error:
        raise name_fault(error) from error
    finally:
        draft.unlink(missing_ok=True)


def restore_backup(url: str, backup: BinaryIO, secret_file: Path, *, replace: bool) -> Restored:
    """Puts a backup in the database's place, after all of it was looked at. With `replace` also where there is a database already.

    Raises BackupError, DatabaseInUse, StoreFault; nothing is changed then.
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
    """Makes a copy of a backup the plain database: its version, when it was made, and the secret. Raises BackupError if it is not whole."""
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
            database.execute("PRAGMA secure_delete=ON")  # the secret is to be in its own file alone
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
    """Gives what is there a second name; the database's log has it alone then, or it would be taken for the new one's."""
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
    """For SQLite: an existing file, which is not made if it is gone by then."""
    return f"file:{quote(str(file))}?mode=rw"


def new_file(place: Path) -> Path:
    """A new empty file beside a place, for its owner alone. Raises BackupError."""
    draft = place.with_name(f".{place.name}.{secrets.token_hex(4)}")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise BackupError(f"Nothing can be written into {draft.parent}: {error.strerror}.") from None
    return draft


def put_in_place(draft: Path, place: Path) -> None:
    """Renames a file once all of it is on the disk."""
    synchronize(draft)
    draft.replace(place)
    synchronize(place.parent)


def synchronize(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
