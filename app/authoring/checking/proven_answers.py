"""Checks the answer of each prediction against a run of its cell."""

import re
from collections.abc import Callable, Iterator, Sequence

from app.authoring.checking.compare import compare_given, list_boxes
from app.lessons.model.model import Cell
from app.lessons.model.prediction import NONE, Answer, Prediction
from app.lessons.predictions.prediction_answer import is_right
from app.protocol.records.gradcheck import Gradcheck
from app.protocol.records.graph import GraphRecord
from app.protocol.records.record import Record
from app.protocol.records.registry import decode_records
from app.protocol.records.value import ValueRecord
from app.protocol.run import RunResult

NUMBER = r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|inf|nan)"
SHAPE = r"(?:torch\.Size\()?[\[(][\d, ]*[\])]\)?"


class Unreadable(Exception):
    """The run does not show what the prediction asks for. The message says what is missing."""


def check_prediction(prediction: Prediction, cell: Cell, result: RunResult) -> list[str]:
    """Return a sentence for each contradiction between the prediction and the run. The run must fit the right choice and no other."""
    if prediction.asks == "choice":
        return list(_check_choices(prediction, cell, result))
    try:
        found = read_answer(prediction, cell, result)
    except Unreadable as error:
        return [str(error)]
    if is_right(prediction, found):
        return []
    return [f"answer: expected {_write(prediction.answer)}, but the run shows {_write(found)}"]


def read_answer(prediction: Prediction, cell: Cell, result: RunResult) -> Answer:
    """Return the answer that the run shows to the prediction's question. Raises Unreadable."""
    records = decode_records(result.records)
    match prediction.asks:
        case "value":
            text = _read_shown(prediction, NUMBER, _read_number, records, result)
            if text is None:
                raise Unreadable("the run shows no value and prints no line that is a number")
            return float(text)
        case "shape":
            text = _read_shown(prediction, SHAPE, _read_sizes, records, result)
            if text is None:
                raise Unreadable("the run shows no value with a shape, and prints none")
            return tuple(map(int, re.findall(r"\d+", text)))
        case "verdict":
            return _read_verdict(prediction.check, records)
        case "line":
            if result.error is None or result.error.line is None or result.error.cell not in (None, cell.id):
                raise Unreadable(f"no line of {cell.filename} raises")
            return result.error.line
        case "isolated":
            return _read_isolated(prediction.names, _first_graph(records))
        case _:
            return len(_first_graph(records).nodes)


def _check_choices(prediction: Prediction, cell: Cell, result: RunResult) -> Iterator[str]:
    for number, shows in enumerate(prediction.choices, 1):
        found = compare_given(cell, shows, result)
        if number == prediction.answer and found:
            yield from (f"choice {number}, the right one, does not hold: {message}" for _, message in found)
        elif number != prediction.answer and not found:
            yield f"choice {number} also holds, but the answer is {prediction.answer}"


def _read_shown(
    prediction: Prediction, form: str, read: Callable[[ValueRecord], str | None], records: Sequence[Record], result: RunResult
) -> str | None:
    """Return the text of the answer that the run shows, or None if it shows none.

    It is what the printed line `reads` has; or what `read` finds in the first value that has any; or the last printed line of this `form`.
    """
    if prediction.reads is not None:
        return _read_line(prediction.reads, form, result.stdout)
    shown = [text for record in records if isinstance(record, ValueRecord) and (text := read(record)) is not None]
    printed = [line for line in reversed(result.stdout.splitlines()) if re.fullmatch(form, line.strip())]
    return next(iter([*shown, *printed]), None)


def _read_number(record: ValueRecord) -> str | None:
    if isinstance(record.values, int | float):
        return str(float(record.values))
    found = re.search(NUMBER, record.text)
    return found and found[0]


def _read_sizes(record: ValueRecord) -> str | None:
    if record.shape is not None:
        return str(record.shape)
    return record.text if re.fullmatch(SHAPE, record.text.strip()) else None


def _read_line(reads: str, form: str, printed: str) -> str:
    before, _, after = reads.partition("{}")
    pattern = re.compile(rf"{re.escape(before)}\s*({form}){re.escape(after)}")
    for line in printed.splitlines():
        if match := pattern.search(line):
            return match[1]
    raise Unreadable(f'no printed line reads "{reads}"')


def _read_verdict(check: str, records: Sequence[Record]) -> str:
    order = 1 if check == "gradcheck" else 2
    for record in records:
        if isinstance(record, Gradcheck) and record.order == order and record.passed is not None:
            return "passes" if record.passed else "fails"
    raise Unreadable(f"the run shows no {check}")


def _first_graph(records: Sequence[Record]) -> GraphRecord:
    graph = next((record for record in records if isinstance(record, GraphRecord)), None)
    if graph is None:
        raise Unreadable("the run shows no graph")
    return graph


def _read_isolated(names: Sequence[str], graph: GraphRecord) -> str:
    """Return the one box of `names` that no edge touches, or "none"."""
    boxes = list_boxes(graph)
    for name in names:
        if name not in boxes:
            raise Unreadable(f'there is no box "{name}" in the graph')
    isolated = [name for name in names if not boxes[name]]
    if len(isolated) > 1:
        raise Unreadable(f"more than one box is isolated: {', '.join(isolated)}")
    return isolated[0] if isolated else NONE


def _write(answer: Answer) -> str:
    return str(list(answer)) if isinstance(answer, tuple) else f"{answer:g}" if isinstance(answer, float) else str(answer)
