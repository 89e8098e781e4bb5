"""Notifies all web processes of changes to classes. A notice is written in the transaction of its change."""

from sqlalchemy import Connection, select

from app.classroom.store.notices import hash_name, write_notice
from app.classroom.store.schema.class_tables import MemberLearnerRow
from app.classroom.store.schema.tables import LearnerRow

NOTICE = "class"  # the body is the id of a class whose board has changed
LEARNER_NOTICE = "class_learner"  # the body is the hash of the name of a learner whose hands or notes have changed


def announce(connection: Connection, class_id: int, *, to_member: int | None = None) -> None:
    """Notify the web processes that a class has changed, and the learners of a member if their hand or their notes have changed."""
    write_notice(connection, NOTICE, str(class_id))
    if to_member is not None:
        learners = select(LearnerRow.name).join(MemberLearnerRow, MemberLearnerRow.learner_id == LearnerRow.id)
        for name in connection.scalars(learners.where(MemberLearnerRow.member_id == to_member)).all():
            write_notice(connection, LEARNER_NOTICE, hash_name(name))
