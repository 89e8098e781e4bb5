"""Points that a teacher gave instead of the computed ones, with a reason. Each change is an entry in the audit table."""

from dataclasses import asdict, dataclass

from sqlalchemy import ColumnElement, Connection, and_, delete, insert, select

from app.classroom.classes.class_faults import BadClassValue
from app.classroom.classes.class_staff import append_audit, name_teacher, require_instructor
from app.classroom.classes.member_changes import require_member
from app.classroom.classes.points.points_rule import HUNDREDTHS
from app.classroom.store.schema.class_tables import MemberRow, PointsOverrideRow
from app.locale.messages import mark

MOST_HUNDREDTHS = 100_000
REASON_CHARACTERS = 300


@dataclass(frozen=True, kw_only=True)
class ExerciseOfMember:
    """An exercise and the member of a class who does it."""

    member_id: int
    lesson: str
    exercise: str


@dataclass(frozen=True, kw_only=True)
class PointsOverride:
    """Points that a teacher gave, in hundredths. `author` is the teacher's name."""

    hundredths: int
    reason: str
    author: str
    at_ms: int


def list_overrides(connection: Connection, class_id: int) -> dict[ExerciseOfMember, PointsOverride]:
    """Return all overrides of a class."""
    query = (
        select(PointsOverrideRow.__table__)
        .join(MemberRow, MemberRow.id == PointsOverrideRow.member_id)
        .where(MemberRow.class_id == class_id)
    )
    return {
        ExerciseOfMember(member_id=row.member_id, lesson=row.lesson, exercise=row.exercise): PointsOverride(
            hundredths=row.hundredths, reason=row.reason, author=row.author, at_ms=row.at_ms
        )
        for row in connection.execute(query)
    }


def set_override(
    connection: Connection, teacher: int, class_id: int, place: ExerciseOfMember, hundredths: int, reason: str, now_ms: int
) -> None:
    """Store points that replace the computed ones. Raises NoClass, NoMember, AssistantOnly and BadClassValue."""
    require_instructor(connection, teacher, class_id)
    require_member(connection, class_id, place.member_id)
    reason = " ".join(reason.split())
    if not 0 <= hundredths <= MOST_HUNDREDTHS:
        raise BadClassValue("points", mark("points from 0 to {most}, with at most two decimals"), most=MOST_HUNDREDTHS // HUNDREDTHS)
    if not 1 <= len(reason) <= REASON_CHARACTERS or not reason.isprintable():
        raise BadClassValue("reason", mark("a reason of at most {most} characters"), most=REASON_CHARACTERS)
    connection.execute(delete(PointsOverrideRow).where(_is_at(place)))
    given = PointsOverride(hundredths=hundredths, reason=reason, author=name_teacher(connection, teacher), at_ms=now_ms)
    connection.execute(insert(PointsOverrideRow), asdict(place) | asdict(given))
    append_audit(connection, teacher, class_id, now_ms, "points_set", **_name_in_audit(place), hundredths=hundredths)


def clear_override(connection: Connection, teacher: int, class_id: int, place: ExerciseOfMember, now_ms: int) -> bool:
    """Delete an override, so that the computed points count. Return whether there was one. Raises NoClass, NoMember and AssistantOnly."""
    require_instructor(connection, teacher, class_id)
    require_member(connection, class_id, place.member_id)
    cleared = connection.execute(delete(PointsOverrideRow).where(_is_at(place))).rowcount > 0
    if cleared:
        append_audit(connection, teacher, class_id, now_ms, "points_cleared", **_name_in_audit(place))
    return cleared


def _name_in_audit(place: ExerciseOfMember) -> dict[str, int | str]:
    return {"member": place.member_id, "exercise": f"{place.lesson}/{place.exercise}"}


def _is_at(place: ExerciseOfMember) -> ColumnElement[bool]:
    return and_(*(getattr(PointsOverrideRow, name) == value for name, value in asdict(place).items()))
