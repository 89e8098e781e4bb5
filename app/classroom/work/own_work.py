"""What the page "My work" shows of a learner: how far they are, which rules they wrote themselves, and when they last did what."""

from sqlalchemy import Connection, bindparam, func, select, union_all

from app.classroom.store.schema.tables import DoneCellRow, DraftRow, PredictionRow, StandingRow
from app.classroom.store.stored_work_types import OwnWork
from app.classroom.work.learners import find_learner
from app.classroom.work.progress import read_course_work

RULE = "_rule"  # the draft with a learner's own words for a lesson's rule
OWN_RULES = select(DraftRow.lesson, DraftRow.source).where(DraftRow.learner_id == bindparam("learner_id"), DraftRow.cell == RULE)
DONE = union_all(
    select(DoneCellRow.lesson, DoneCellRow.at_ms.label("at_ms")).where(DoneCellRow.learner_id == bindparam("learner_id")),
    select(PredictionRow.lesson, PredictionRow.first_ms).where(PredictionRow.learner_id == bindparam("learner_id")),
    select(StandingRow.lesson, StandingRow.passed_ms).where(
        StandingRow.learner_id == bindparam("learner_id"), StandingRow.passed_ms.is_not(None)
    ),
).subquery()
LAST_DONE = select(DONE.c.lesson, func.max(DONE.c.at_ms).label("at_ms")).group_by(DONE.c.lesson)


def read_own_work(connection: Connection, learner: str, *, now_ms: int) -> OwnWork:
    """Return everything that the page "My work" shows of the learner's work, except what the page's script requests."""
    own = {"learner_id": find_learner(connection, learner)}
    return OwnWork(
        course=read_course_work(connection, learner, now_ms=now_ms),
        own_rules=[lesson for lesson, words in connection.execute(OWN_RULES, own) if words and words.strip()],
        last_done_ms={row.lesson: row.at_ms for row in connection.execute(LAST_DONE, own)},
    )
