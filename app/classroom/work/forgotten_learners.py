"""Learners who have deleted their work. Their unfinished requests and runs, in any process, then store nothing more.

Every change checks this table after it has locked the learner. The table has only hashes of names, so that nothing of the learner is left.
A row is deleted after some days, long after the last such request has ended.
"""

from sqlalchemy import Connection, delete, insert, select

from app.classroom.store.notices import hash_name, write_notice
from app.classroom.store.schema.tables import ForgottenLearnerRow
from app.classroom.store.times import DAY_MS
from app.classroom.work.learners import delete_learner

NOTICE = "learner_forgotten"  # its body is the hash of the learner's name
REMEMBERED_MS = 3 * DAY_MS


def forget_learner(connection: Connection, learner: str, now_ms: int) -> None:
    """Delete everything that is stored of a learner, and notify the web processes. The caller has locked the learner."""
    delete_learner(connection, learner)
    if not is_forgotten(connection, learner):
        connection.execute(insert(ForgottenLearnerRow), {"name_sha256": hash_name(learner), "at_ms": now_ms})
        write_notice(connection, NOTICE, hash_name(learner))


def is_forgotten(connection: Connection, learner: str) -> bool:
    """Return whether the learner has deleted their work. The caller has locked the learner."""
    return connection.scalar(select(ForgottenLearnerRow.at_ms).where(ForgottenLearnerRow.name_sha256 == hash_name(learner))) is not None


def list_forgotten(connection: Connection) -> list[str]:
    """Return the hashes of all forgotten learners' names, the latest last."""
    return list(connection.execute(select(ForgottenLearnerRow.name_sha256).order_by(ForgottenLearnerRow.at_ms)).scalars())


def prune_forgotten(connection: Connection, now_ms: int) -> None:
    """Delete the rows of learners who deleted their work more than REMEMBERED_MS ago."""
    connection.execute(delete(ForgottenLearnerRow).where(ForgottenLearnerRow.at_ms < now_ms - REMEMBERED_MS))
