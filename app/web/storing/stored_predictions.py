"""Predictions as they are kept: the answer as JSON, and a hash of what was asked, by which a lesson that has changed since is noticed."""

from hashlib import sha256

import msgspec

from app.lessons.model.model import Lesson
from app.lessons.model.prediction import Answer, Prediction
from app.protocol.number import encode_real
from app.web.http.answer import encoder

EncodedAnswer = float | int | str | list[int]
written: msgspec.json.Decoder[EncodedAnswer | None] = msgspec.json.Decoder(EncodedAnswer | None)


def encode_answer(answer: Answer) -> EncodedAnswer:
    """An answer as JSON has it."""
    match answer:
        case float():
            return encode_real(answer)
        case tuple():
            return list(answer)
        case _:
            return answer


def render_answer(answer: Answer | None) -> str:
    """The JSON of an answer, "null" for none."""
    return encoder.encode(None if answer is None else encode_answer(answer)).decode()


def parse_stored(text: str) -> EncodedAnswer | None:
    """The same back."""
    return written.decode(text)


def hash_question(lesson: Lesson, prediction: Prediction) -> str:
    """Changes when the question's cell or its right answer does. Words may change: what was answered stays what it was."""
    cell = lesson.cell(prediction.cell_id)
    asked = (cell.source if cell else "", prediction.asks, encode_answer(prediction.answer))
    return sha256(encoder.encode(asked)).hexdigest()
