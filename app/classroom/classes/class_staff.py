"""Who teaches a class. Whoever asks for something of a class is looked up here first: the role in the class decides.

An instructor of a class may do everything with it. An assistant sees and helps, and changes nothing.
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
    """What somebody is to a class."""

    INSTRUCTOR = "instructor"
    ASSISTANT = "assistant"


@dataclass(frozen=True, kw_only=True)
class StaffMember:
    """Somebody who teaches a class."""

    person_id: int
    name: str
    role: ClassRole


def require_teacher(connection: Connection, teacher: int, class_id: int) -> ClassRole:
    """Return what a person is to a class. Raises NoClass if it is none of theirs."""
    own = ClassStaffRow.class_id == min(class_id, LAST_ID), ClassStaffRow.person_id == teacher
    role = connection.execute(select(ClassStaffRow.role).where(*own)).scalar()
    if role is None:
        raise NoClass
    return ClassRole(role)


def require_helper(connection: Connection, teacher: int, class_id: int) -> None:
    """Lock a class for a change that its assistants may make, too. Raises NoClass."""
    lock_class(connection, class_id)
    require_teacher(connection, teacher, class_id)


def require_instructor(connection: Connection, teacher: int, class_id: int) -> None:
    """Lock a class for a change. Raises NoClass, and AssistantOnly if the person is an assistant of it."""
    lock_class(connection, class_id)
    if require_teacher(connection, teacher, class_id) is not ClassRole.INSTRUCTOR:
        raise AssistantOnly


def list_staff(connection: Connection, class_id: int) -> list[StaffMember]:
    """Return who teaches a class, instructors first."""
    staff = select(PersonRow.id, PersonRow.name, ClassStaffRow.role).join(ClassStaffRow, ClassStaffRow.person_id == PersonRow.id)
    rows = connection.execute(staff.where(ClassStaffRow.class_id == class_id).order_by(ClassStaffRow.role.desc(), PersonRow.name_key))
    return [StaffMember(person_id=row.id, name=row.name, role=ClassRole(row.role)) for row in rows]


def add_staff(connection: Connection, teacher: int, class_id: int, name: str, role: str, now_ms: int) -> None:
    """Let a person teach a class, or give them another role in it. Raises BadClassValue, also if no instructor would be left."""
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
        here = update(ClassStaffRow).where(ClassStaffRow.class_id == class_id, ClassStaffRow.person_id == person.id)
        connection.execute(here.values(role=role))
    elif len(staff) >= MOST_STAFF:
        raise BadClassValue("name", mark("at most {most} people who teach a class"), most=MOST_STAFF)
    else:
        insert_staff(connection, class_id, person.id, ClassRole(role))
    append_audit(connection, teacher, class_id, now_ms, "class_staff_added", person=person.name, role=role)


def insert_staff(connection: Connection, class_id: int, person_id: int, role: ClassRole) -> None:
    connection.execute(insert(ClassStaffRow), {"class_id": class_id, "person_id": person_id, "role": role})


def remove_staff(connection: Connection, teacher: int, class_id: int, person_id: int, now_ms: int) -> None:
    """Let a person no longer teach a class. Raises BadClassValue if no instructor would be left."""
    require_instructor(connection, teacher, class_id)
    require_other_instructor(connection, class_id, person_id)
    here = delete(ClassStaffRow).where(ClassStaffRow.class_id == class_id, ClassStaffRow.person_id == min(person_id, LAST_ID))
    if connection.execute(here).rowcount:
        name = connection.execute(select(PersonRow.name).where(PersonRow.id == person_id)).scalar_one()
        append_audit(connection, teacher, class_id, now_ms, "class_staff_removed", person=name)


def require_other_instructor(connection: Connection, class_id: int, person_id: int | None) -> None:
    instructors = {one.person_id for one in list_staff(connection, class_id) if one.role is ClassRole.INSTRUCTOR}
    if instructors == {person_id}:
        raise BadClassValue("role", mark("another instructor of the class first"))


def append_audit(connection: Connection, teacher: int, class_id: int, now_ms: int, action: str, **detail: Any) -> None:
    """Record in the audit table what a teacher did. Members are named in `detail` by their ids: what they call themselves is theirs."""
    name = connection.execute(select(PersonRow.name).where(PersonRow.id == teacher)).scalar_one()
    audit.append(connection, now_ms, audit.name_person(name), action, name_class(class_id), **detail)


def name_class(class_id: int) -> str:
    """Return a class as the subject of an audit entry."""
    return f"class {class_id}"


def name_teacher(connection: Connection, teacher: int) -> str:
    """Return a person's name, as learners read it at a note or when somebody is coming."""
    name: str = connection.execute(select(PersonRow.name).where(PersonRow.id == teacher)).scalar_one()
    return name
