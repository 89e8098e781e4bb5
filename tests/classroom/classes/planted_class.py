"""A class whose members, places and attempts are written straight into the tables, so that a test can say what happened when."""

import json
from collections.abc import Sequence
from itertools import count
from typing import Any

from sqlalchemy import Connection, insert, update

from app.classroom.store.schema.class_tables import ClassStaffRow, MemberLearnerRow, MemberRow, RaisedHandRow, SchoolClassRow
from app.classroom.store.schema.tables import AttemptRow, LearnerRow, PersonRow

MINUTE = 60_000
NOW = 100_000 * MINUTE
PLACE = ("one/first", "fix")
numbers = count(1)


def plant_person(connection: Connection, name: str = "Tea", role: str = "instructor") -> int:
    values = {"name": name, "name_key": name.casefold(), "role": role, "made_ms": 1}
    return connection.execute(insert(PersonRow).values(**values).returning(PersonRow.id)).scalar_one()


def plant_class(connection: Connection, *teachers: int, role: str = "instructor", tries: int = 4, minutes: int = 10) -> int:
    values = {"name": "A class", "code": f"C{next(numbers):07}", "stuck_tries": tries, "stuck_minutes": minutes, "made_ms": 1}
    class_id = connection.execute(insert(SchoolClassRow).values(**values).returning(SchoolClassRow.id)).scalar_one()
    for teacher in teachers:
        connection.execute(insert(ClassStaffRow).values(class_id=class_id, person_id=teacher, role=role))
    return class_id


def plant_member(
    connection: Connection,
    class_id: int,
    name: str,
    *,
    place: tuple[str, str | None] | None = PLACE,
    here: float = 20,
    active: float | None = 0,
    since_ms: int = 0,
    number: str | None = None,
    now_ms: int = NOW,
) -> tuple[int, int]:
    """Add a member, and return the ids of the member and of the learner.

    They have been at `place` for `here` minutes, and did something `active` minutes ago; None: they never did.
    """
    values = {"class_id": class_id, "name": name, "name_key": name.casefold(), "number": number, "joined_ms": 1}
    member = connection.execute(insert(MemberRow).values(**values).returning(MemberRow.id)).scalar_one()
    learner = {"name": f"learner-{next(numbers)}-{class_id}", "made_ms": 1, "seen_ms": now_ms}
    learner_id = connection.execute(insert(LearnerRow).values(**learner).returning(LearnerRow.id)).scalar_one()
    row: dict[str, Any] = {"class_id": class_id, "learner_id": learner_id, "member_id": member, "since_ms": since_ms}
    if place and active is not None:
        times = {"here_ms": now_ms - int(here * MINUTE), "active_ms": now_ms - int(active * MINUTE)}
        row |= {"lesson": place[0], "exercise": place[1], **times}
    connection.execute(insert(MemberLearnerRow).values(**row))
    return member, learner_id


def plant_attempt(
    connection: Connection,
    learner_id: int,
    ago: float,
    *,
    failing: Sequence[str] = ("values",),
    good: int = 1,
    total: int = 3,
    place: tuple[str, str] = PLACE,
    source: str = "x = 1\n",
    mistake: str | None = None,
    imported: bool = False,
    now_ms: int = NOW,
) -> int:
    """Add an attempt that was made `ago` minutes before now, and return its id. It passes if no check is `failing`."""
    checks = [{"id": one, "passed": False} for one in failing] or [{"id": "values", "passed": True}]
    verdict = {"passed": not failing, "checks": checks, "mistake": mistake}
    values = {
        "learner_id": learner_id, "lesson": place[0], "exercise": place[1], "receipt": f"r{next(numbers)}",
        "at_ms": now_ms - int(ago * MINUTE), "sha256": "", "seed": 0, "run_id": "", "passed": not failing,
        "good": total if not failing else good, "total": total, "mistake": mistake, "imported": imported,
        "verdict": json.dumps(verdict), "source": source,
    }  # fmt: skip
    return connection.execute(insert(AttemptRow).values(**values).returning(AttemptRow.id)).scalar_one()


def plant_hand(
    connection: Connection, member: int, ago: float, *, shares: bool = False, helper: str | None = None, now_ms: int = NOW
) -> None:
    values = {"member_id": member, "at_ms": now_ms - int(ago * MINUTE), "lesson": PLACE[0], "exercise": PLACE[1]}
    connection.execute(insert(RaisedHandRow).values(**values, shares=shares, helper=helper))


def end_membership(connection: Connection, member: int) -> None:
    """Let a member leave, as far as the board is concerned."""
    connection.execute(update(MemberRow).where(MemberRow.id == member).values(left_ms=NOW))
