"""Checks that the right choices of predictions cannot be guessed by their place, length or digits, or because they give a reason."""

import html
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from app.lessons.model.model import LANGS, Lesson
from app.lessons.toml.problem import Problem
from app.protocol.run import Lang

FEWEST_QUESTIONS = 60  # with fewer, right answers are unevenly distributed even if placed at random
MARGIN = 0.05  # the fraction of questions by which a habit may differ from chance
NAMED = 3  # the most questions that a complaint names
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
NAMES: dict[Lang, str] = {"en": "English", "zh-Hans": "Chinese"}
TAG = re.compile(r"<[^>]*>")
REASON = re.compile(r"[:：]|\b(?:because|since)\b|因为")


class Question(NamedTuple):
    """A prediction with choices, as plain text in one of the languages."""

    place: str
    choices: Sequence[str]
    answer: int  # from 0


class Habit(NamedTuple):
    """A way to guess: to take the choice for which `measure` is largest, given the place of a choice and its text.

    If there are several, one of them is taken at random.
    """

    name: str
    measure: Callable[[int, str], int]


def find_guessable(lessons: Sequence[Lesson]) -> list[Problem]:
    """Return a problem of course.toml for each habit that guesses right choices of the whole course too well or too badly."""
    questions = {lang: list(_list_questions(lessons, lang)) for lang in LANGS}
    first = questions[LANGS[0]]
    if len(first) < FEWEST_QUESTIONS:
        return []
    messages = list(_judge(first, _list_places(first), ""))  # places are the same in all languages
    for lang in LANGS:
        messages += _judge(questions[lang], WORDINGS, f" in {NAMES[lang]}")
    return [Problem("course.toml", 1, message) for message in messages]


def _list_questions(lessons: Sequence[Lesson], lang: Lang) -> Iterator[Question]:
    for lesson in lessons:
        for one in lesson.predictions:
            if one.asks == "choice" and isinstance(one.answer, int):
                choices = [html.unescape(TAG.sub("", text)) for text in one.texts[lang].choices]
                yield Question(f"{lesson.path}#{one.id}", choices, one.answer - 1)


def _judge(questions: Sequence[Question], habits: Iterable[Habit], where: str) -> Iterator[str]:
    """Yield a sentence for each habit that is right much more or less often than chance."""
    chance = sum(1 / len(one.choices) for one in questions)
    margin = MARGIN * len(questions)
    least, most = math.ceil(chance - margin), math.floor(chance + margin)
    for habit in habits:
        scores = [_score(habit, one) for one in questions]
        right = sum(scores)
        if abs(right - chance) <= margin:
            continue
        telling = [one.place for one, score in zip(questions, scores, strict=True) if (score * len(one.choices) > 1) == (right > chance)]
        yield (
            f"{len(questions)} predictions with choices can be guessed: whoever always takes {habit.name}{where} is right in"
            f" {right:.0f} of them, by chance in {chance:.0f}; expected {least} to {most}:"
            f" {', '.join(telling[:NAMED])}{' and others' if len(telling) > NAMED else ''}"
        )


def _score(habit: Habit, question: Question) -> float:
    """Return the probability that someone with the habit takes the right choice."""
    measures = [habit.measure(place, choice) for place, choice in enumerate(question.choices)]
    return (measures[question.answer] == max(measures)) / measures.count(max(measures))


def _list_places(questions: Sequence[Question]) -> Iterator[Habit]:
    most = max(len(one.choices) for one in questions)
    for place, name in enumerate(PLACES[:most]):
        yield Habit(f"the {name}", partial(_is_at, place))
    yield Habit("the last", lambda place, choice: place)


def _is_at(wanted: int, place: int, choice: str) -> bool:
    return place == wanted


def _count_digits(place: int, choice: str) -> int:
    return sum(character.isdigit() for character in choice)


def _gives_reason(place: int, choice: str) -> bool:
    return REASON.search(choice) is not None


WORDINGS = (
    Habit("the longest", lambda place, choice: len(choice)),
    Habit("the shortest", lambda place, choice: -len(choice)),
    Habit("the one with most digits", _count_digits),
    Habit("the one with fewest digits", lambda place, choice: -_count_digits(place, choice)),
    Habit("one that gives a reason", _gives_reason),
    Habit("one that gives no reason", lambda place, choice: not _gives_reason(place, choice)),
)
