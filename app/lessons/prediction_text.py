"""The words of a prediction, `:::{predict}`: its question, its choices, words on each wrong answer, and why the right one is right."""

import json
from collections.abc import Sequence

import msgspec
from markdown_it.token import Token

from app.lessons.directives import Report
from app.lessons.markdown import render_tokens
from app.lessons.parts import Part
from app.lessons.prediction import Answer, Prediction, PredictionText
from app.lessons.predictions import NONE, VERDICTS
from app.lessons.problem import suggest


class PredictionDraft(msgspec.Struct):
    """The tokens of it, before what they refer to is resolved."""

    question: list[Token] = []
    choices: list[list[Token]] = []
    wrong: dict[str, list[Token]] = {}
    why: list[Token] = []


def read_prediction(part: Part, prediction: Prediction, report: Report) -> PredictionDraft:
    """What stands in a `:::{predict}`; what it lacks is reported."""
    draft = PredictionDraft(question=part.tokens)
    if prediction.asks == "choice":
        _take_choices(draft, part, prediction, report)
    if not draft.question:
        report(part.line, f"the prediction {prediction.id}: expected a question")
    for inner in part.parts:
        if inner.name == "why":
            if draft.why:
                report(inner.line, f"the prediction {prediction.id} already has its :::{{why}}")
            draft.why = inner.tokens
        else:
            _add_wrong(draft, inner, prediction, report)
    if not draft.why:
        report(part.line, f"the prediction {prediction.id}: expected :::{{why}} inside, why the right answer is right")
    return draft


def render_prediction(draft: PredictionDraft) -> PredictionText:
    """After what it refers to has been resolved."""
    return PredictionText(
        question=render_tokens(draft.question),
        choices=tuple(render_tokens(choice) for choice in draft.choices),
        wrong={answer: render_tokens(tokens) for answer, tokens in draft.wrong.items()},
        why=render_tokens(draft.why),
    )


def _take_choices(draft: PredictionDraft, part: Part, prediction: Prediction, report: Report) -> None:
    """The list of choices out of the question."""
    lists = [index for index, token in enumerate(part.tokens) if token.level == part.tokens[0].level and token.type.endswith("_list_open")]
    expected = f"the prediction {prediction.id}: expected one list with a choice for each [[prediction.choice]], {len(prediction.choices)}"
    if len(lists) != 1:
        report(part.line, f"{expected}, got {len(lists)} lists")
        return
    begin = lists[0]
    level = part.tokens[begin].level
    end = next(at for at, token in enumerate(part.tokens) if at > begin and token.level == level and token.nesting < 0)
    draft.choices = _split_items(part.tokens[begin + 1 : end])
    draft.question = [*part.tokens[:begin], *part.tokens[end + 1 :]]
    if len(draft.choices) != len(prediction.choices):
        line = part.tokens[begin].map
        report(line[0] + 1 if line else part.line, f"{expected}, got {len(draft.choices)}")


def _split_items(tokens: Sequence[Token]) -> list[list[Token]]:
    """The content of each item of a list."""
    items: list[list[Token]] = []
    for token in tokens:
        if token.type == "list_item_open" and token.level == tokens[0].level:
            items.append([])
        elif not (token.type == "list_item_close" and token.level == tokens[0].level):
            items[-1].append(token)
    return items


def _add_wrong(draft: PredictionDraft, part: Part, prediction: Prediction, report: Report) -> None:
    answer = parse_answer(part.argument, prediction)
    if answer is None:
        report(part.line, f'"{part.argument}" is not an answer to {prediction.id}: expected {describe_answers(prediction, part.argument)}')
    elif is_right(answer, prediction):
        report(part.line, f"{part.argument} is the right answer to {prediction.id}: what is said about it belongs in :::{{why}}")
    elif part.argument in draft.wrong:
        report(part.line, f"the wrong answer {part.argument} is already explained")
    else:
        draft.wrong[part.argument] = part.tokens


def parse_answer(written: str, prediction: Prediction) -> Answer | None:
    """An answer as it is written in a text; None if it is none of its kind."""
    match prediction.asks:
        case "value" | "nodes":
            return _parse_number(written, float)
        case "line":
            return _parse_number(written, int)
        case "choice":
            number = _parse_number(written, int)
            return number if number is not None and 1 <= number <= len(prediction.choices) else None
        case "verdict":
            return written if written in VERDICTS else None
        case "isolated":
            return written if written in (*prediction.names, NONE) else None
        case _:
            return _parse_shape(written)


def is_right(answer: Answer, prediction: Prediction) -> bool:
    """Whether an answer is the right one, within the tolerance."""
    right = prediction.answer
    if isinstance(answer, float) and isinstance(right, float | int):
        return abs(answer - right) <= prediction.tolerance
    return answer == right


def describe_answers(prediction: Prediction, near: str = "") -> str:
    """What an answer looks like, in words; where it is a name, the known ones."""
    match prediction.asks:
        case "choice":
            return f"a choice's number from 1 to {len(prediction.choices)}"
        case "verdict":
            return " or ".join(VERDICTS)
        case "isolated":
            return f"a box's name{suggest(near, (*prediction.names, NONE))}"
        case "shape":
            return "a shape, like [2, 3]"
        case "line":
            return "the number of a line"
        case _:
            return "a number"


def _parse_number(written: str, kind: type[float] | type[int]) -> float | int | None:
    try:
        return kind(written)
    except ValueError:
        return None


def _parse_shape(written: str) -> tuple[int, ...] | None:
    try:
        shape = json.loads(written)
    except ValueError:
        return None
    return tuple(shape) if isinstance(shape, list) and all(type(size) is int for size in shape) else None
