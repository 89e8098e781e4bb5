"""Whether the right choices of a whole course can be guessed."""

from collections.abc import Iterable, Sequence

import pytest

from app.authoring.coverage.guessing import FEWEST_QUESTIONS, find_guessable
from app.lessons.model.model import Lesson
from app.lessons.model.prediction import Prediction, PredictionText
from app.lessons.toml.problem import Problem
from app.protocol.run import Lang
from tests.authoring.course import make_catalogue
from tests.own_course import load_own_course

MANY = 96  # questions with three choices each, of which a guess is right in 32


def ask(number: int, answer: int, choices: Sequence[str], chinese: Sequence[str] | None = None) -> Prediction:
    texts: dict[Lang, PredictionText] = {
        "en": PredictionText(question="?", choices=tuple(choices)),
        "zh-Hans": PredictionText(question="?", choices=tuple(chinese or choices)),
    }
    return Prediction(id=f"p{number}", cell_id="a", asks="choice", answer=answer, line=1, texts=texts)


def lessons_with(predictions: Iterable[Prediction]) -> Sequence[Lesson]:
    return make_catalogue(predictions=tuple(predictions)).course.lessons


def in_turn(number: int) -> int:
    return number % 3 + 1


def test_answers_in_every_place_of_choices_that_are_alike_are_no_problem() -> None:
    assert find_guessable(lessons_with(ask(number, in_turn(number), ["aa", "bb", "cc"]) for number in range(MANY))) == []


def test_a_place_in_which_the_right_choice_is_too_often_is_told_and_one_in_which_it_never_is_too() -> None:
    problems = find_guessable(lessons_with(ask(number, 1 + number % 2, ["aa", "bb", "cc"]) for number in range(MANY)))
    expected = (("first", 48, (0, 2, 4)), ("second", 48, (1, 3, 5)), ("third", 0, (0, 1, 2)), ("last", 0, (0, 1, 2)))
    assert problems == [
        Problem(
            "course.toml",
            1,
            f"96 predictions with choices can be guessed: whoever always takes the {place} is right in {right} of them, by chance in 32;"
            f" expected 28 to 36: {', '.join(f'one/first#p{number}' for number in numbers)} and others",
        )
        for place, right, numbers in expected
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "habit"),
    [
        ("a long one", "a", "the longest"),
        ("a", "a long one", "the shortest"),
        ("0.25", "some", "the one with most digits"),
        ("some", "0.25", "the one with fewest digits"),
        ("5, since 2", "5, not 27", "one that gives a reason"),
        ("5, not 27", "5, since 2", "one that gives no reason"),
    ],
)
def test_what_the_right_choices_have_in_common_is_told(right: str, wrong: str, habit: str) -> None:
    def choices(answer: int) -> list[str]:
        return [right if place == answer else wrong for place in (1, 2, 3)]

    problems = find_guessable(lessons_with(ask(number, in_turn(number), choices(in_turn(number))) for number in range(MANY)))
    assert any(f"always takes {habit} in English is right in 96" in problem.message for problem in problems), problems


def test_each_language_is_looked_at_by_itself_and_as_it_is_read() -> None:
    def chinese(answer: int) -> list[str]:
        return ["长长" if place == answer else "长" for place in (1, 2, 3)]

    alike = ["<code>aa</code>", "bb", "&lt;&amp;"]
    problems = find_guessable(lessons_with(ask(number, in_turn(number), alike, chinese(in_turn(number))) for number in range(MANY)))
    assert problems
    assert not [problem.message for problem in problems if " in Chinese is right" not in problem.message]


def test_the_right_choices_of_a_few_lessons_may_stand_where_they_do() -> None:
    few = [ask(number, 1, ["a long one", "b", "c"]) for number in range(FEWEST_QUESTIONS - 1)]
    assert find_guessable(lessons_with(few)) == []
    assert find_guessable(lessons_with([*few, ask(FEWEST_QUESTIONS, 1, ["a long one", "b", "c"])])) != []


def test_the_course_cannot_be_guessed() -> None:
    assert find_guessable(load_own_course().course.lessons) == []
