"""Which answers to predictions are right, in which forms they may be typed, and how wrong ones are explained."""

import math

import pytest

from app.lessons.model.prediction import Answer, Asks
from app.lessons.model.shows import Shows
from app.lessons.predictions.prediction_answer import WrongForm, explain, is_right, read_answer
from tests.web.exercises import make_prediction

CHOICES = (Shows(lines={}), Shows(lines={}))
NAMES = ("x", "grad_x")


@pytest.mark.parametrize(
    ("asks", "answer", "tolerance", "given", "right"),
    [
        ("value", 2.718, 0.01, 2.72, True),
        ("value", 2.718, 0.01, 2.73, False),
        ("value", 0.3, 0.1, 0.4, True),  # 0.4 - 0.3 is a little more than 0.1
        ("value", 2.0, 0.0, 2, True),
        ("value", 1e9, 0.0, 1e9 + 1, False),
        ("value", 1e9, 1e3, 1e9 + 1, True),
        ("value", 2.0, 0.0, 2.001, False),
        ("value", 2, 0.0, " 2.0 ", True),
        ("value", -2.0, 0.0, "\N{MINUS SIGN}2", True),
        ("value", 1000.0, 0.0, "1e3", True),
        ("value", -0.5, 0.0, "－０．５", True),
        ("value", math.inf, 0.0, "inf", True),
        ("value", math.inf, 0.0, "-inf", False),
        ("value", math.inf, 1.0, 5, False),
        ("shape", (2, 3), 0.0, [2, 3], True),
        ("shape", (2, 3), 0.0, "[2, 3]", True),
        ("shape", (2, 3), 0.0, "(2, 3)", True),
        ("shape", (2, 3), 0.0, "2 x 3", True),
        ("shape", (2, 3), 0.0, "2×3", True),
        ("shape", (2, 3), 0.0, "2 3", True),
        ("shape", (2, 3), 0.0, "（２，３）", True),
        ("shape", (2, 3), 0.0, "torch.Size([2, 3])", True),
        ("shape", (2, 3), 0.0, [3, 2], False),
        ("shape", (3,), 0.0, 3, True),
        ("shape", (3,), 0.0, "(3,)", True),
        ("shape", (), 0.0, [], True),
        ("shape", (), 0.0, "()", True),
        ("shape", (23,), 0.0, "2, 3", False),
        ("choice", 2, 0.0, 2, True),
        ("choice", 2, 0.0, "2", True),
        ("choice", 2, 0.0, 2.0, True),
        ("choice", 2, 0.0, 1, False),
        ("verdict", "passes", 0.0, "passes", True),
        ("verdict", "passes", 0.0, " Passed", True),
        ("verdict", "fails", 0.0, "不通过", True),
        ("verdict", "fails", 0.0, "passes", False),
        ("line", 4, 0.0, 4, True),
        ("line", 4, 0.0, 5, False),
        ("isolated", "grad_x", 0.0, "grad_x", True),
        ("isolated", "none", 0.0, "none", True),
        ("isolated", "grad_x", 0.0, "x", False),
        ("nodes", 12, 2.0, 14, True),
        ("nodes", 12, 0.0, 13, False),
    ],
)
def test_an_answer_is_judged(asks: Asks, answer: Answer, tolerance: float, given: float | str | list[int], right: bool) -> None:
    prediction = make_prediction(asks=asks, answer=answer, tolerance=tolerance, choices=CHOICES, names=NAMES)
    assert is_right(prediction, read_answer(prediction, given)) is right


@pytest.mark.parametrize(
    ("asks", "given"),
    [
        ("value", "nan"),
        ("value", math.nan),
        ("value", ""),
        ("value", "two"),
        ("value", [2]),
        ("shape", "2 3 4 and more"),
        ("shape", ""),
        ("shape", "wide"),
        ("shape", "2,,3"),
        ("shape", "-1"),
        ("shape", 2.5),
        ("shape", [-1]),
        ("shape", "9" * 16),
        ("choice", 0),
        ("choice", 3),
        ("choice", 1.5),
        ("choice", "a"),
        ("verdict", "maybe"),
        ("verdict", 1),
        ("line", 0),
        ("line", "inf"),
        ("isolated", "y"),
        ("isolated", 1),
        ("nodes", 2.5),
        ("nodes", 1e300),
    ],
)
def test_an_answer_of_another_form_is_refused_with_what_is_expected(asks: Asks, given: float | str | list[int]) -> None:
    prediction = make_prediction(asks=asks, answer=1, choices=CHOICES, names=NAMES)
    with pytest.raises(WrongForm) as caught:
        read_answer(prediction, given)
    told = caught.value.expected.format(**caught.value.values)
    assert ("from 1 to 2" in told) == (asks == "choice")
    assert ("x, grad_x, none" in told) == (asks == "isolated")


@pytest.mark.parametrize(
    ("asks", "right", "wrong", "given"),
    [
        ("value", 2.718, 4.0, 4.0),
        ("shape", (2, 3), (3, 2), [3, 2]),
        ("choice", 2, 1, 1),
        ("verdict", "fails", "passes", "Passes"),
        ("line", 4, 7, 7),
        ("isolated", "x", "none", "none"),
        ("nodes", 12, 9, 9),
    ],
)
def test_a_wrong_answer_has_its_own_explanation_before_the_reason(
    asks: Asks, right: Answer, wrong: Answer, given: float | str | list[int]
) -> None:
    prediction = make_prediction(asks=asks, answer=right, tolerance=0.0, choices=CHOICES, names=NAMES)
    text = prediction.texts["en"]
    texts = {"en": type(text)(question="", wrong={wrong: "<p>own</p>"}, why="<p>why</p>")}
    prediction = make_prediction(asks=asks, answer=right, tolerance=0.0, choices=CHOICES, names=NAMES, texts=texts)
    assert explain(prediction, read_answer(prediction, given), "en") == "<p>own</p>\n<p>why</p>"
    assert explain(prediction, right, "en") == "<p>why</p>"
    assert explain(prediction, None, "en") == "<p>why</p>"
