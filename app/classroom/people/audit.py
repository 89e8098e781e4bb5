"""The audit table: who did what to whom. It has no passwords, no tokens, and nothing that a learner wrote."""

import json
from typing import Any

from sqlalchemy import Connection, delete, insert, or_

from app.classroom.store.schema.tables import AuditEntryRow
from app.classroom.store.times import DAY_MS

COMMAND_LINE = "operator"  # the actor of what is done with the `gradroom` command
SERVER = "server"  # the actor of what the server does by itself
ACTOR_CHARACTERS = 80


def name_person(name: str) -> str:
    """Return a person as the actor or the subject of an entry."""
    return f"person {name}"[:ACTOR_CHARACTERS]


def name_learner(learner: str) -> str:
    """Return a learner, by the name in the cookie, as the actor or the subject of an entry."""
    return f"learner {learner}"[:ACTOR_CHARACTERS]


def append(connection: Connection, now_ms: int, actor: str, action: str, subject: str | None = None, **detail: Any) -> None:
    """Add an entry: `actor` did `action` to `subject`, which are names (`name_person`, `name_learner`).

    `detail` has further facts: short values that JSON can express.
    """
    text = json.dumps(detail, ensure_ascii=False, sort_keys=True)
    connection.execute(insert(AuditEntryRow).values(at_ms=now_ms, actor=actor, action=action, subject=subject, detail=text))


def erase_subject(connection: Connection, subject: str) -> int:
    """Delete all entries by or about somebody. Return how many."""
    return connection.execute(delete(AuditEntryRow).where(or_(AuditEntryRow.subject == subject, AuditEntryRow.actor == subject))).rowcount


def prune(connection: Connection, now_ms: int, *, days: int) -> None:
    """Delete the entries that are older than `days` days. If `days` is 0, nothing is deleted."""
    if days:
        connection.execute(delete(AuditEntryRow).where(AuditEntryRow.at_ms < now_ms - days * DAY_MS))
