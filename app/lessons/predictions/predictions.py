"""The `[[prediction]]` tables of lesson.toml: what is asked of a cell's run, and the right answer by its kind."""

from collections.abc import Sequence

from app.lessons.cells.cells import read_cell
from app.lessons.cells.declarations import MOST, read_choice
from app.lessons.model.model import Cell
from app.lessons.model.prediction import ASKS, NONE, RELATIVE_TOLERANCE, Answer, Asks, Prediction
from app.lessons.model.shows import Shows
from app.lessons.toml.table import Table, load_each

CHECKS = ("gradcheck", "gradgradcheck")
VERDICTS = ("passes", "fails")
AXES = 16


def load_predictions(tables: Sequence[Table], cells: Sequence[Cell]) -> tuple[Prediction, ...]:
    """The predictions in order, without their words; problems are reported."""
    return load_each(tables, lambda table: _load(table, cells), "predictions")


def _load(table: Table, cells: Sequence[Cell]) -> Prediction | None:
    prediction_id = table.identifier("id")
    cell = read_cell(table, cells, "the id of the cell whose run decides")
    asks = table.one_of("asks", ASKS, required=True)
    if asks is None:
        return None
    choices = tuple(read_choice(choice) for choice in table.tables("choice")) if asks == "choice" else ()
    names = (table.texts("names", "a list of the boxes' names", required=True) or ()) if asks == "isolated" else ()
    answer = _read_answer(asks, table, cell, choices, names)
    tolerance = table.real("tolerance", least=0) if asks in ("value", "nodes") else None
    reads = _read_printed_line(table) if asks in ("value", "shape") else None
    check = (table.one_of("check", CHECKS) if asks == "verdict" else None) or CHECKS[0]
    table.finish()
    if prediction_id is None or cell is None or answer is None:
        return None
    if tolerance is None:
        tolerance = RELATIVE_TOLERANCE * abs(answer) if asks == "value" and isinstance(answer, float) else 0.0
    return Prediction(
        id=prediction_id,
        cell_id=cell.id,
        asks=asks,
        answer=answer,
        line=table.line(),
        tolerance=tolerance,
        reads=reads,
        check=check,
        names=names,
        choices=choices,
    )


def _read_printed_line(table: Table) -> str | None:
    reads = table.text("reads", "the printed line, with {} in place of the answer")
    if reads is not None and reads.count("{}") != 1:
        table.report(f'reads: expected the printed line, with {{}} once, in place of the answer, got "{reads}"', "reads")
    return reads


def _read_answer(asks: Asks, table: Table, cell: Cell | None, choices: Sequence[Shows], names: Sequence[str]) -> Answer | None:
    match asks:
        case "value":
            return table.real("answer", required=True)
        case "shape":
            return _read_shape(table)
        case "choice":
            if len(choices) < 2:
                table.report(f"expected a table [[prediction.choice]] for each choice, two or more, got {len(choices)}", "choice")
            return table.whole("answer", 1, max(len(choices), 1), required=True)
        case "verdict":
            return table.one_of("answer", VERDICTS, required=True)
        case "line":
            return _read_raising_line(table, cell)
        case "isolated":
            return _read_isolated(table, names)
        case "nodes":
            return table.whole("answer", 0, MOST, required=True)


def _read_shape(table: Table) -> Answer | None:
    shape = table.wholes("answer", 0, MOST, required=True)
    if shape is not None and len(shape) > AXES:
        table.report(f"answer: expected at most {AXES} axes, got {len(shape)}", "answer")
    return shape


def _read_raising_line(table: Table, cell: Cell | None) -> Answer | None:
    answer = table.whole("answer", 1, cell.source.count("\n") + 1 if cell else MOST, required=True)
    if cell is not None and cell.raises is None:
        table.report(f'cell: "{cell.id}" raises nothing: expected a cell with the key raises', "cell")
    return answer


def _read_isolated(table: Table, names: Sequence[str]) -> Answer | None:
    if "names" in table.data and len(names) < 2:
        table.report(f"names: expected two boxes or more to choose from, got {len(names)}", "names")
    if NONE in names:
        table.report(f'names: "{NONE}" is always a further choice: expected the names of boxes only', "names")
    return table.one_of("answer", (*names, NONE), required=True)
