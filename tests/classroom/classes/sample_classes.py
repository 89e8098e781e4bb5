"""A class for tests: its teachers, its lessons, and a learner with an attempt."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from app.classroom.classes.class_lessons import ClassLesson, set_lessons
from app.classroom.classes.class_staff import add_staff
from app.classroom.classes.members import Joined, join
from app.classroom.classes.school_classes import ClassChanges, change_class, find_class, make_class
from app.classroom.people.people import make_person
from app.classroom.people.roles import Role
from app.classroom.store.notices import read_notices
from app.classroom.store.schema.class_tables import ClassStaffRow, MemberRow
from app.classroom.store.schema.tables import AttemptRow, StoreTable
from app.classroom.work.attempts import save_attempt
from tests.classroom.sample_attempts import LIMIT, new_attempt

NOW_MS = 1_800_000_000_000
LESSONS = ("basics/first", "basics/second")


@dataclass(frozen=True, kw_only=True)
class SampleClass:
    """A class, whose `teacher` is an instructor; `helper` is an assistant of it, and `stranger` teaches another one."""

    id: int
    code: str
    teacher: int
    helper: int
    stranger: int


def make_sample(connection: Connection, *, asks_number: bool = False) -> SampleClass:
    """Make a class with two open lessons."""
    names = {"Tess": Role.INSTRUCTOR, "Hal": Role.ASSISTANT, "Sam": Role.INSTRUCTOR}
    teacher, helper, stranger = (make_person(connection, name, role, NOW_MS).id for name, role in names.items())
    class_id = make_class(connection, teacher, "Monday", NOW_MS)
    add_staff(connection, teacher, class_id, "hal", "assistant", NOW_MS)
    set_lessons(connection, teacher, class_id, [ClassLesson(lesson=lesson, opens_ms=1, points=2) for lesson in LESSONS])
    change_class(connection, teacher, class_id, ClassChanges(asks_number=asks_number), NOW_MS)
    code = find_class(connection, teacher, class_id).code
    return SampleClass(id=class_id, code=code, teacher=teacher, helper=helper, stranger=stranger)


def find_sample(connection: Connection) -> SampleClass:
    """Return the class that `make_sample` has made, or make it."""
    made = connection.execute(select(ClassStaffRow.class_id, ClassStaffRow.person_id).where(ClassStaffRow.role == "instructor")).first()
    if made is None:
        return make_sample(connection)
    code = find_class(connection, made.person_id, made.class_id).code
    return SampleClass(id=made.class_id, code=code, teacher=made.person_id, helper=0, stranger=0)


def join_sample(connection: Connection, sample: SampleClass, learner: str, name: str | None = None, number: str | None = None) -> Joined:
    """Join a learner, by default under the learner's name."""
    return join(connection, learner, sample.code, name or learner, number, False, NOW_MS)


def submit(connection: Connection, learner: str, at_ms: int = NOW_MS + 1000) -> int:
    """Store an attempt, and return its id."""
    attempt = new_attempt(lesson=LESSONS[0], at_ms=at_ms)
    save_attempt(connection, learner, attempt, limit_bytes=LIMIT)
    return connection.execute(select(AttemptRow.id).where(AttemptRow.receipt == attempt.receipt.id)).scalar_one()


def count_rows(connection: Connection) -> dict[str, int]:
    """Return how many rows each table has, without those that have none."""
    counts = {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in StoreTable.metadata.sorted_tables
    }
    return {name: count for name, count in counts.items() if count}


def take_notices(connection: Connection, after_id: int = 0) -> list[tuple[str, str]]:
    """Return kind and body of the notices after an id."""
    return [(kind, body) for _, kind, body in read_notices(connection, after_id)]


def names_in(connection: Connection, class_id: int) -> list[tuple[str, str | None]]:
    rows = select(MemberRow.name, MemberRow.number).where(MemberRow.class_id == class_id).order_by(MemberRow.id)
    return [(row.name, row.number) for row in connection.execute(rows)]
