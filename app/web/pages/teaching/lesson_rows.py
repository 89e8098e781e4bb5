"""The rows of the form of a class's lessons: makes them for the page, and parses them when they are posted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from app.classroom.classes.class_faults import BadClassValue
from app.classroom.classes.class_lessons import MOST_POINTS, ClassLesson
from app.classroom.store.times import to_datetime, to_ms
from app.lessons.course.catalogue import Catalogue
from app.locale.messages import mark
from app.protocol.run import Lang

OPEN, CLOSED, LATER = "open", "closed", "later"


@dataclass(frozen=True, kw_only=True)
class LessonRow:
    """A lesson of a class in the form. `exercises` is None if the course no longer has the lesson; then `title` is its path.

    `opens` is the time at which it opens, in UTC, as the value of a time field, or "" if it is open or closed.
    """

    path: str
    title: str
    exercises: int | None
    state: str
    opens: str
    points: int


def view_row(catalogue: Catalogue, lesson: ClassLesson, lang: Lang, now_ms: int) -> LessonRow:
    found = catalogue.lesson(lesson.lesson)
    state = CLOSED if lesson.opens_ms is None else OPEN if lesson.is_open(now_ms) else LATER
    return LessonRow(
        path=lesson.lesson,
        title=found.texts[lang].title if found else lesson.lesson,
        exercises=len(found.exercises) if found else None,
        state=state,
        opens=format_field(lesson.opens_ms) if lesson.opens_ms is not None and state == LATER else "",
        points=lesson.points,
    )


def parse_rows(fields: Iterable[tuple[str, str]], before: Sequence[ClassLesson], now_ms: int) -> list[ClassLesson]:
    """Return the lessons of a form in its order. A lesson that stays open keeps its time. Raises BadClassValue.

    The fields of a row begin with `lesson`. Lessons that the class does not have are ignored.
    """
    rows: list[dict[str, str]] = []
    for name, value in fields:
        if name == "lesson":
            rows.append({"lesson": value})
        elif rows and name in ("state", "opens", "points"):
            rows[-1][name] = value
    had = {one.lesson: one for one in before}
    return [parse_row(row, had[row["lesson"]], now_ms) for row in rows if row["lesson"] in had]


def parse_row(row: dict[str, str], before: ClassLesson, now_ms: int) -> ClassLesson:
    points = row.get("points", "")
    if not (points.isascii() and points.isdecimal() and int(points) <= MOST_POINTS):
        raise BadClassValue("points", mark("a whole number from {least} to {most}"), least=0, most=MOST_POINTS)
    match row.get("state"):
        case "open":
            opens_ms = before.opens_ms if before.is_open(now_ms) else now_ms
        case "later":
            opens_ms = parse_field(row.get("opens", ""))
        case _:
            opens_ms = None
    return replace(before, opens_ms=opens_ms, points=int(points))


def move_row(lessons: Sequence[ClassLesson], path: str, by: int) -> list[ClassLesson]:
    """Return the lessons with one of them moved up (-1) or down (1), if it can be moved."""
    moved = list(lessons)
    place = next((place for place, one in enumerate(moved) if one.lesson == path), None)
    if place is not None and 0 <= place + by < len(moved):
        moved[place], moved[place + by] = moved[place + by], moved[place]
    return moved


def format_field(at_ms: int) -> str:
    """Return a time as the value of a field for times, in UTC."""
    return f"{to_datetime(at_ms):%Y-%m-%dT%H:%M}"


def parse_field(value: str) -> int:
    """Return the time of a field, which is in UTC. Raises BadClassValue."""
    try:
        return to_ms(datetime.fromisoformat(value).replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise BadClassValue("time", mark("a date and a time")) from None
