"""Reads the text of a prediction, `:::{predict}`: the question, the choices, and explanations of wrong answers and of the right one."""

from collections.abc import Sequence

from markdown_it.token import Token

from app.lessons.markdown.directives import Report
from app.lessons.markdown.parser import render_tokens
from app.lessons.markdown.parts import Part
from app.lessons.model.prediction import Answer, Prediction, PredictionText
from app.lessons.predictions.prediction_answer import WrongForm, is_right, read_answer


def read_prediction(part: Part, prediction: Prediction, report: Report) -> PredictionText:
    """Return the text in a `:::{predict}`, and report what is missing or wrong."""
    question, choices = _take_choices(part, prediction, report) if prediction.asks == "choice" else (part.tokens, [])
    if not question:
        report(part.line, f"the prediction {prediction.id}: expected a question")
    why: list[Token] = []
    wrong: dict[Answer, str] = {}
    for inner in part.parts:
        if inner.name == "wrong":
            _add_wrong(wrong, inner, prediction, report)
            continue
        if why:
            report(inner.line, f"the prediction {prediction.id} already has its :::{{why}}")
        why = inner.tokens
    if not why:
        report(part.line, f"the prediction {prediction.id}: expected :::{{why}} inside, why the right answer is right")
    return PredictionText(question=render_tokens(question), choices=tuple(map(render_tokens, choices)), wrong=wrong, why=render_tokens(why))


def _take_choices(part: Part, prediction: Prediction, report: Report) -> tuple[list[Token], list[list[Token]]]:
    """Return the question, and the items of the list of choices."""
    lists = [index for index, token in enumerate(part.tokens) if token.level == part.tokens[0].level and token.type.endswith("_list_open")]
    expected = f"the prediction {prediction.id}: expected one list with a choice for each [[prediction.choice]], {len(prediction.choices)}"
    if len(lists) != 1:
        report(part.line, f"{expected}, got {len(lists)} lists")
        return part.tokens, []
    begin = lists[0]
    level = part.tokens[begin].level
    end = next(at for at, token in enumerate(part.tokens) if at > begin and token.level == level and token.nesting < 0)
    choices = _split_items(part.tokens[begin + 1 : end])
    if len(choices) != len(prediction.choices):
        line = part.tokens[begin].map
        report(line[0] + 1 if line else part.line, f"{expected}, got {len(choices)}")
    return [*part.tokens[:begin], *part.tokens[end + 1 :]], choices


def _split_items(tokens: Sequence[Token]) -> list[list[Token]]:
    """Return the tokens in each item of a list."""
    items: list[list[Token]] = []
    for token in tokens:
        if token.type == "list_item_open" and token.level == tokens[0].level:
            items.append([])
        elif not (token.type == "list_item_close" and token.level == tokens[0].level):
            items[-1].append(token)
    return items


def _add_wrong(wrong: dict[Answer, str], part: Part, prediction: Prediction, report: Report) -> None:
    try:
        answer = read_answer(prediction, part.argument)
    except WrongForm as error:
        report(part.line, f'"{part.argument}" is not an answer to {prediction.id}: expected {error}')
        return
    if is_right(prediction, answer):
        report(part.line, f"{part.argument} is the right answer to {prediction.id}: what is said about it belongs in :::{{why}}")
    elif answer in wrong:
        report(part.line, f"the wrong answer {part.argument} is already explained")
    else:
        wrong[answer] = render_tokens(part.tokens)
