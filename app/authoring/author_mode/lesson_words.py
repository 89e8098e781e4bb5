"""A lesson in one language alone, and in all of them where one has no words that fit it yet."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from app.lessons.model.model import LANGS, Lesson
from app.protocol.run import Lang

Words = TypeVar("Words")


def keep_language(lesson: Lesson, lang: Lang) -> Lesson:
    """The lesson without the words of the others."""
    return msgspec.structs.replace(
        lesson,
        texts={lang: lesson.texts[lang]},
        predictions=tuple(msgspec.structs.replace(one, texts={lang: one.texts[lang]}) for one in lesson.predictions),
        exercises=tuple(msgspec.structs.replace(one, texts={lang: one.texts[lang]}) for one in lesson.exercises),
    )


def lend_words(lesson: Lesson, before: Lesson | None) -> Lesson:
    """A lesson that lacks the words of some language, with those that it had `before` there; for what is new, with those of another."""
    predictions = {one.id: one.texts for one in before.predictions} if before else {}
    exercises = {one.id: one.texts for one in before.exercises} if before else {}
    return msgspec.structs.replace(
        lesson,
        texts=_lend(lesson.texts, before.texts if before else {}),
        predictions=tuple(msgspec.structs.replace(one, texts=_lend(one.texts, predictions.get(one.id, {}))) for one in lesson.predictions),
        exercises=tuple(msgspec.structs.replace(one, texts=_lend(one.texts, exercises.get(one.id, {}))) for one in lesson.exercises),
    )


def _lend(texts: Mapping[Lang, Words], before: Mapping[Lang, Words]) -> dict[Lang, Words]:
    other = next(iter(texts.values()))
    return {lang: texts.get(lang) or before.get(lang) or other for lang in LANGS}
