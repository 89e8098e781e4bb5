"""The entries of the audit table, which the app writes and never reads."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from app.classroom.store.schema.tables import AuditEntryRow


@dataclass(frozen=True, kw_only=True)
class AuditEntry:
    actor: str
    action: str
    subject: str | None
    detail: Mapping[str, Any]


def list_newest(connection: Connection, count: int) -> list[AuditEntry]:
    """Return the newest `count` entries, newest first."""
    columns = AuditEntryRow.actor, AuditEntryRow.action, AuditEntryRow.subject, AuditEntryRow.detail
    rows = connection.execute(select(*columns).order_by(AuditEntryRow.id.desc()).limit(count))
    return [AuditEntry(**row._asdict() | {"detail": json.loads(row.detail)}) for row in rows]
