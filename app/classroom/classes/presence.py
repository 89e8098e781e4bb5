"""Where the learners of classes are, and when they did something last. It is written together with what they do."""

from sqlalchemy import Connection, bindparam, select, update

from app.classroom.classes.class_notices import announce
from app.classroom.store.schema.class_tables import MemberLearnerRow

EXACT_MS = 10_000  # between two updates of a learner who stays where they are
QUIET_MS = 60_000  # after which the board is told at once that a learner does something again
_PLACES = select(
    MemberLearnerRow.class_id, MemberLearnerRow.lesson, MemberLearnerRow.exercise, MemberLearnerRow.active_ms
).where(MemberLearnerRow.learner_id == bindparam("learner_id"))  # fmt: skip


def touch(connection: Connection, learner_id: int, now_ms: int, lesson: str | None, exercise: str | None, *, announces: bool) -> None:
    """Store that a learner does something now, in a lesson and maybe in an exercise of it; None: where they were.

    The caller has locked the learner. The place is not written if the learner was there less than EXACT_MS ago. With `announces`, the
    boards of the learner's classes are told in any case.
    """
    for row in connection.execute(_PLACES, {"learner_id": learner_id}).all():
        moved = lesson is not None and (row.lesson, row.exercise) != (lesson, exercise)
        idle_ms = now_ms - row.active_ms if row.active_ms is not None else QUIET_MS
        if moved or idle_ms >= EXACT_MS:
            here = update(MemberLearnerRow).where(MemberLearnerRow.class_id == row.class_id, MemberLearnerRow.learner_id == learner_id)
            place = {"lesson": lesson, "exercise": exercise, "here_ms": now_ms} if moved else {}
            connection.execute(here.values(active_ms=now_ms, **place))
        if announces or moved or idle_ms >= QUIET_MS:
            announce(connection, row.class_id)
