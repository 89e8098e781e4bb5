"""Stored predictions: the first answer stays, and a changed question starts again."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select

from app.classroom.store.schema.tables import LearnerRow, PredictionRow
from app.classroom.store.times import DAY_MS
from app.classroom.work import predictions


def predict(
    connection: Connection, answer: str, right: bool | None, now_ms: int, *, about: str = "h", prediction: str = "shape"
) -> Mapping[str, Any]:
    """The row after an answer."""
    predictions.record_prediction(
        connection, learner="ada", lesson="basics/first", prediction=prediction, about=about, answer=answer, right=right, now_ms=now_ms
    )
    found = connection.execute(select(PredictionRow.__table__).where(PredictionRow.prediction == prediction)).one()._mapping
    kept = {name: found[name] for name in found if name not in ("learner_id", "lesson", "prediction")}
    return kept | {"card": found["card"] is not None}


def test_the_first_answer_stays_and_the_last_one_follows(connection: Connection) -> None:
    predict(connection, "[2, 3]", True, 10)
    found = predict(connection, "[3, 2]", True, 20)
    assert found == {
        "about": "h", "first_answer": "[2, 3]", "first_right": True, "first_ms": 10, "last_answer": "[3, 2]", "last_right": True,
        "last_ms": 20, "times": 2, "card": False, "due_ms": None,
    }  # fmt: skip
    assert connection.execute(select(LearnerRow.lesson)).scalar() == "basics/first"


def test_who_asked_to_be_shown_has_answered_too(connection: Connection) -> None:
    predict(connection, "null", None, 10)
    found = predict(connection, "1", False, 20)
    assert (found["first_answer"], found["first_right"], found["last_right"]) == ("null", None, False)


def test_a_wrong_answer_makes_a_card_and_later_ones_move_it(connection: Connection) -> None:
    assert predict(connection, "1", True, 5)["due_ms"] is None
    due_ms = predict(connection, "2", False, 10)["due_ms"]
    assert due_ms == 10 + DAY_MS
    assert predict(connection, "3", True, 20)["due_ms"] == due_ms
    assert predict(connection, "3", True, due_ms)["due_ms"] > due_ms + DAY_MS


def test_a_changed_question_begins_anew(connection: Connection) -> None:
    predict(connection, "1", False, 10)
    found = predict(connection, "2", True, 20, about="h2")
    assert found == {
        "about": "h2", "first_answer": "2", "first_right": True, "first_ms": 20, "last_answer": "2", "last_right": True, "last_ms": 20,
        "times": 1, "card": False, "due_ms": None,
    }  # fmt: skip


def test_predictions_are_apart(connection: Connection) -> None:
    predict(connection, "1", False, 10)
    assert predict(connection, "2", True, 20, prediction="value")["times"] == 1
