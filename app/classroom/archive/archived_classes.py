"""The classes of a learner in an export, for people to read. Imports ignore them, because a learner joins a class by its code."""

from collections.abc import Iterator
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from app.classroom.classes.hands import read_hands
from app.classroom.classes.memberships import list_memberships
from app.classroom.classes.notes import list_notes
from app.classroom.store.schema.class_tables import MemberLearnerRow, PointsOverrideRow
from app.classroom.store.schema.tables import LearnerRow

CLASSES_FILE = "classes.json"


def write_classes(connection: Connection, learner: str) -> bytes | None:
    """Return the file's JSON, or None if the learner is in no class and has no notes."""
    found = {
        "classes": [msgspec.to_builtins(one) for one in list_memberships(connection, learner)],
        "hands": [msgspec.to_builtins(one) for one in read_hands(connection, learner)],
        "notes": [msgspec.to_builtins(one) for one in list_notes(connection, learner)],
        "points": list(list_overrides(connection, learner)),
    }
    return msgspec.json.format(msgspec.json.encode(found)) if any(found.values()) else None


def list_overrides(connection: Connection, learner: str) -> Iterator[dict[str, Any]]:
    """Iterate over the points that a teacher gave the learner in place of computed ones."""
    own = (
        select(MemberLearnerRow.class_id, PointsOverrideRow.__table__)
        .join(MemberLearnerRow, MemberLearnerRow.member_id == PointsOverrideRow.member_id)
        .join(LearnerRow, LearnerRow.id == MemberLearnerRow.learner_id)
        .where(LearnerRow.name == learner)
        .order_by(PointsOverrideRow.lesson, PointsOverrideRow.exercise)
    )
    yield from (row._asdict() for row in connection.execute(own))
