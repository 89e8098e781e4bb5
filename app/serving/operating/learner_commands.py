"""The commands `gradroom learner find`, `export` and `erase`."""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from app.classroom.people import audit
from app.classroom.store.copies.backup import as_uri, drafted
from app.classroom.store.database import Database
from app.classroom.store.engine import file_of
from app.classroom.store.learner_lock import lock_learner
from app.classroom.store.stored_work_types import Holdings
from app.classroom.store.times import DAY_MS, now_ms, to_datetime
from app.classroom.work.forgotten_learners import forget_learner
from app.classroom.work.learners import MOST_FOUND, FoundLearner, find_learners, read_holdings
from app.classroom.work.receipts import normalize_receipt
from app.protocol.run import Lang
from app.serving.command_line import GRADROOM
from app.serving.command_refused import CommandRefused
from app.serving.operating.operated_store import WRITE_SECONDS, operated_store, print_json, wait_for_scrub, write_audit
from app.serving.operating.store_commands import STREAM, Say, naming_the_store, receive_file
from app.serving.web_process.web_user import has_web_user
from app.settings import PREFIX, Settings

NOT_FOUND = 1  # exit status
FEWEST_LETTERS = 3


def find(settings: Settings, text: str, *, as_json: bool, say: Say) -> tuple[int, str]:
    """Return the exit status, and the text or JSON about learners with a name that begins with `text`, or with that receipt.

    Raises CommandRefused.
    """
    if len(text) < FEWEST_LETTERS:
        raise CommandRefused(f"Expected a receipt, or at least {FEWEST_LETTERS} letters of a learner’s name.")
    with operated_store(settings) as database:
        found = database.read_here(find_learners, text, normalize_receipt(text))
    if len(found) == MOST_FOUND:
        say(f"These are the {MOST_FOUND} who were seen last; there may be more.")
    if not found:
        say("No learner has this name or receipt.")
    printed = print_json(found) if as_json else "\n\n".join(map(describe_found, found))
    return (0 if found else NOT_FOUND), printed


def describe_found(found: FoundLearner) -> str:
    holdings = found.holdings
    made, seen = day(holdings.made_ms or 0), day(holdings.seen_ms or 0)
    last = f", last lesson {found.lesson}" if found.lesson else ""
    return f"{found.name}\n  first stored {made}, last seen {seen}{last}\n  {describe_counts(holdings)}"


def describe_counts(holdings: Holdings) -> str:
    return (
        f"{holdings.attempts} submissions, {holdings.drafts} drafts, {holdings.versions} earlier texts, "
        f"{holdings.predictions} predictions, {holdings.exercises} exercises begun, {holdings.cells} cells run; {holdings.bytes:,} bytes"
    )


def export(settings: Settings, name: str, file: str, lang: Lang, say: Say) -> None:
    """Write the zip of a learner's work to a file, or to standard output if `file` is "-". Raises CommandRefused."""
    if has_web_user(settings) and file != STREAM:
        command = [*GRADROOM, "learner", "export", "--lang", lang, name, STREAM]
        receive_file(settings, Path(file).absolute(), command, "Nothing was exported.")
        return
    with operated_store(settings) as database:
        require_learner(database, name)
        data = database.read_here(partial(make_archive, settings=settings, name=name, lang=lang))
        write_audit(database, "learner exported", audit.name_learner(name), bytes=len(data))
    write_file(settings, file, data)
    if file != STREAM:
        say(f"{file} has everything that is stored of {name}. Whoever has it can read their work.")


def write_file(settings: Settings, file: str, data: bytes) -> None:
    """Write data to a file that only its owner may read, or to standard output if `file` is "-"."""
    if file == STREAM:
        sys.stdout.buffer.write(data)
        return
    with naming_the_store(settings), drafted(Path(file).absolute()) as draft:
        draft.write_bytes(data)


