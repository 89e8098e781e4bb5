"""Loads predictions: the tables [[prediction]] of lesson.toml, and their texts, `:::{predict}`."""

from collections.abc import Sequence

import msgspec
from markdown_it.token import Token

from app.lessons.cells.cells import find_cell
from app.lessons.cells.declarations import load_choice
from app.lessons.markdown.directives import Report
from app.lessons.markdown.parser import render_tokens
from app.lessons.markdown.parts import Part
from app.lessons.model.model import Cell
from app.lessons.model.prediction import NONE, RELATIVE_TOLERANCE, Answer, Prediction, PredictionText
from app.lessons.predictions.prediction_answer import WrongForm, is_right, read_answer
from app.lessons.toml.form import one_of
from app.lessons.toml.prediction_tables import ChoicePrediction, IsolatedPrediction, LinePrediction, PredictionTable, ValuePrediction
from app.lessons.toml.table import Table, load_each


def load_predictions(lesson: Table, forms: Sequence[PredictionTable], cells: Sequence[Cell]) -> tuple[Prediction, ...]:
    """Return the predictions in order, without their texts."""
    return load_each(lesson, "prediction", forms, lambda table, form: _load(table, form, cells))


def _load(table: Table, form: PredictionTable, cells: Sequence[Cell]) -> Prediction | None:
    cell = find_cell(table, form.cell, cells)
    if cell is None:
        return None
    _check_answer(table, form, cell)
    _check_printed_line(table, getattr(form, "reads", None))
    choices = form.choice if isinstance(form, ChoicePrediction) else ()
    given = {key: value for key, value in msgspec.structs.asdict(form).items() if value is not None and key not in ("cell", "choice")}
    if isinstance(form, ValuePrediction):
        given.setdefault("tolerance", RELATIVE_TOLERANCE * abs(form.answer))
    return Prediction(
        cell_id=cell.id,
        asks=form.__struct_config__.tag,  # type: ignore[arg-type]  # it is one of Asks: prediction_tables.py has a type for each
        line=table.line(),
        choices=tuple(load_choice(table.below("choice", index), choice) for index, choice in enumerate(choices)),
        **given,
    )


def _check_printed_line(table: Table, reads: str | None) -> None:
    if reads is not None and reads.count("{}") != 1:
        table.report(f'reads: expected the printed line, with {{}} once, in place of the answer, got "{reads}"', "reads")


def _check_answer(table: Table, form: PredictionTable, cell: Cell) -> None:
    """Report an answer that is impossible for this cell or these choices, and a cell or choices that do not suit the question."""
    match form:
        case ChoicePrediction():
            _check_number(table, form.answer, len(form.choice))
        case LinePrediction():
            _check_number(table, form.answer, cell.source.count("\n") + 1)
            if cell.raises is None:
                table.report(f'cell: "{cell.id}" raises nothing: expected a cell with the key raises', "cell")
        case IsolatedPrediction():
            if NONE in form.names:
                table.report(f'names: "{NONE}" is always a further choice: expected the names of boxes only', "names")
            if form.answer not in (*form.names, NONE):
                table.report_value(one_of((*form.names, NONE)), form.answer, "answer")


def _check_number(table: Table, answer: int, most: int) -> None:
    if answer > most:
        table.report_value(f"a whole number from 1 to {most}", answer, "answer")


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
