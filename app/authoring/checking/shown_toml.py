"""Writes what a run showed into the text of lesson.toml, as `[cell.shows]` or `[try.shows]`. Keys that agree with the run stay."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
import tomlkit
from tomlkit.items import AoT, Table

from app.authoring.checking.compare import compare, compare_keys, count_edges, is_of_replay, list_boxes
from app.lessons.model.model import Cell
from app.lessons.model.shows import ShownGraph, Shows
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
