"""The commands `backup`, `restore`, `migrate` and `move`, and the checks of the store before web serves."""

import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from app.classroom.store.copies.backup import BackupError, Tell, drafted, open_snapshot, restore_backup, write_backup
from app.classroom.store.copies.move import MoveError, move
from app.classroom.store.database import Database
from app.classroom.store.database_lock import DatabaseInUse, hold_database
from app.classroom.store.engine import file_of, name_database, parse_url
from app.classroom.store.faults.store_faults import StoreFault, StoreOutdated, StoreTooNew, name_fault
from app.classroom.store.sqlite.upkeep import INCREMENTAL
from app.classroom.store.store_room import read_pragma
from app.classroom.store.times import to_datetime
from app.serving.command_line import GRADROOM
from app.serving.command_refused import CommandRefused
from app.serving.web_process.web_user import become_web_user, has_web_user
from app.setting_groups.database_address import DatabaseUrlError
from app.settings import PREFIX, Settings
from app.web.guards.sessions import SECRET_FILE

STREAM = "-"  # in place of a file: standard output, or standard input
TOLD_AFTER_SECONDS = 2.0
Say = Callable[[str], None]


@contextmanager
def naming_the_store(settings: Settings) -> Iterator[None]:
    """Turn exceptions of the store into CommandRefused, with a message that names the database."""
    try:
        yield
    except StoreFault as error:
        raise CommandRefused(f"The database {name_database(settings.database)} cannot be used: {error}.") from None
    except (BackupError, DatabaseInUse, MoveError) as error:
        raise CommandRefused(str(error)) from None
    except DatabaseUrlError as error:
        raise CommandRefused(f"{PREFIX}DATABASE_URL: {error}") from None
    except OSError as error:
        raise CommandRefused(f"{error.filename or settings.state_folder}: {error.strerror}.") from None


def back_up(settings: Settings, file: str, say: Say) -> None:
    """Write a backup to a file, or to standard output if `file` is "-". Raises CommandRefused."""
    if has_web_user(settings) and file != STREAM:
        receive_file(settings, Path(file).absolute(), [*GRADROOM, "backup", STREAM], "Nothing was backed up.")
        return
    if file == STREAM:
        stream_backup(settings, say)
    else:
        with naming_the_store(settings), open_snapshot(settings.database) as snapshot:
            write_backup(snapshot, Path(file).absolute(), read_secret(settings), tell_progress(say))
    if settings.cookie_secret:
        say(f"The key of the cookies is not in it: keep {PREFIX}COOKIE_SECRET too.")


def stream_backup(settings: Settings, say: Say) -> None:
    """Write a backup to standard output, through a file in the state folder, because SQLite cannot write to a pipe."""
    become_web_user(settings)
    file = settings.state_folder / f"{secrets.token_hex(8)}.backup"
    with naming_the_store(settings), ExitStack() as stack:
        stack.callback(file.unlink, missing_ok=True)
        with open_snapshot(settings.database) as snapshot:
            write_backup(snapshot, file, read_secret(settings), tell_progress(say))
        with file.open("rb") as written:
            shutil.copyfileobj(written, sys.stdout.buffer)


def receive_file(settings: Settings, file: Path, command: Sequence[str], failure: str) -> None:
    """As root, run a command that becomes web's user, and write what it prints to a file. Raises CommandRefused.

    Root does not open the database itself, because web's user may have put links in place of its files. Web's user may not be allowed to
    write to `file`, so this process writes it.
    """
    with naming_the_store(settings), drafted(file) as draft, draft.open("wb") as output:
        if subprocess.run(command, stdout=output, check=False).returncode:
            raise CommandRefused(failure)


def restore(settings: Settings, file: str, *, force: bool, say: Say) -> None:
    """Put a backup in the place of the database. Raises CommandRefused."""
    with open_backup(file) as backup, naming_the_store(settings):
        become_web_user(settings)  # after the file is open, because perhaps only root can read it
        restored = restore_backup(settings.database, backup, settings.state_folder / SECRET_FILE, replace=force)
    made = to_datetime(restored.made_ms)
    say(f"Restored what was backed up on {made:%Y-%m-%d at %H:%M} UTC; its tables are of version {restored.revision}.")
    for path in restored.aside:
        say(f"What was there before is now {path}. Delete it when you no longer need it.")
    if settings.cookie_secret or not restored.secret:
        say(f"Cookies given earlier are valid only if {PREFIX}COOKIE_SECRET is what it was then.")


