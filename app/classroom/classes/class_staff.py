"""Who teaches a class. Every request about a class first looks up the person's role in it.

An instructor of a class may change everything. An assistant may see the class and help its members.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from app.classroom.classes.class_faults import AssistantOnly, BadClassValue, NoClass
from app.classroom.people import audit
from app.classroom.people.people import find_person
from app.classroom.people.roles import Role
from app.classroom.store.learner_lock import lock_class
from app.classroom.store.schema.class_tables import ClassStaffRow
from app.classroom.store.schema.tables import LAST_ID, PersonRow
from app.locale.messages import mark

MOST_STAFF = 50


class ClassRole(StrEnum):
    """The role of a person in a class."""

    INSTRUCTOR = "instructor"
    ASSISTANT = "assistant"


@dataclass(frozen=True, kw_only=True)
class StaffMember:
    """A person who teaches a class."""

    person_id: int
    name: str
    role: ClassRole


def require_teacher(connection: Connection, teacher: int, class_id: int) -> ClassRole:
    """Return the role of a person in a class. Raises NoClass if the person does not teach it."""
    role = connection.scalar(
        select(ClassStaffRow.role).where(ClassStaffRow.class_id == min(class_id, LAST_ID), ClassStaffRow.person_id == teacher)
    )
    if role is None:
        raise NoClass
    return ClassRole(role)


def require_helper(connection: Connection, teacher: int, class_id: int) -> None:
    """Lock a class for a change that assistants may make, too. Raises NoClass."""
    lock_class(connection, class_id)
    require_teacher(connection, teacher, class_id)


def require_instructor(connection: Connection, teacher: int, class_id: int) -> None:
    """Lock a class for a change that only instructors may make. Raises NoClass and AssistantOnly."""
    lock_class(connection, class_id)
    if require_teacher(connection, teacher, class_id) is not ClassRole.INSTRUCTOR:
        raise AssistantOnly


def list_staff(connection: Connection, class_id: int) -> list[StaffMember]:
    """Return the people who teach a class, instructors first."""
    staff = (
        select(PersonRow.id, PersonRow.name, ClassStaffRow.role)
        .join(ClassStaffRow, ClassStaffRow.person_id == PersonRow.id)
        .where(ClassStaffRow.class_id == class_id)
        .order_by(ClassStaffRow.role.desc(), PersonRow.name_key)
    )
    return [StaffMember(person_id=row.id, name=row.name, role=ClassRole(row.role)) for row in connection.execute(staff)]


def add_staff(connection: Connection, teacher: int, class_id: int, name: str, role: str, now_ms: int) -> None:
    """Add a person to the staff of a class, or change their role.

    Raises NoClass, AssistantOnly, and BadClassValue, also if no instructor would remain.
    """
    require_instructor(connection, teacher, class_id)
    person = find_person(connection, name)
    if person is None:
        raise BadClassValue("name", mark("the name of somebody who can sign in here"))
    if role not in {*ClassRole}:
        raise BadClassValue("role", mark("instructor or assistant"))
    if role == ClassRole.INSTRUCTOR and person.role is Role.ASSISTANT:
        raise BadClassValue("role", mark("assistant, which this person is everywhere"))
    staff = list_staff(connection, class_id)
    if person.id in {one.person_id for one in staff}:
        require_other_instructor(connection, class_id, person.id if role == ClassRole.ASSISTANT else None)
        connection.execute(
            update(ClassStaffRow).where(ClassStaffRow.class_id == class_id, ClassStaffRow.person_id == person.id).values(role=role)
        )
    elif len(staff) >= MOST_STAFF:
        raise BadClassValue("name", mark("at most {most} people who teach a class"), most=MOST_STAFF)
    else:
        insert_staff(connection, class_id, person.id, ClassRole(role))
    append_audit(connection, teacher, class_id, now_ms, "class_staff_added", person=person.name, role=role)


def insert_staff(connection: Connection, class_id: int, person_id: int, role: ClassRole) -> None:
    connection.execute(insert(ClassStaffRow), {"class_id": class_id, "person_id": person_id, "role": role})


def remove_staff(connection: Connection, teacher: int, class_id: int, person_id: int, now_ms: int) -> None:
    """Remove a person from the staff of a class. Raises NoClass, AssistantOnly, and BadClassValue if no instructor would remain."""
    require_instructor(connection, teacher, class_id)
    require_other_instructor(connection, class_id, person_id)
    here = delete(ClassStaffRow).where(ClassStaffRow.class_id == class_id, ClassStaffRow.person_id == min(person_id, LAST_ID))
    if connection.execute(here).rowcount:
        append_audit(connection, teacher, class_id, now_ms, "class_staff_removed", person=name_teacher(connection, person_id))


def require_other_instructor(connection: Connection, class_id: int, person_id: int | None) -> None:
    instructors = {one.person_id for one in list_staff(connection, class_id) if one.role is ClassRole.INSTRUCTOR}
    if instructors == {person_id}:
        raise BadClassValue("role", mark("another instructor of the class first"))


def append_audit(connection: Connection, teacher: int, class_id: int, now_ms: int, action: str, **detail: Any) -> None:
    """Record in the audit table what a teacher did. `detail` names members by their ids, not by their own names."""
    actor = audit.name_person(name_teacher(connection, teacher))
    audit.append(connection, now_ms, actor, action, name_class(class_id), **detail)


def name_class(class_id: int) -> str:
    """Return a class as the subject of an audit entry."""
    return f"class {class_id}"


def name_teacher(connection: Connection, teacher: int) -> str:
    """Return the name of a person, which learners see at a note or when the person is coming."""
    return connection.execute(select(PersonRow.name).where(PersonRow.id == teacher)).scalar_one()
