"""Finds the submissions that have a receipt. At most one was graded here; the others were imported, and prove nothing."""

import re

import msgspec
from sqlalchemy import Connection, select

from app.classroom.store.schema.tables import AttemptRow, LearnerRow

READ_AS = str.maketrans("OIL", "011")  # Crockford's base 32 has none of these letters, and people confuse them with the digits
GROUP = 4


class ReceiptHolder(msgspec.Struct, kw_only=True):
    """A submission with a certain receipt, and the learner who has it. `version` is None if the exercise's version is not known."""

    learner: str
    lesson: str
    exercise: str
    at_ms: int
    sha256: str
    passed: bool
    good: int
    total: int
    imported: bool
    version: str | None
    source: str


def normalize_receipt(text: str) -> str:
    """Return a receipt's code as it is stored: `text` may lack hyphens, have small letters, and have O for 0, or I and L for 1."""
    letters = re.sub(r"[\s-]", "", text).upper().translate(READ_AS)
    return "-".join(letters[start : start + GROUP] for start in range(0, len(letters), GROUP))


def find_receipt(connection: Connection, code: str) -> list[ReceiptHolder]:
    """Return the submissions with the receipt `code`, the server's own first, then the imported ones by learner."""
    columns = [getattr(AttemptRow, name) for name in ReceiptHolder.__struct_fields__ if name != "learner"]
    rows = connection.execute(
        select(LearnerRow.name.label("learner"), *columns)
        .join(LearnerRow, LearnerRow.id == AttemptRow.learner_id)
        .where(AttemptRow.receipt == code)
        .order_by(AttemptRow.imported, AttemptRow.at_ms, LearnerRow.name)
    )
    return [ReceiptHolder(**row._asdict()) for row in rows]
