"""The run of a cell or a try-it: how it differs from what the lesson's files declare, and which files recording it would change."""

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import tomlkit
from tomlkit.items import AoT, Table

from app.authoring.checking.compare import compare, compare_keys, compare_traced, count_edges, is_of_replay, list_boxes
from app.authoring.checking.proven_answers import check_prediction
from app.lessons.cells.recordings import REWRITES, find_other_result, recording_file, render_recording
from app.lessons.model.model import Cell, Lesson, TryIt
from app.lessons.model.shows import ShownGraph, Shows
from app.lessons.toml.source import Problem
from app.protocol.outcome import Outcome
from app.protocol.records.figure import FigureRecord
from app.protocol.records.graph import GraphRecord
from app.protocol.records.registry import decode_records
from app.protocol.records.value import ValueRecord
from app.protocol.run import RunResult

WIDTH = 88  # a list that is longer gets a line for each element
PRINTED_LINES = 12
MESSAGE = 100  # the most characters of an exception's first line
Tables = Literal["cell", "try"]


class RecordError(Exception):
    """What the run showed cannot be written. The message says why."""


class FileChange(NamedTuple):
    """A file that recording a run writes. `file` is relative to the course's folder. `diff` is only for lesson.toml; else ""."""

    file: str
    text: str
    diff: str = ""

    def write(self, folder: Path) -> None:
        path = folder / self.file
        path.parent.mkdir(exist_ok=True)
        path.write_text(self.text, encoding="utf-8", newline="")


class CellRun(NamedTuple):
    """The run of a cell or a try-it.

    - `id` is the id of the cell or try-it.
    - `cell` is the cell that was run. For a try-it, it has the try-it's declarations.
    - `differing` are differences that recording the run removes.
    - `wrong_answers` are predictions whose answer the run contradicts.
    - `wrong_traces` are differences of the second run, which recording does not remove.
    - `record` is the new text of the cell's recorded result; "" if it need not be written.
    """

    kind: Tables
    id: str
    lesson: Lesson
    cell: Cell
    result: RunResult
    differing: list[Problem]
    wrong_answers: Sequence[Problem] = ()
    wrong_traces: Sequence[Problem] = ()
    record: str = ""

    @property
    def name(self) -> str:
        return f"the {self.kind} {self.id}"

    @property
    def problems(self) -> list[Problem]:
        return [*self.differing, *self.wrong_answers, *self.wrong_traces]

    @property
    def is_recorded(self) -> bool:
        """Return whether recording the run has nothing to write."""
        return not (self.cell.shows is None or self.differing or self.record)

    def list_changes(self, folder: Path) -> list[FileChange]:
        """Return the files that recording the run changes. Raises OSError, and RecordError if a lesson cannot declare such a result."""
        file, changes = self.lesson.file, []
        if self.cell.shows is None or any(one.file == file for one in self.differing):
            before = (folder / file).read_bytes().decode("utf-8")  # with its own line ends
            after = make_text(before, self.kind, self.cell, self.result, self.id)
            if diff := "".join(difflib.unified_diff(before.splitlines(True), after.splitlines(True), "declared", "shown", n=2)):
                changes.append(FileChange(file, after, diff))
        if self.record:
            changes.append(FileChange(recording_file(self.lesson.path, self.id), self.record))
        return changes


def compare_cell(lesson: Lesson, cell: Cell, result: RunResult, record: str = "", second: RunResult | None = None) -> CellRun:
    """Compare a run of the cell, and its second run, with the declarations of the cell and its predictions.

    `record` is the text of the run's recorded result. If it is given, it is compared with the lesson's.
    """
    run = _compare("cell", cell.id, lesson, cell, result, second)
    known = lesson.recordings.get(cell.id)
    found = find_other_result(render_recording(known), record) if record and known else None
    if found:
        line, message = found
        run.differing.append(Problem(recording_file(lesson.path, cell.id), line, f"{run.name}: {message}: {REWRITES}"))
    wrong_answers = [
        Problem(lesson.file, prediction.line, f"the prediction {prediction.id}: {message}")
        for prediction in lesson.predictions
        if prediction.cell_id == cell.id
        for message in check_prediction(prediction, cell, result)
    ]
    return run._replace(wrong_answers=wrong_answers, record=record if found or not known else "")


def compare_try(lesson: Lesson, one: TryIt, cell: Cell, result: RunResult, second: RunResult | None = None) -> CellRun:
    """Compare a run of the try-it, and its second run, with the try-it's declarations. `cell` is the cell that was run."""
    declared = msgspec.structs.replace(cell, raises=one.raises, shows=one.shows, line=one.line)
    return _compare("try", one.id, lesson, declared, result, second)


def _compare(kind: Tables, own_id: str, lesson: Lesson, cell: Cell, result: RunResult, second: RunResult | None) -> CellRun:
    differing = compare(cell, cell.shows, result) if cell.shows else []
    wrong_traces = compare_traced(cell.shows, second) if cell.shows and second else []
    problems = [
        [Problem(lesson.file, line, f"the {kind} {own_id}: {message}") for line, message in found] for found in (differing, wrong_traces)
    ]
    return CellRun(kind, own_id, lesson, cell, result, problems[0], wrong_traces=problems[1])


