"""Classes, as their teachers see and change them."""

from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType
from sqlalchemy import Connection, Select, delete, insert, select, update

from app.classroom.classes.class_faults import BadClassValue
from app.classroom.classes.class_lessons import LATEST_MS, insert_lessons, list_lessons
from app.classroom.classes.class_notices import announce
from app.classroom.classes.class_staff import (
    ClassRole,
    append_audit,
    insert_staff,
    require_instructor,
    require_teacher,
)
from app.classroom.classes.join_code import JOIN_LETTERS, draw_code
from app.classroom.classes.members import check_shown_name
from app.classroom.store.schema.class_tables import ClassStaffRow, SchoolClassRow
from app.classroom.store.schema.tables import LAST_ID
from app.grading.solution_policy import BadPolicy, parse_policy
from app.locale.messages import mark

MOST_CLASSES = 500  # of a person

Counting = Literal["all", "checks"]
CountedAttempt = Literal["best", "last"]


@dataclass(frozen=True, kw_only=True)
class SchoolClass:
    """A class, and the asking person's role in it. app.classroom.store.schema.class_tables explains the other fields."""

    id: int
    name: str
    code: str
    joining: bool
    asks_number: bool
    solutions: str | None
    stuck_tries: int
    stuck_minutes: int
    counting: Counting
    counted_attempt: CountedAttempt
    until_ms: int | None
    after_solution: bool
    retention_days: int | None
    made_ms: int
    archived_ms: int | None
    role: ClassRole


