"""Answers to predictions: the first one, which stays, the last one, and when the question is asked again.

If the question has changed since it was answered, the next answer counts as the first.
"""

from sqlalchemy import Connection, and_, insert, select, update

from app.classroom.store.schema.tables import PredictionRow
from app.classroom.work.learners import update_learner
from app.classroom.work.reviews import Review, review


def record_prediction(
    connection: Connection, learner: str, *, lesson: str, prediction: str, about: str, answer: str, right: bool | None, now_ms: int
) -> None:
    """Store an answer, which is JSON. `right` is None if the learner asked to see the answer. `about` is a hash of the question."""
    learner_id = update_learner(connection, learner, now_ms, lesson=lesson, announces=True)
    here = and_(PredictionRow.learner_id == learner_id, PredictionRow.lesson == lesson, PredictionRow.prediction == prediction)
    row = connection.execute(
        select(PredictionRow.about, PredictionRow.times, PredictionRow.card, PredictionRow.due_ms).where(here)
    ).one_or_none()
    again = row if row and row.about == about else None
    after = review(Review(card=again.card, due_ms=again.due_ms) if again else Review(), right, now_ms)
    values = {
        "last_answer": answer, "last_right": right, "last_ms": now_ms, "card": after.card, "due_ms": after.due_ms,
        "times": again.times + 1 if again else 1,
    }  # fmt: skip
    if again is None:
        values |= {"about": about, "first_answer": answer, "first_right": right, "first_ms": now_ms}
    if row is None:
        connection.execute(insert(PredictionRow), {"learner_id": learner_id, "lesson": lesson, "prediction": prediction, **values})
    else:
        connection.execute(update(PredictionRow).where(here), values)
