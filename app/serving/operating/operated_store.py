"""The store, opened for one command of an operator, while a server may be using it."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

import msgspec

from app.classroom.people import audit
from app.classroom.store.database import Database
from app.classroom.store.database_lock import hold_database
from app.classroom.store.engine import file_of
from app.classroom.store.times import now_ms
from app.serving.command_refused import CommandRefused
from app.serving.operating.store_commands import Say, naming_the_store
from app.serving.web_process.web_user import become_web_user
from app.settings import Settings

WRITE_SECONDS = 60.0
SCRUB_SECONDS = 20.0


@contextmanager
def operated_store(settings: Settings, *, may_make: bool = False) -> Iterator[Database]:
    """Open the database in this context, as web's user. With `may_make`, it is made if it is missing.

    Raises CommandRefused, also for faults of the store in the context.
    """
    become_web_user(settings)
    with naming_the_store(settings):
        file = file_of(settings.database)
        if not may_make and file is not None and not file.exists():
            raise CommandRefused(f"There is no database {file}.")
        with hold_database(settings.database, alone=False):
            database = Database(settings.database)
            try:
                database.open()
                yield database
            finally:
                asyncio.run(database.close())


def write_audit(database: Database, action: str, subject: str | None = None, **detail: Any) -> None:
    """Record in the audit table what the operator did. Raises StoreFault."""
    database.enqueue(lambda connection: audit.append(connection, now_ms(), audit.COMMAND_LINE, action, subject, **detail)).result(
        WRITE_SECONDS
    )


def wait_for_scrub(scrubbed: Future[None], say: Say) -> None:
    """Wait until deleted texts are no longer in SQLite's log. A program that reads an earlier state, such as a backup, delays that."""
    try:
        scrubbed.result(SCRUB_SECONDS)
    except TimeoutError:
        say("Another program is still reading the database, so its log (…-wal) has the deleted texts until that ends and a server starts.")


def print_json(answer: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(answer)).decode()
