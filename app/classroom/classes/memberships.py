"""The classes of a learner, their policy for solutions, and what is deleted together with the learner."""

from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import Connection, bindparam, delete, exists, func, select

from app.classroom.classes.class_faults import NoClass
from app.classroom.classes.class_notices import announce
from app.classroom.store.learner_lock import lock_class, lock_learner
from app.classroom.store.schema.class_tables import ClassLessonRow, MemberLearnerRow, MemberRow, NoteRow, SchoolClassRow
from app.classroom.store.schema.tables import LAST_ID, AttemptRow, LearnerRow
from app.grading.solution_policy import SolutionPolicy, find_strictest, parse_policy

_UNREAD = (
    select(func.count(NoteRow.id))
    .join(AttemptRow, AttemptRow.id == NoteRow.attempt_id)
    .where(NoteRow.member_id == MemberLearnerRow.member_id, NoteRow.read_ms.is_(None), AttemptRow.learner_id == MemberLearnerRow.learner_id)
    .correlate(MemberLearnerRow)
    .scalar_subquery()
)
_OWN = (
    select(
        MemberLearnerRow.class_id, SchoolClassRow.name.label("class_name"), MemberLearnerRow.member_id, MemberRow.name, MemberRow.number,
        MemberRow.joined_ms, MemberLearnerRow.since_ms, SchoolClassRow.archived_ms, SchoolClassRow.retention_days, _UNREAD.label("unread"),
    )
    .select_from(LearnerRow)
    .join(MemberLearnerRow, MemberLearnerRow.learner_id == LearnerRow.id)
    .join(MemberRow, MemberRow.id == MemberLearnerRow.member_id)
    .join(SchoolClassRow, SchoolClassRow.id == MemberLearnerRow.class_id)
    .where(LearnerRow.name == bindparam("learner"))
    .order_by(MemberLearnerRow.class_id)
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Membership:
    """A class of a learner, as the learner sees it. `unread` is the number of notes that the learner has not read."""

    class_id: int
    class_name: str
    member_id: int
    name: str
    number: str | None
    joined_ms: int | None
    since_ms: int
    archived_ms: int | None
    retention_days: int | None
    unread: int


def list_memberships(connection: Connection, learner: str) -> list[Membership]:
    """Return the classes of a learner, archived ones too, the oldest first. If there are none, only two indexes are read."""
    return [Membership(**row._asdict()) for row in connection.execute(_OWN, {"learner": learner})]


def find_member(connection: Connection, learner: str, class_id: int) -> int | None:
    """Return the id of the member that a learner belongs to in a class, or None if the learner is not in it."""
    return connection.scalar(
        select(MemberLearnerRow.member_id)
        .join(LearnerRow, LearnerRow.id == MemberLearnerRow.learner_id)
        .where(LearnerRow.name == learner, MemberLearnerRow.class_id == min(class_id, LAST_ID))
    )


def lock_member(connection: Connection, learner: str, class_id: int) -> int:
    """Lock a learner and one of their classes, and return the id of the member. Raises NoClass."""
    lock_learner(connection, learner)
    lock_class(connection, class_id)
    member_id = find_member(connection, learner, class_id)
    if member_id is None:
        raise NoClass
    return member_id


def find_policy(connection: Connection, learner: str, lesson: str, servers: SolutionPolicy) -> SolutionPolicy:
    """Return the policy by which a learner may see the solutions of a lesson. `servers` is the policy of the server.

    If classes of the learner that are not archived have the lesson, the strictest of their policies applies.
    """
    found = connection.scalars(
        select(SchoolClassRow.solutions)
        .join(ClassLessonRow, ClassLessonRow.class_id == SchoolClassRow.id)
        .join(MemberLearnerRow, MemberLearnerRow.class_id == SchoolClassRow.id)
        .join(LearnerRow, LearnerRow.id == MemberLearnerRow.learner_id)
        .where(LearnerRow.name == learner, ClassLessonRow.lesson == lesson, SchoolClassRow.archived_ms.is_(None))
    )
    return find_strictest([parse_policy(policy) if policy is not None else servers for policy in found] or [servers])


def delete_memberships(connection: Connection, learner: str, learner_id: int) -> None:
    """Delete the members to whom only this learner belongs or belonged until they left, with their hands, notes and points.

    The caller has locked the learner, and deletes the learner afterwards.
    """
    own = select(MemberLearnerRow.class_id, MemberLearnerRow.member_id).where(MemberLearnerRow.learner_id == learner_id)
    left = select(MemberRow.class_id, MemberRow.resume_sha256).where(MemberRow.left_ms.is_not(None))
    left_ids = {row.class_id for row in connection.execute(left) if row.resume_sha256 == hash_leaver(row.class_id, learner)}
    for class_id in sorted(left_ids.union(row.class_id for row in connection.execute(own).all())):
        lock_class(connection, class_id)
    for class_id, member_id in connection.execute(own).all():
        other = exists().where(MemberLearnerRow.member_id == MemberRow.id, MemberLearnerRow.learner_id != learner_id)
        connection.execute(delete(MemberRow).where(MemberRow.id == member_id, ~other))
        announce(connection, class_id)
    for class_id in left_ids:
        connection.execute(delete(MemberRow).where(MemberRow.resume_sha256 == hash_leaver(class_id, learner)))
        announce(connection, class_id)


def hash_leaver(class_id: int, learner: str) -> str:
    """Return what is stored in place of a resume code's hash when a learner leaves: by it they get their place back if they join again."""
    return sha256(f"left {class_id} {learner}".encode()).hexdigest()
