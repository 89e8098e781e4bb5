"""The lessons of a class: their order, when each opens, and what its exercises are worth."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from app.classroom.classes.class_faults import BadClassValue
from app.classroom.classes.class_notices import announce
from app.classroom.classes.class_staff import require_instructor
from app.classroom.store.schema.class_tables import ClassLessonRow
from app.classroom.store.schema.tables import PATH_CHARACTERS
from app.locale.messages import mark

MOST_LESSONS = 300
MOST_POINTS = 1000
LATEST_MS = 2**53


@dataclass(frozen=True, kw_only=True)
class ClassLesson:
    """A lesson of a class, named by its path. It is open from `opens_ms` on; None means closed. Each exercise is worth `points` points."""

    lesson: str
    position: int = 0
    opens_ms: int | None = None
    points: int = 1

    def is_open(self, now_ms: int) -> bool:
        return self.opens_ms is not None and self.opens_ms <= now_ms


def list_lessons(connection: Connection, class_id: int) -> list[ClassLesson]:
    """Return the lessons of a class in their order. The caller must have checked that the person may see the class."""
    lessons = (
        select(ClassLessonRow.lesson, ClassLessonRow.position, ClassLessonRow.opens_ms, ClassLessonRow.points)
        .where(ClassLessonRow.class_id == class_id)
        .order_by(ClassLessonRow.position)
    )
    return [ClassLesson(**row._asdict()) for row in connection.execute(lessons)]


def set_lessons(connection: Connection, teacher: int, class_id: int, lessons: Sequence[ClassLesson]) -> None:
    """Replace the lessons of a class with these, in this order. The caller must have checked that the lessons exist.

    Raises NoClass, AssistantOnly and BadClassValue.
    """
    require_instructor(connection, teacher, class_id)
    if len(lessons) > MOST_LESSONS or len({one.lesson for one in lessons}) < len(lessons):
        raise BadClassValue("lessons", mark("at most {most} lessons, each once"), most=MOST_LESSONS)
    for one in lessons:
        if not 0 <= one.points <= MOST_POINTS:
            raise BadClassValue("points", mark("a whole number from {least} to {most}"), least=0, most=MOST_POINTS)
        if not (0 <= (one.opens_ms or 0) <= LATEST_MS and 0 < len(one.lesson) <= PATH_CHARACTERS):
            raise BadClassValue("opens_ms", mark("a time, or none while the lesson is closed"))
    connection.execute(delete(ClassLessonRow).where(ClassLessonRow.class_id == class_id))
    insert_lessons(connection, class_id, lessons)
    announce(connection, class_id)


def insert_lessons(connection: Connection, class_id: int, lessons: Sequence[ClassLesson]) -> None:
    """Add lessons to a class that has none."""
    rows = [
        {"class_id": class_id, "position": position, "lesson": one.lesson, "opens_ms": one.opens_ms, "points": one.points}
        for position, one in enumerate(lessons)
    ]
    if rows:
        connection.execute(insert(ClassLessonRow), rows)
