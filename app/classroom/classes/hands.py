"""Raised hands, and the helpers who are coming. A helper may also come unasked."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, update

from app.classroom.classes.class_faults import NoMember
from app.classroom.classes.class_notices import announce
from app.classroom.classes.class_staff import require_helper
from app.classroom.classes.memberships import lock_member
from app.classroom.store.schema.class_tables import MemberLearnerRow, MemberRow, RaisedHandRow
from app.classroom.store.schema.tables import LAST_ID, LearnerRow
from app.classroom.work.learners import update_learner


@dataclass(frozen=True, kw_only=True)
class OwnHand:
    """A learner's raised hand. `at_ms` is None if the hand is not raised, and `helper` comes unasked."""

    class_id: int
    at_ms: int | None
    lesson: str | None
    exercise: str | None
    shares: bool
    helper: str | None
    coming_ms: int | None


def raise_hand(
    connection: Connection, learner: str, class_id: int, *, lesson: str, exercise: str | None, shares: bool, now_ms: int
) -> None:
    """Raise a learner's hand in a class. If it is raised already, only the place and `shares` change. Raises NoClass.

    If `shares` is true, teachers may read the learner's current text of the exercise.
    """
    member_id = lock_member(connection, learner, class_id)
    update_learner(connection, learner, now_ms, lesson=lesson, exercise=exercise)
    values = {"lesson": lesson, "exercise": exercise, "shares": shares}
    raised = update(RaisedHandRow).where(RaisedHandRow.member_id == member_id)
    if not connection.execute(raised.values(at_ms=func.coalesce(RaisedHandRow.at_ms, now_ms), **values)).rowcount:
        connection.execute(insert(RaisedHandRow), {"member_id": member_id, "at_ms": now_ms, **values})
    announce(connection, class_id)


def lower_hand(connection: Connection, learner: str, class_id: int) -> None:
    """Lower a learner's hand. A helper is no longer marked as coming. Raises NoClass."""
    _delete_hand(connection, class_id, lock_member(connection, learner, class_id))


def lower_members_hand(connection: Connection, teacher: int, class_id: int, member_id: int) -> None:
    """Lower a member's hand, after somebody has helped. Raises NoClass and NoMember."""
    require_helper(connection, teacher, class_id)
    require_present(connection, class_id, member_id)
    _delete_hand(connection, class_id, member_id)


def _delete_hand(connection: Connection, class_id: int, member_id: int) -> None:
    if connection.execute(delete(RaisedHandRow).where(RaisedHandRow.member_id == member_id)).rowcount:
        announce(connection, class_id, to_member=member_id)


def mark_coming(connection: Connection, teacher: int, class_id: int, member_id: int, helper_name: str | None, now_ms: int) -> None:
    """Store who is coming to a member, whether the hand is raised or not; None means nobody. A later helper replaces an earlier one.

    Raises NoClass and NoMember.
    """
    require_helper(connection, teacher, class_id)
    require_present(connection, class_id, member_id)
    own = RaisedHandRow.member_id == member_id
    values = {"helper": helper_name, "coming_ms": now_ms if helper_name is not None else None}
    if helper_name is None:
        connection.execute(delete(RaisedHandRow).where(own, RaisedHandRow.at_ms.is_(None)))
    if not connection.execute(update(RaisedHandRow).where(own).values(**values)).rowcount and helper_name is not None:
        place = find_place(connection, member_id)
        connection.execute(insert(RaisedHandRow), {"member_id": member_id, "at_ms": None, "shares": False, **place, **values})
    announce(connection, class_id, to_member=member_id)


def find_place(connection: Connection, member_id: int) -> dict[str, str | None]:
    """Return the lesson and the exercise in which a member was last active."""
    row = connection.execute(
        select(MemberLearnerRow.lesson, MemberLearnerRow.exercise)
        .where(MemberLearnerRow.member_id == member_id)
        .order_by(MemberLearnerRow.active_ms.is_(None), MemberLearnerRow.active_ms.desc())
    ).first()
    return row._asdict() if row else {"lesson": None, "exercise": None}


def require_present(connection: Connection, class_id: int, member_id: int) -> None:
    """Raise NoMember unless a class has this member, who has joined and not left."""
    here = select(MemberRow.id).join(MemberLearnerRow, MemberLearnerRow.member_id == MemberRow.id)
    if connection.execute(here.where(MemberRow.class_id == class_id, MemberRow.id == min(member_id, LAST_ID))).first() is None:
        raise NoMember


def read_hands(connection: Connection, learner: str) -> list[OwnHand]:
    """Return a learner's raised hands and coming helpers in all their classes."""
    own = (
        select(
            MemberLearnerRow.class_id, RaisedHandRow.at_ms, RaisedHandRow.lesson, RaisedHandRow.exercise, RaisedHandRow.shares,
            RaisedHandRow.helper, RaisedHandRow.coming_ms,
        )
        .join(RaisedHandRow, RaisedHandRow.member_id == MemberLearnerRow.member_id)
        .join(LearnerRow, LearnerRow.id == MemberLearnerRow.learner_id)
        .where(LearnerRow.name == learner)
        .order_by(MemberLearnerRow.class_id)
    )  # fmt: skip
    return [OwnHand(**row._asdict()) for row in connection.execute(own)]
