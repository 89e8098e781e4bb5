"""The store that an operator works with, and the command."""

import asyncio
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from typing import Any

from app.classroom.people import audit
from app.classroom.store.database import Database
from app.classroom.store.stored_work_types import NewAttempt
from app.classroom.work.attempts import make_receipt, save_attempt
from app.classroom.work.drafts import save_draft
from app.settings import Settings

PATIENCE_SECONDS = 100
LESSON, EXERCISE = "one/first", "square-slope"
LIMIT_BYTES = 10_000_000
NOW_MS = 1_764_000_000_000  # 2025-11-24 at 16:00 UTC
Gradroom = Callable[..., subprocess.CompletedProcess[str]]


class Stored:
    """The database, opened by the test for a moment at a time."""

    def __init__(self, settings: Settings) -> None:
        self._url = settings.database
        self.file = settings.state_folder / "classroom.sqlite3"

    def write(self, change: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        database = Database(self._url)
        try:
            return database.enqueue(change, *args, **kwargs).result(PATIENCE_SECONDS)
        finally:
            asyncio.run(database.close())

    def query(self, statement: str) -> list[Any]:
        with closing(sqlite3.connect(self.file)) as connection:
            return connection.execute(statement).fetchall()

    def submit(self, learner: str, receipt: str, source: str = "x = 1", *, version: str | None = None) -> None:
        digest = sha256(source.encode()).hexdigest()
        attempt = NewAttempt(
            receipt=make_receipt(receipt, NOW_MS, digest), at_ms=NOW_MS, lesson=LESSON, exercise=EXERCISE, key=None, source=source,
            seed=0, run_id="run", passed=True, good=2, total=2, mistake=None, verdict='{"passed":true,"checks":[]}', answer=b"{}",
            version=version,
        )  # fmt: skip
        self.write(save_attempt, learner, attempt, limit_bytes=LIMIT_BYTES)

    def draft(self, learner: str, source: str) -> None:
        place = {"lesson": LESSON, "cell": "slope"}
        self.write(save_draft, learner, **place, source=source, version=0, ran=False, now_ms=NOW_MS, limit_bytes=LIMIT_BYTES)

    def audit(self, action: str, subject: str) -> None:
        self.write(audit.append, NOW_MS, "person ada", action, subject)

    def list_audit(self) -> list[Any]:
        return self.query("SELECT actor, action, subject FROM audit_entry ORDER BY id")