def make_archive(connection: Connection, *, settings: Settings, name: str, lang: Lang) -> bytes:
    from app.classroom.archive.archive_writer import write_archive
    from app.lessons.course.catalogue import load_courses
    from app.locale.messages import translator
    from app.web.api.me.archive import conceal_verdict, write_readme

    at_ms = now_ms()
    conceal = partial(conceal_verdict, load_courses([settings.lessons_folder, *settings.course_folders]))
    readme = write_readme(to_datetime(at_ms).date().isoformat(), translator(lang))
    return write_archive(connection, name, readme=readme, now_ms=at_ms, conceal=conceal)


def erase(settings: Settings, name: str, say: Say) -> None:
    """Erase everything that is stored of a learner, and say what remains. Raises CommandRefused."""
    with operated_store(settings) as database:
        holdings = require_learner(database, name)
        entries = database.enqueue(erase_learner, name, now_ms()).result(WRITE_SECONDS)
        wait_for_scrub(database.scrub(), say)
        say(f"Erased {name}: {describe_counts(holdings)}; {entries} entries of the audit table.")
        for line in describe_rest(settings, name, holdings):
            say(line)


def erase_learner(connection: Connection, name: str, at_ms: int) -> int:
    """Erase a learner and the audit entries about them, in one transaction. Return the number of these entries.

    A new entry records the erasure without a name.
    """
    lock_learner(connection, name)
    forget_learner(connection, name, at_ms)
    entries = audit.erase_subject(connection, audit.name_learner(name))
    audit.append(connection, at_ms, audit.COMMAND_LINE, "learner erased")
    return entries


def require_learner(database: Database, name: str) -> Holdings:
    holdings = database.read_here(read_holdings, name)
    if holdings.made_ms is None:
        raise CommandRefused(f"Nothing is stored of a learner {name}: `gradroom learner find` finds names.")
    return holdings


def describe_rest(settings: Settings, name: str, holdings: Holdings) -> Iterator[str]:
    """Yield lines that say which copies of the learner's work remain, and when the server would have deleted it."""
    backups = list_backups(settings, holdings.made_ms or 0)
    if backups:
        yield "These files beside the database were made while it was stored, and still have it:"
        yield from (f"  {file}, of {day(made_ms)}" for made_ms, file in backups)
    else:
        yield "No backup beside the database has it."
    yield "So do backups that you made elsewhere, and zips that were exported."
    if settings.retention_days and holdings.seen_ms is not None:
        until = day(holdings.seen_ms + settings.retention_days * DAY_MS)
        yield f"By {PREFIX}RETENTION_DAYS it would have been deleted on {until}: delete those backups by then, or as you promised."
    else:
        yield f"{PREFIX}RETENTION_DAYS is 0, so nothing deletes old work by itself: decide yourself when to delete those backups."
    yield f"After restoring one of them, erase again: gradroom learner erase {name}"
    yield "The learner’s browser has a copy of its own. What they change there is stored again, under a new name."


def list_backups(settings: Settings, since_ms: int) -> list[tuple[int, Path]]:
    """Return the backups beside the database, and the databases that `restore` put aside, that are not older than `since_ms`."""
    database = file_of(settings.database)
    folder = database.parent if database else settings.state_folder
    files = {*folder.glob("*.backup"), *folder.glob("*.sqlite3.before-*")}
    dated = [(date_backup(file), file) for file in files if not file.name.endswith(("-wal", "-shm"))]
    return sorted(one for one in dated if one[0] >= since_ms)


def date_backup(file: Path) -> int:
    """Return when a backup was made. For a file that does not say so, return when it was changed last."""
    try:
        with closing(sqlite3.connect(as_uri(file).replace("mode=rw", "mode=ro"), uri=True)) as database:
            [(made_ms,)] = database.execute("SELECT made_ms FROM backup").fetchall()
            return int(made_ms)
    except (sqlite3.Error, ValueError):
        return int(file.stat().st_mtime * 1000)


def day(at_ms: int) -> str:
    return f"{to_datetime(at_ms):%Y-%m-%d}"
