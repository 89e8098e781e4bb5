"""Loads predictions: the tables [[prediction]] of lesson.toml. Their texts are read later, by `prediction_text`."""

from collections.abc import Sequence

import msgspec

from app.lessons.cells.cells import find_cell
from app.lessons.cells.declarations import load_choice
from app.lessons.model.model import Cell
from app.lessons.model.prediction import NONE, RELATIVE_TOLERANCE, Prediction
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
