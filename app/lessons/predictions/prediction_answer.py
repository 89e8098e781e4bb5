"""Answers to predictions: reads them as people type them, compares them with the right answer, and explains them."""

import math
import re
from collections.abc import Callable, Mapping
from unicodedata import normalize

from app.lessons.model.prediction import NONE, RELATIVE_TOLERANCE, Answer, Asks, Prediction
from app.locale.messages import mark
from app.protocol.run import Lang

Given = float | int | str | list[int]  # an answer as it comes from JSON or from a text
ROUNDING = 1e-9  # added to a tolerance, relative to it, because differences of decimal numbers are rarely exact
MOST_CHARACTERS = 200
DASHES = re.compile("[\N{MINUS SIGN}\N{EN DASH}]")
BRACKETS = re.compile(r"^torch\.Size|[()\[\]]", re.IGNORECASE)
BETWEEN_SIZES = re.compile(r"\s*[,x×*、]\s*|\s+")
SIZE = re.compile(r"\d{1,15}")
PASSES = frozenset(("passes", "passed", "pass", "通过"))
FAILS = frozenset(("fails", "failed", "fail", "不通过", "失败"))
EXPECTED: dict[Asks, str] = {
    "value": mark("a number"),
    "shape": mark("a list of whole numbers, as in [2, 3]"),
    "choice": mark("the number of a choice, from 1 to {most}"),
    "verdict": mark('"passes" or "fails"'),
    "line": mark("the number of a line"),
    "isolated": mark("one of these names: {names}"),
    "nodes": mark("a whole number"),
}


class WrongForm(Exception):
    """An answer has the wrong form, such as words instead of a number. `expected` is a msgid, to be formatted with `values`."""

    def __init__(self, prediction: Prediction) -> None:
        self.expected = EXPECTED[prediction.asks]
        self.values = {"most": len(prediction.choices), "names": ", ".join((*prediction.names, NONE))}
        super().__init__(self.expected.format(**self.values))


def read_answer(prediction: Prediction, given: Given) -> Answer:
    """Return the answer in the form that Prediction.answer has. Raises WrongForm."""
    answer = READERS[prediction.asks](normalize("NFKC", given[:MOST_CHARACTERS]).strip() if isinstance(given, str) else given)
    if answer is None or not is_possible(prediction, answer):
        raise WrongForm(prediction)
    return answer


def is_possible(prediction: Prediction, answer: Answer) -> bool:
    match prediction.asks:
        case "choice":
            return isinstance(answer, int) and 1 <= answer <= len(prediction.choices)
        case "line":
            return isinstance(answer, int) and answer >= 1
        case "isolated":
            return answer == NONE or answer in prediction.names
        case _:
            return True


def is_right(prediction: Prediction, answer: Answer) -> bool:
    """Return whether `answer` is right. It must come from `read_answer`."""
    return _is_within(prediction.tolerance * (1 + ROUNDING), prediction.answer, answer)


def explain(prediction: Prediction, answer: Answer | None, lang: Lang) -> str:
    """Return the explanation of the right answer as HTML. If the lesson explains the wrong answer `answer`, that comes first.

    `answer` is None if the learner did not answer.
    """
    text = prediction.texts[lang]
    if answer is None or is_right(prediction, answer):
        return text.why
    return "\n".join(filter(None, (find_wrong(prediction, answer, text.wrong), text.why)))


def find_wrong(prediction: Prediction, answer: Answer, wrong: Mapping[Answer, str]) -> str:
    """Return the explanation of the wrong answer `answer`, or "" if the lesson has none."""
    return next((html for meant, html in wrong.items() if is_meant(prediction, meant, answer)), "")


def is_meant(prediction: Prediction, meant: Answer, answer: Answer) -> bool:
    """Return whether `answer` is the wrong answer `meant` that the lesson explains. The tolerance is that of the right answer."""
    if prediction.asks == "value" and isinstance(meant, int | float):
        return _is_within(max(prediction.tolerance * (1 + ROUNDING), RELATIVE_TOLERANCE * abs(meant)), meant, answer)
    return meant == answer


def _is_within(tolerance: float, expected: Answer, answer: Answer) -> bool:
    """Return whether the answers are equal, or are numbers that differ by at most `tolerance`."""
    if isinstance(answer, int | float) and isinstance(expected, int | float):
        return answer == expected or abs(answer - expected) <= tolerance
    return answer == expected


def read_number(given: Given) -> float | None:
    if isinstance(given, list):
        return None
    try:
        number = float(DASHES.sub("-", given) if isinstance(given, str) else given)
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(number) else number


def read_whole(given: Given) -> int | None:
    number = read_number(given)
    return int(number) if number is not None and number.is_integer() and abs(number) < 2**53 else None


def read_shape(given: Given) -> tuple[int, ...] | None:
    if isinstance(given, list):
        sizes = tuple(given)
    elif isinstance(given, str):
        written = BRACKETS.sub(" ", given).strip().removesuffix(",").rstrip()
        parts = BETWEEN_SIZES.split(written) if written else []
        sizes = tuple(int(part) if SIZE.fullmatch(part) else -1 for part in parts) if given else (-1,)
    else:
        size = read_whole(given)
        sizes = (-1,) if size is None else (size,)
    return sizes if all(size >= 0 for size in sizes) else None


def read_verdict(given: Given) -> str | None:
    name = given.casefold() if isinstance(given, str) else ""
    return "passes" if name in PASSES else "fails" if name in FAILS else None


READERS: dict[Asks, Callable[[Given], Answer | None]] = {
    "value": read_number,
    "shape": read_shape,
    "choice": read_whole,
    "verdict": read_verdict,
    "line": read_whole,
    "isolated": lambda given: given if isinstance(given, str) else None,
    "nodes": read_whole,
}
