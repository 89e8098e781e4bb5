"""Learners who have deleted their work. Requests and runs that are still unfinished then store nothing more, in whichever process they are.

Every change looks here behind the learner's lock. The names are deleted after some days, long after the last such request has ended.
"""

from sqlalchemy import Connection, delete, insert, select

from app.classroom.store.notices import write_notice
from app.classroom.store.tables import ForgottenLearnerRow
from app.classroom.store.times import DAY_MS
from app.classroom.work.learners import delete_learner

NOTICE = "learner_forgotten"  # its body is the learner's name
REMEMBERED_MS = 3 * DAY_MS


def forget_learner(connection: Connection, learner: str, now_ms: int) -> None:
    """Delete everything that is stored of a learner, and tell the web processes. The caller has locked the learner."""
    delete_learner(connection, learner)
    if not is_forgotten(connection, learner):
        connection.execute(insert(ForgottenLearnerRow), {"name": learner, "at_ms": now_ms})
        write_notice(connection, NOTICE, learner)


def is_forgotten(connection: Connection, learner: str) -> bool:
    """Return whether the learner has deleted their work. The caller has locked the learner."""
    return connection.execute(select(ForgottenLearnerRow.at_ms).where(ForgottenLearnerRow.name == learner)).first() is not None


def list_forgotten(connection: Connection) -> list[str]:
    """Return all forgotten learners, the latest last."""
    return list(connection.execute(select(ForgottenLearnerRow.name).order_by(ForgottenLearnerRow.at_ms)).scalars())


def prune_forgotten(connection: Connection, now_ms: int) -> None:
    """Delete the names of learners who deleted their work more than REMEMBERED_MS ago."""
    connection.execute(delete(ForgottenLearnerRow).where(ForgottenLearnerRow.at_ms < now_ms - REMEMBERED_MS))
