"""The stored form of predictions: the answer as JSON, and a hash that shows whether the question has changed."""

from hashlib import sha256

import msgspec

from app.lessons.model.model import Lesson
from app.lessons.model.prediction import Answer, Prediction
from app.protocol.number import encode_real
from app.web.http.answer import encoder

EncodedAnswer = float | int | str | list[int]
stored_answers: msgspec.json.Decoder[EncodedAnswer | None] = msgspec.json.Decoder(EncodedAnswer | None)


def encode_answer(answer: Answer) -> EncodedAnswer:
    """Return an answer as a value of JSON."""
    match answer:
        case float():
            return encode_real(answer)
        case tuple():
            return list(answer)
        case _:
            return answer


def render_answer(answer: Answer | None) -> str:
    """Return the JSON of an answer, "null" for None."""
    return encoder.encode(None if answer is None else encode_answer(answer)).decode()


def hash_question(lesson: Lesson, prediction: Prediction) -> str:
    """Return a hash of what a prediction asks: the cell's source, the form of the answer, and the right answer.

    The wording of the question is not hashed, because it does not change which answer is right.
    """
    cell = lesson.cell(prediction.cell_id)
    asked = (cell.source if cell else "", prediction.asks, encode_answer(prediction.answer))
    return sha256(encoder.encode(asked)).hexdigest()
