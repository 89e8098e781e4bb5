"""What was predicted: the first answer, which stays, the last one, and when it is asked again. A question that changed begins anew."""

from sqlalchemy import Connection, and_, insert, select, update

from app.classroom.store.tables import PredictionRow
from app.classroom.work.learners import note_kept
from app.classroom.work.reviews import Review, review


def keep_prediction(
    connection: Connection, *, learner: str, lesson: str, prediction: str, about: str, answer: str, right: bool | None, now_ms: int
) -> None:
    """Keeps an answer, JSON. `right` null: the learner asked to be shown. `about`: a hash of what the question is about."""
    learner_id = note_kept(connection, learner, now_ms, lesson=lesson)
    here = and_(PredictionRow.learner_id == learner_id, PredictionRow.lesson == lesson, PredictionRow.prediction == prediction)
    columns = PredictionRow.about, PredictionRow.times, PredictionRow.card, PredictionRow.due_ms
    row = connection.execute(select(*columns).where(here)).one_or_none()
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
