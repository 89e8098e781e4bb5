"""Reduces a lesson to the words of one language, and fills in the words of a missing language."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from app.lessons.model.model import LANGS, Lesson
from app.protocol.run import Lang

Words = TypeVar("Words")


def select_language(lesson: Lesson, lang: Lang) -> Lesson:
    """Return the lesson with the words of one language only."""
    return msgspec.structs.replace(
        lesson,
        texts={lang: lesson.texts[lang]},
        predictions=tuple(msgspec.structs.replace(one, texts={lang: one.texts[lang]}) for one in lesson.predictions),
        exercises=tuple(msgspec.structs.replace(one, texts={lang: one.texts[lang]}) for one in lesson.exercises),
    )


def fill_in_words(lesson: Lesson, before: Lesson | None) -> Lesson:
    """Return the lesson with words in every language. Missing words come from the version `before`, or else from another language."""
    predictions = {one.id: one.texts for one in before.predictions} if before else {}
    exercises = {one.id: one.texts for one in before.exercises} if before else {}
    return msgspec.structs.replace(
        lesson,
        texts=_fill_in(lesson.texts, before.texts if before else {}),
        predictions=tuple(
            msgspec.structs.replace(one, texts=_fill_in(one.texts, predictions.get(one.id, {}))) for one in lesson.predictions
        ),
        exercises=tuple(msgspec.structs.replace(one, texts=_fill_in(one.texts, exercises.get(one.id, {}))) for one in lesson.exercises),
    )


def _fill_in(texts: Mapping[Lang, Words], before: Mapping[Lang, Words]) -> dict[Lang, Words]:
    other = next(iter(texts.values()))
    return {lang: texts.get(lang) or before.get(lang) or other for lang in LANGS}
