"""Lets teachers list, rename, remove and merge the members of a class, and renew their resume codes."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, exists, func, select, update
from sqlalchemy.orm import aliased

from app.classroom.classes.class_faults import BadClassValue, NoMember, NumberTaken
from app.classroom.classes.class_notices import announce
from app.classroom.classes.class_staff import append_audit, require_instructor
from app.classroom.classes.join_code import RESUME_LETTERS, draw_code
from app.classroom.classes.members import check_shown_name, check_student_number, find_number, set_resume_code
from app.classroom.people.people import make_name_key
from app.classroom.store.schema.class_tables import MemberLearnerRow, MemberRow, NoteRow, PointsOverrideRow, RaisedHandRow
from app.locale.messages import mark


@dataclass(frozen=True, kw_only=True)
class ListedMember:
    """A member, as teachers see them.

    `learners` is 0 for a member who has not joined or has left, and more than 1 after members were merged.
    """

    id: int
    name: str
    number: str | None
    joined_ms: int | None
    left_ms: int | None
    learners: int
    active_ms: int | None


def list_members(connection: Connection, class_id: int) -> list[ListedMember]:
    """Return all members of a class by their names. The caller must have checked that the person teaches it."""
    found = (
        select(
            MemberRow.id, MemberRow.name, MemberRow.number, MemberRow.joined_ms, MemberRow.left_ms,
            func.count(MemberLearnerRow.learner_id).label("learners"), func.max(MemberLearnerRow.active_ms).label("active_ms"),
        )
        .outerjoin(MemberLearnerRow, MemberLearnerRow.member_id == MemberRow.id)
        .where(MemberRow.class_id == class_id)
        .group_by(MemberRow.id)
        .order_by(MemberRow.name_key, MemberRow.id)
    )  # fmt: skip
    return [ListedMember(**row._asdict()) for row in connection.execute(found)]


def require_member(connection: Connection, class_id: int, member_id: int) -> ListedMember:
    """Return a member of a class. The caller has locked the class. Raises NoMember."""
    found = next((one for one in list_members(connection, class_id) if one.id == member_id), None)
    if found is None:
        raise NoMember
    return found


def rename_member(connection: Connection, teacher: int, class_id: int, member_id: int, name: str, number: str | None, now_ms: int) -> None:
    """Change the name and the student number of a member; None removes the number. Raises NumberTaken and BadClassValue."""
    require_instructor(connection, teacher, class_id)
    require_member(connection, class_id, member_id)
    named, numbered = check_shown_name(name), check_student_number(number)
    if numbered is not None and (same := find_number(connection, class_id, numbered)) is not None and same.id != member_id:
        raise NumberTaken
    renamed = update(MemberRow).where(MemberRow.id == member_id)
    connection.execute(renamed.values(name=named, name_key=make_name_key(named), number=numbered))
    append_audit(connection, teacher, class_id, now_ms, "member_renamed", member=member_id)
    announce(connection, class_id)


def remove_member(connection: Connection, teacher: int, class_id: int, member_id: int, now_ms: int) -> None:
    """Remove a member with their hand, their notes and their points in the class. Their own work stays stored."""
    require_instructor(connection, teacher, class_id)
    require_member(connection, class_id, member_id)
    connection.execute(delete(MemberRow).where(MemberRow.id == member_id))
    append_audit(connection, teacher, class_id, now_ms, "member_removed", member=member_id)
    announce(connection, class_id)


def renew_resume_code(connection: Connection, teacher: int, class_id: int, member_id: int, now_ms: int) -> str:
    """Replace a member's resume code, and return the new one, which is stored only as a hash. Raises BadClassValue if nobody has joined."""
    require_instructor(connection, teacher, class_id)
    if not require_member(connection, class_id, member_id).learners:
        raise BadClassValue("member", mark("somebody who has joined"))
    code = draw_code(RESUME_LETTERS)
    set_resume_code(connection, member_id, code)
    append_audit(connection, teacher, class_id, now_ms, "resume_code_renewed", member=member_id)
    return code


def merge_members(connection: Connection, teacher: int, class_id: int, kept_id: int, other_id: int, now_ms: int) -> None:
    """Merge two members into one, who has the name of `kept_id` and the learners, notes and points of both.

    If both have a number, a resume code, a raised hand, or points that a teacher gave for the same exercise, those of `kept_id` stay.
    """
    require_instructor(connection, teacher, class_id)
    kept, other = (require_member(connection, class_id, member_id) for member_id in (kept_id, other_id))
    if kept_id == other_id:
        raise BadClassValue("member", mark("two members"))
    hashed = connection.scalars(
        select(MemberRow.resume_sha256)
        .where(MemberRow.id.in_((kept_id, other_id)))
        .order_by(MemberRow.left_ms.is_not(None), MemberRow.id == other_id)
    ).all()
    move_rows(connection, kept_id, other_id)
    connection.execute(delete(MemberRow).where(MemberRow.id == other_id))
    connection.execute(
        update(MemberRow)
        .where(MemberRow.id == kept_id)
        .values(
            number=kept.number or other.number,
            joined_ms=min((one.joined_ms for one in (kept, other) if one.joined_ms is not None), default=None),
            left_ms=kept.left_ms if not kept.learners + other.learners else None,
            resume_sha256=next((code for code in hashed if code is not None), None),
        )
    )
    append_audit(connection, teacher, class_id, now_ms, "members_merged", member=kept_id, other=other_id)
    announce(connection, class_id)


def move_rows(connection: Connection, kept_id: int, other_id: int) -> None:
    """Give a member the rows of another, except what it has already."""
    for table in (MemberLearnerRow, NoteRow):
        connection.execute(update(table).where(table.member_id == other_id).values(member_id=kept_id))
    if connection.execute(select(RaisedHandRow.member_id).where(RaisedHandRow.member_id == kept_id)).first() is None:
        connection.execute(update(RaisedHandRow).where(RaisedHandRow.member_id == other_id).values(member_id=kept_id))
    own = aliased(PointsOverrideRow)
    has = exists().where(own.member_id == kept_id, own.lesson == PointsOverrideRow.lesson, own.exercise == PointsOverrideRow.exercise)
    connection.execute(update(PointsOverrideRow).where(PointsOverrideRow.member_id == other_id, ~has).values(member_id=kept_id))
