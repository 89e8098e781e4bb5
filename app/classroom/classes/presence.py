"""Where the learners of classes are, and when they were last active. Both are stored together with their work."""

from sqlalchemy import Connection, bindparam, select, update

from app.classroom.classes.class_notices import announce
from app.classroom.store.schema.class_tables import MemberLearnerRow
from app.classroom.store.schema.tables import LearnerRow

EXACT_MS = 10_000  # between two updates of a learner who stays where they are
PAUSE_MS = 30 * 60_000  # after which a learner counts as newly arrived at a place
QUIET_MS = 60_000  # after which the board is notified at once that a learner is active again
_PLACES = select(
    MemberLearnerRow.class_id, MemberLearnerRow.lesson, MemberLearnerRow.exercise, MemberLearnerRow.active_ms
).where(MemberLearnerRow.learner_id == bindparam("learner_id"))  # fmt: skip


def touch(connection: Connection, learner_id: int, now_ms: int, lesson: str | None, exercise: str | None, *, announces: bool) -> None:
    """Store that a learner is active now, in a lesson and perhaps in one of its exercises. If `lesson` is None, the place stays the same.

    The caller has locked the learner. Nothing is written if the learner was at this place less than EXACT_MS ago. With `announces`, the
    boards of the learner's classes are notified in any case.
    """
    for row in connection.execute(_PLACES, {"learner_id": learner_id}).all():
        moved = lesson is not None and (row.lesson, row.exercise) != (lesson, exercise)
        idle_ms = now_ms - row.active_ms if row.active_ms is not None else QUIET_MS
        if moved or idle_ms >= EXACT_MS:
            here = update(MemberLearnerRow).where(MemberLearnerRow.class_id == row.class_id, MemberLearnerRow.learner_id == learner_id)
            place = {"lesson": lesson, "exercise": exercise} if moved else {}
            since = {"here_ms": now_ms} if moved or idle_ms >= PAUSE_MS else {}
            connection.execute(here.values(active_ms=now_ms, **place, **since))
        if announces or moved or idle_ms >= QUIET_MS:
            announce(connection, row.class_id)


def attend(connection: Connection, learner: str, lesson: str | None, now_ms: int) -> None:
    """Store that a learner has a lesson open. None means a page outside of lessons. The caller has locked the learner.

    A learner who is in an exercise of the lesson stays there.
    """
    row = connection.execute(
        select(MemberLearnerRow.learner_id, MemberLearnerRow.lesson)
        .join(LearnerRow, LearnerRow.id == MemberLearnerRow.learner_id)
        .where(LearnerRow.name == learner)
    ).first()
    if row is not None:
        touch(connection, row.learner_id, now_ms, None if row.lesson == lesson else lesson, None, announces=False)