def migrate(settings: Settings, *, backup: bool, to: str | None, say: Say) -> None:
    """Bring the database to version `to`, by default the newest. Raises CommandRefused."""
    become_web_user(settings)
    from app.classroom.store.migrations import migrating

    with naming_the_store(settings):
        try:
            done = migrating.migrate(settings.database, backup=backup, secret=read_secret(settings), to=to)
        except migrating.MigrationError as error:
            raise CommandRefused(str(error)) from None
    if done.before is None:
        say(f"Made the database, with tables of version {done.after}.")
    elif done.before == done.after and not done.gives_back and not done.orphans:
        say(f"The tables are already of version {done.after}: nothing was changed.")
    elif done.before != done.after:
        say(f"The tables were of version {done.before} and are of version {done.after} now.")
    if done.orphans:
        say(f"Deleted {done.orphans} rows of learners who had been deleted with another program. Use `gradroom learner erase` for that.")
    if done.gives_back:
        say("From now on, the database gives freed room back to the disk.")
    if done.backup:
        say(f"A backup of the earlier database is {done.backup}.")


def move_database(settings: Settings, target: str | None, say: Say) -> None:
    """Copy the SQLite database into an empty PostgreSQL database, `target` or the one of the settings. Raises CommandRefused."""
    with naming_the_store(settings):
        if file_of(settings.database):
            source = settings.database
        else:
            source, target = settings.model_copy(update={"database_url": None}).database, target or settings.database
        if target is None:
            raise CommandRefused("Where to? Say --to postgresql://USER@HOST/DATABASE.")
        try:
            parse_url(target)
        except DatabaseUrlError as error:
            raise CommandRefused(f"--to: {error}") from None
        become_web_user(settings)
        try:
            rows = move(source, target, lambda table, rows: say(f"{table}: {rows:,} rows"))
        except StoreFault as fault:
            raise CommandRefused(f"The database {name_database(source)} cannot be moved to {name_database(target)}: {fault}.") from None
    say(f"Moved {rows:,} rows; as many are there, and they are the same. The SQLite database is as it was.")
    say(f"Now set {PREFIX}DATABASE_URL to the new database, keep the key of the cookies as it is, and start the server.")


@contextmanager
def serving_store(settings: Settings, database: Database, *, migrate_first: bool) -> Iterator[None]:
    """Lock the database in this context, while a server uses it.

    If the database is damaged, read-only, full or locked, that is logged, and web serves without it. Raises CommandRefused while the
    database is being restored. Tables of another version are refused too, unless they are older and `migrate_first` is set.
    """
    with ExitStack() as stack:
        with naming_the_store(settings):
            if migrate_first and is_outdated(database):
                # in another process, because web must not import Alembic
                command = [*GRADROOM, "migrate", *(["--backup"] if file_of(database.url) else [])]
                if subprocess.run(command, stdout=sys.stderr, check=False).returncode:
                    raise CommandRefused("The database was not migrated.")
            elif migrate_first and keeps_freed_room(database):
                subprocess.run([*GRADROOM, "migrate"], stdout=sys.stderr, check=False)  # if it fails, it prints why
            try:
                stack.enter_context(hold_database(settings.database, alone=False))
                database.open()
            except (StoreOutdated, StoreTooNew):
                raise
            except (OSError, StoreFault) as error:
                database.health.failed(name_fault(error), error)
        yield


def is_outdated(database: Database) -> bool:
    try:
        database.open()
    except StoreFault as fault:
        return isinstance(fault, StoreOutdated)  # serving_store will meet others again
    return False


def keeps_freed_room(database: Database) -> bool:
    """Return whether this is an SQLite database that cannot give free space back to the disk. `gradroom migrate` would change that."""
    if file_of(database.url) is None:
        return False
    try:
        return database.read_here(read_pragma, "auto_vacuum") != INCREMENTAL
    except StoreFault:
        return False  # serving_store will meet it again


def read_secret(settings: Settings) -> str | None:
    """Return the key of the cookies from the state folder, or None if it is a setting or was not made yet."""
    file = settings.state_folder / SECRET_FILE
    return file.read_text().strip() if settings.cookie_secret is None and file.exists() else None


def open_backup(file: str) -> BinaryIO:
    """Open a backup for reading; "-" is standard input. Raises CommandRefused."""
    if file == STREAM:
        return sys.stdin.buffer
    try:
        return Path(file).open("rb")
    except OSError as error:
        raise CommandRefused(f"{file} cannot be read: {error.strerror}.") from None


def tell_progress(say: Say) -> Tell:
    """Return a callback that prints the progress of a backup at each tenth, once the backup has taken longer than TOLD_AFTER_SECONDS."""
    began, told = time.monotonic(), 0

    def tell(done: int, total: int) -> None:
        nonlocal told
        tenth = 10 * done // max(1, total)
        if tenth > told and time.monotonic() - began > TOLD_AFTER_SECONDS:
            told = tenth
            say(f"{10 * tenth} %")

    return tell
