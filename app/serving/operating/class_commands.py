"""The commands `gradroom class list`, `instructor`, `export` and `erase`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, delete, func, select

from app.classroom.classes.class_staff import ClassRole, insert_staff, list_staff, name_class
from app.classroom.classes.school_classes import erase_class
from app.classroom.people import audit
from app.classroom.people.people import find_person
from app.classroom.people.roles import Role
from app.classroom.store.database import Database
from app.classroom.store.learner_lock import lock_class
from app.classroom.store.schema.class_tables import (
    ClassStaffRow,
    MemberLearnerRow,
    MemberRow,
    NoteRow,
    PointsOverrideRow,
    RaisedHandRow,
    SchoolClassRow,
)
from app.classroom.store.schema.tables import LearnerRow, StoreTable
from app.classroom.store.times import now_ms
from app.serving.command_line import GRADROOM
from app.serving.command_refused import CommandRefused
from app.serving.operating.learner_commands import day, write_file
from app.serving.operating.operated_store import WRITE_SECONDS, operated_store, print_json, wait_for_scrub, write_audit
from app.serving.operating.store_commands import STREAM, Say, receive_file
from app.serving.web_process.web_user import has_web_user
from app.settings import Settings

OF_MEMBERS: Sequence[type[StoreTable]] = (RaisedHandRow, NoteRow, PointsOverrideRow)
OF_CLASS = ("class_lesson", "member")  # tables
HIDDEN = ("resume_sha256", "name_key")


class ListedClass(msgspec.Struct, kw_only=True):
    """A class, as an operator sees it. `members` includes those who have left."""

    id: int
    name: str
    teachers: list[str]
    members: int
    made_ms: int
    archived_ms: int | None
    retention_days: int | None


def list_classes(settings: Settings, *, as_json: bool, say: Say) -> str:
    """Return the text or the JSON about all classes, and call `say` if there are none. Raises CommandRefused."""
    with operated_store(settings) as database:
        found = database.read_here(find_classes)
    if not found:
        say("There are no classes.")
    return print_json(found) if as_json else "\n".join(map(describe_class, found))


def find_classes(connection: Connection) -> list[ListedClass]:
    members = select(func.count()).where(MemberRow.class_id == SchoolClassRow.id).scalar_subquery().label("members")
    columns = SchoolClassRow.id, SchoolClassRow.name, SchoolClassRow.made_ms, SchoolClassRow.archived_ms, SchoolClassRow.retention_days
    rows = connection.execute(select(*columns, members).order_by(SchoolClassRow.id)).all()
    return [ListedClass(teachers=[one.name for one in list_staff(connection, row.id)], **row._asdict()) for row in rows]


def describe_class(found: ListedClass) -> str:
    archived = f", archived {day(found.archived_ms)}" if found.archived_ms is not None else ""
    deleted = f", deleted {found.retention_days} days after it was archived" if found.retention_days else ""
    teachers = ", ".join(found.teachers) or "nobody"
    return f"{found.id}  {found.name}\n   {found.members} members, taught by {teachers}, made {day(found.made_ms)}{archived}{deleted}"


def require_class(database: Database, text: str) -> ListedClass:
    """Return the class with an id or a name. Raises CommandRefused if there is none, or several with the name."""
    classes = database.read_here(find_classes)
    named = [one for one in classes if one.name.casefold() == text.casefold()] or [one for one in classes if str(one.id) == text]
    if len(named) == 1:
        return named[0]
    if not named:
        raise CommandRefused(f"There is no class {text}: `gradroom class list` shows all.")
    raise CommandRefused(f"{len(named)} classes are called {text}: name one by its number, {', '.join(str(one.id) for one in named)}.")


def export(settings: Settings, name: str, file: str, say: Say) -> None:
    """Write everything that is stored of a class as JSON to a file, or to standard output if `file` is "-". Raises CommandRefused."""
    if has_web_user(settings) and file != STREAM:
        receive_file(settings, Path(file).absolute(), [*GRADROOM, "class", "export", name, STREAM], "Nothing was exported.")
        return
    with operated_store(settings) as database:
        found = require_class(database, name)
        data = msgspec.json.format(msgspec.json.encode(database.read_here(read_class, found.id)))
        write_audit(database, "class exported", name_class(found.id), bytes=len(data))
    write_file(settings, file, data)
    if file != STREAM:
        say(f"{file} has the class {found.name}. The work of its learners is theirs: `gradroom learner export`.")


def read_class(connection: Connection, class_id: int) -> dict[str, Any]:
    """Return the rows of a class by table. Codes are left out. Learners are named as `gradroom learner` names them."""

    def rows(table: Table, *conditions: Any) -> list[dict[str, Any]]:
        found = connection.execute(select(table).where(*conditions).order_by(*table.primary_key))
        return [{name: value for name, value in row._asdict().items() if name not in HIDDEN} for row in found]

    tables = StoreTable.metadata.tables
    members = select(MemberRow.id).where(MemberRow.class_id == class_id).scalar_subquery()
    names = select(LearnerRow.name, MemberLearnerRow.__table__).join(LearnerRow, LearnerRow.id == MemberLearnerRow.learner_id)
    return {
        "school_class": rows(tables["school_class"], tables["school_class"].c.id == class_id),
        "class_staff": [{"name": one.name, "role": one.role} for one in list_staff(connection, class_id)],
        **{name: rows(tables[name], tables[name].c.class_id == class_id) for name in OF_CLASS},
        "member_learner": [row._asdict() for row in connection.execute(names.where(MemberLearnerRow.class_id == class_id))],
        **{one.__tablename__: rows(tables[one.__tablename__], tables[one.__tablename__].c.member_id.in_(members)) for one in OF_MEMBERS},
    }


def erase(settings: Settings, name: str, say: Say, confirm: Say) -> None:
    """Call `confirm` with a question, then erase the class and say what remains. Raises CommandRefused, and what `confirm` raises."""
    with operated_store(settings) as database:
        found = require_class(database, name)
        confirm(f"Erase the class {found.name} with its {found.members} members, their hands, notes and points? It cannot be undone.")
        entries = database.enqueue(erase_with_audit, found.id, now_ms()).result(WRITE_SECONDS)
        wait_for_scrub(database.scrub(), say)
    say(f"Erased the class {found.name}: {found.members} members; {entries} entries of the audit table.")
    say("The work of its learners is theirs and stays; `gradroom learner erase` erases it. Backups that were made earlier have the class.")


def erase_with_audit(connection: Connection, class_id: int, at_ms: int) -> int:
    """Erase a class and the audit entries about it, in one transaction. Return the number of these entries."""
    lock_class(connection, class_id)
    erase_class(connection, class_id)
    entries = audit.erase_subject(connection, name_class(class_id))
    audit.append(connection, at_ms, audit.COMMAND_LINE, "class erased")
    return entries


def make_instructor(settings: Settings, name: str, person: str, say: Say) -> None:
    """Make a person an instructor of a class, for example after its last one was removed. Raises CommandRefused."""
    with operated_store(settings) as database:
        found = require_class(database, name)
        added = database.enqueue(insert_instructor, found.id, person, now_ms()).result(WRITE_SECONDS)
    if added is None:
        raise CommandRefused(f"There is no instructor {person}: `gradroom instructor list` shows all.")
    say(f"{added} teaches the class {found.name}.")


def insert_instructor(connection: Connection, class_id: int, name: str, at_ms: int) -> str | None:
    """Make a person an instructor of a class, and return their name, or None if no such person may be an instructor."""
    lock_class(connection, class_id)
    person = find_person(connection, name)
    if person is None or person.role is Role.ASSISTANT:
        return None
    connection.execute(delete(ClassStaffRow).where(ClassStaffRow.class_id == class_id, ClassStaffRow.person_id == person.id))
    insert_staff(connection, class_id, person.id, ClassRole.INSTRUCTOR)
    audit.append(connection, at_ms, audit.COMMAND_LINE, "class instructor added", name_class(class_id), person=person.name)
    return person.name