class ClassChanges(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Changes to a class. Fields that are UNSET do not change."""

    name: str | UnsetType = UNSET
    joining: bool | UnsetType = UNSET
    asks_number: bool | UnsetType = UNSET
    solutions: str | UnsetType | None = UNSET
    stuck_tries: int | UnsetType = UNSET
    stuck_minutes: int | UnsetType = UNSET
    counting: Counting | UnsetType = UNSET
    counted_attempt: CountedAttempt | UnsetType = UNSET
    until_ms: int | UnsetType | None = UNSET
    after_solution: bool | UnsetType = UNSET
    retention_days: int | UnsetType | None = UNSET


RANGES = {"stuck_tries": (1, 100), "stuck_minutes": (1, 240), "retention_days": (1, 3650), "until_ms": (0, LATEST_MS)}
COPIED = {*ClassChanges.__struct_fields__} - {"name", "joining", "until_ms"}


def make_class(connection: Connection, teacher: int, name: str, now_ms: int) -> int:
    """Make a class with the person as an instructor, and return its id. Raises BadClassValue."""
    return insert_class(connection, teacher, now_ms, {"name": check_shown_name(name)})


def insert_class(connection: Connection, teacher: int, now_ms: int, values: dict[str, object]) -> int:
    if len(list_classes(connection, teacher)) >= MOST_CLASSES:
        raise BadClassValue("name", mark("at most {most} classes of one person: delete old ones"), most=MOST_CLASSES)
    made = insert(SchoolClassRow).values(**values, code=draw_free_code(connection), made_ms=now_ms)
    class_id = connection.execute(made.returning(SchoolClassRow.id)).scalar_one()
    insert_staff(connection, class_id, teacher, ClassRole.INSTRUCTOR)
    append_audit(connection, teacher, class_id, now_ms, "class_made", name=values["name"])
    return class_id


def list_classes(connection: Connection, teacher: int) -> list[SchoolClass]:
    """Return the classes that a person teaches: the newest first, and archived ones last."""
    found = [_read_row(row) for row in connection.execute(_of_teacher(teacher).order_by(SchoolClassRow.id.desc()))]
    return sorted(found, key=lambda one: one.archived_ms is not None)


def find_class(connection: Connection, teacher: int, class_id: int, *, to_change: bool = False) -> SchoolClass:
    """Return a class that a person teaches. Raises NoClass.

    With `to_change`, the class is locked, and AssistantOnly is raised if the person is an assistant of it.
    """
    if to_change:
        require_instructor(connection, teacher, class_id)
    else:
        require_teacher(connection, teacher, class_id)
    return _read_row(connection.execute(_of_teacher(teacher).where(SchoolClassRow.id == min(class_id, LAST_ID))).one())


def _of_teacher(teacher: int) -> Select[Any]:
    own = select(SchoolClassRow.__table__, ClassStaffRow.role).join(ClassStaffRow, ClassStaffRow.class_id == SchoolClassRow.id)
    return own.where(ClassStaffRow.person_id == teacher)


def _read_row(row: Any) -> SchoolClass:
    return SchoolClass(**row._asdict() | {"role": ClassRole(row.role)})


def change_class(connection: Connection, teacher: int, class_id: int, changes: ClassChanges, now_ms: int) -> None:
    """Change the fields of a class that are set. Raises NoClass, AssistantOnly, and BadClassValue, which names the field."""
    require_instructor(connection, teacher, class_id)
    values = check_changes(changes)
    if not values:
        return
    connection.execute(update(SchoolClassRow).where(SchoolClassRow.id == class_id).values(**values))
    append_audit(connection, teacher, class_id, now_ms, "class_changed", fields=sorted(values))
    announce(connection, class_id)


def check_changes(changes: ClassChanges) -> dict[str, Any]:
    """Return the fields that are set, by name. Raises BadClassValue."""
    values = {name: value for name in ClassChanges.__struct_fields__ if (value := getattr(changes, name)) is not UNSET}
    if "name" in values:
        values["name"] = check_shown_name(values["name"])
    for field, (least, most) in RANGES.items():
        if values.get(field) is not None and not least <= values[field] <= most:
            raise BadClassValue(field, mark("a whole number from {least} to {most}"), least=least, most=most)
    if values.get("counting", "all") not in ("all", "checks"):
        raise BadClassValue("counting", mark("all or checks"))
    if values.get("counted_attempt", "best") not in ("best", "last"):
        raise BadClassValue("counted_attempt", mark("best or last"))
    try:
        parse_policy(values.get("solutions") or "never")
    except BadPolicy:
        raise BadClassValue("solutions", mark("always, after-try, after-N-tries (such as after-3-tries) or never")) from None
    return values


def renew_code(connection: Connection, teacher: int, class_id: int, now_ms: int) -> str:
    """Replace the join code of a class, and return the new one. The old one is no longer valid."""
    require_instructor(connection, teacher, class_id)
    code = draw_free_code(connection)
    connection.execute(update(SchoolClassRow).where(SchoolClassRow.id == class_id).values(code=code))
    append_audit(connection, teacher, class_id, now_ms, "join_code_renewed")
    return code


def draw_free_code(connection: Connection) -> str:
    """Return a new join code that no class has."""
    while True:
        code = draw_code(JOIN_LETTERS)
        if connection.scalar(select(SchoolClassRow.id).where(SchoolClassRow.code == code)) is None:
            return code


def copy_class(connection: Connection, teacher: int, class_id: int, name: str, now_ms: int) -> int:
    """Copy the settings and the lessons of a class to a new class without members, in which all lessons are closed. Return its id.

    Raises NoClass, AssistantOnly and BadClassValue.
    """
    original = find_class(connection, teacher, class_id, to_change=True)
    values = {field: getattr(original, field) for field in COPIED} | {"name": check_shown_name(name)}
    copied = insert_class(connection, teacher, now_ms, values)
    insert_lessons(connection, copied, [replace(one, opens_ms=None) for one in list_lessons(connection, class_id)])
    return copied


def archive_class(connection: Connection, teacher: int, class_id: int, now_ms: int, *, archived: bool = True) -> None:
    """Archive a class, so that nobody can join it and learners no longer see it, or unarchive it if `archived` is false."""
    require_instructor(connection, teacher, class_id)
    values = {"archived_ms": now_ms if archived else None, "joining": False}
    connection.execute(update(SchoolClassRow).where(SchoolClassRow.id == class_id).values(**values))
    append_audit(connection, teacher, class_id, now_ms, "class_archived" if archived else "class_unarchived")
    announce(connection, class_id)


def delete_class(connection: Connection, teacher: int, class_id: int, now_ms: int) -> None:
    """Delete a class with its members, hands, notes and points. The learners' own work stays stored."""
    name = find_class(connection, teacher, class_id, to_change=True).name
    append_audit(connection, teacher, class_id, now_ms, "class_deleted", name=name)
    erase_class(connection, class_id)


def erase_class(connection: Connection, class_id: int) -> None:
    """Delete a class without a check of permissions. The caller has locked it."""
    connection.execute(delete(SchoolClassRow).where(SchoolClassRow.id == class_id))
    announce(connection, class_id)
