"""Learners who have deleted their work. What their unfinished requests and runs would store is not stored."""

from sqlalchemy import Connection, insert, select

from app.classroom.store.tables import ForgottenLearnerRow
from app.classroom.work.learners import delete_learner


def forget_learner(connection: Connection, learner: str, now_ms: int) -> None:
    """Delete everything that is stored of a learner, and record that nothing more is to be stored."""
    delete_learner(connection, learner)
    if not is_forgotten(connection, learner):
        connection.execute(insert(ForgottenLearnerRow), {"name": learner, "at_ms": now_ms})


def is_forgotten(connection: Connection, learner: str) -> bool:
    """Return whether the learner has deleted their work."""
    return connection.execute(select(ForgottenLearnerRow.at_ms).where(ForgottenLearnerRow.name == learner)).first() is not None