def make_text(text: str, tables: Tables, cell: Cell, result: RunResult, own_id: str = "") -> str:
    """Return the text of lesson.toml with what the run of `cell` showed, in a table of the list `tables`.

    For a try-it, `own_id` is its id; for a cell, it is "". Raises RecordError if the table does not exist, or if a lesson cannot declare
    how the run ended.
    """
    wanted = own_id or cell.id
    if result.outcome in (Outcome.STOPPED, Outcome.CRASHED) or is_of_replay(result.error, cell):
        raise RecordError(f"it ended in a way that a lesson cannot declare: {result.outcome}")
    document = tomlkit.parse(text)
    listed = document.get(tables)
    table = next((one for one in listed if one.get("id") == wanted), None) if isinstance(listed, AoT) else None
    if table is None:
        raise RecordError(f'there is no [[{tables}]] with the id "{wanted}"')
    _write(table, cell, result)
    return _end_as(text, tomlkit.dumps(document))


def _end_as(before: str, text: str) -> str:
    """Return the text with one newline at its end, unless the text `before` had more."""
    return text if before.endswith("\n\n") or not text.endswith("\n\n") else text.rstrip("\n") + "\n"


def _write(table: Table, cell: Cell, result: RunResult) -> None:
    shows = cell.shows or Shows(lines={"": cell.line})
    if cell.shows is None:
        table["shows"] = tomlkit.table()
    written: Any = table["shows"]
    if compare(cell, shows, result)[:1] and _ends_otherwise(cell, shows, result):
        _write_ending(table, written, result)
    keys = compare_keys(shows, result)
    records = decode_records(result.records)
    graphs = [record for record in records if isinstance(record, GraphRecord)]
    values = [_first_line(record.text) for record in records if isinstance(record, ValueRecord)]
    figures = [next(iter(record.texts), "") for record in records if isinstance(record, FigureRecord)]
    if keys["records"]:
        _set(written, "records", [record.name for record in records])
    for key, printed in (("stdout", result.stdout), ("stderr", result.stderr)):
        if keys[key]:
            _set(written, key, [line.strip() for line in printed.splitlines() if line.strip()][:PRINTED_LINES])
    for key, texts, declared in (("values", values, shows.values), ("figures", figures, shows.figures)):
        if keys[key] or (declared is not None and len(declared) != len(texts)) or (cell.shows is None and all(texts)):
            _set(written, key, texts)
    if keys["graph"] or (len(shows.graphs) != len(graphs) and (shows.graphs or cell.shows is None)):
        _write_graphs(written, shows.graphs, graphs)
    if cell.shows is None:
        (written["graph"][-1] if graphs else written).add(tomlkit.nl())  # a blank line before the next table


def _ends_otherwise(cell: Cell, shows: Shows, result: RunResult) -> bool:
    """Return whether the run ended in another way than declared."""
    quiet = msgspec.structs.replace(result, records=[], stdout="", stderr="")
    return bool(compare(cell, Shows(lines={"": 1}, outcome=shows.outcome, message=shows.message), quiet))


def _write_ending(table: Table, written: Any, result: RunResult) -> None:
    error = result.error if result.outcome == Outcome.RAISED else None
    table.pop("raises", None)
    if error is not None:
        shows = table.pop("shows")  # the keys of a table precede its subtables
        table["raises"] = error.type.rpartition(".")[2]
        table["shows"] = shows
    _set(written, "outcome", None if result.outcome in (Outcome.FINISHED, Outcome.RAISED) else result.outcome.value)
    _set(written, "message", _first_line(error.message)[:MESSAGE] or None if error else None)


def _write_graphs(written: Any, declared: Sequence[ShownGraph], graphs: Sequence[GraphRecord]) -> None:
    written.pop("graph", None)
    tables = tomlkit.aot()
    for index, graph in enumerate(graphs):
        before = declared[index] if index < len(declared) else None
        tables.append(_describe_graph(before, graph))
    if graphs:
        written["graph"] = tables


def _describe_graph(declared: ShownGraph | None, graph: GraphRecord) -> Table:
    """Return a table for a graph. It has the boxes and numbers that `declared` has; without `declared`, it has all."""
    boxes = list_boxes(graph)
    wanted = {*declared.connected, *declared.isolated} if declared else {node.name for node in graph.nodes}
    table = tomlkit.table()
    _set(table, "connected", [name for name, is_connected in boxes.items() if name in wanted and is_connected])
    _set(table, "isolated", [name for name, is_connected in boxes.items() if name in wanted and not is_connected])
    if declared is None or declared.nodes is not None:
        table["nodes"] = len(graph.nodes)
    if declared is None or declared.edges is not None:
        table["edges"] = count_edges(graph)
    return table


def _set(table: Any, key: str, value: Any) -> None:
    if value is None or value == []:
        table.pop(key, None)
    elif isinstance(value, list):
        array = tomlkit.array()
        array.extend(value)
        table[key] = array.multiline(len(array.as_string()) + len(key) > WIDTH)
    else:
        table[key] = value


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
