"""Compares what the runs of a cell showed with what the cell declares in [cell.shows]."""

from collections.abc import Iterator, Sequence

import msgspec

from app.authoring.checking.traced_lines import write_trace
from app.lessons.model.model import Cell
from app.lessons.model.shows import ShownGraph, Shows
from app.protocol.outcome import Outcome
from app.protocol.records.figure import FigureRecord
from app.protocol.records.graph import GraphRecord
from app.protocol.records.record import Record
from app.protocol.records.registry import decode_records
from app.protocol.records.value import ValueRecord
from app.protocol.run import RunError, RunResult

EXCERPT = 160
Mismatch = tuple[int, str]  # the line of a declaration in lesson.toml; what was expected there, and what happened


def compare(cell: Cell, shows: Shows, result: RunResult) -> list[Mismatch]:
    """Return the differences between `shows` and the run. If the run ended in another way than declared, return only this difference."""
    if found := list(_compare_ending(cell, shows, result)):
        return found
    return [mismatch for found in compare_keys(shows, result).values() for mismatch in found]


def compare_keys(shows: Shows, result: RunResult) -> dict[str, list[Mismatch]]:
    """Return the differences by key. Keys that declare how the run ends are left out."""
    records = decode_records(result.records)
    return {
        "records": list(_compare_records(shows, records)),
        "stdout": list(_compare_printed("stdout", shows, shows.stdout, result.stdout)),
        "stderr": list(_compare_printed("stderr", shows, shows.stderr, result.stderr)),
        "values": list(_compare_values(shows, records)),
        "figures": list(_compare_figures(shows, records)),
        "graph": list(_compare_graphs(shows, records)),
    }


def compare_given(cell: Cell, shows: Shows, result: RunResult) -> list[Mismatch]:
    """Return the differences in the keys that the table has. Unlike in `compare`, other keys declare nothing."""
    given = any(key in shows.lines for key in ("outcome", "message", "raises"))
    found = list(_compare_ending(msgspec.structs.replace(cell, raises=shows.raises), shows, result)) if given else []
    found += _compare_counts(shows, decode_records(result.records))
    return [*found, *(mismatch for key, all_of in compare_keys(shows, result).items() if key in shows.lines for mismatch in all_of)]


def compare_traced(shows: Shows, second: RunResult) -> list[Mismatch]:
    """Return the first line in the key `traced` that does not describe the second run, or describes it in another order."""
    lines = write_trace(decode_records(second.records))
    return [
        (shows.line("traced", index), f"traced: expected {_quote(text)} in the second run, got {_quote(rest)}")
        for index, text, rest in _find_absent(shows.traced, lines)
    ]


def _compare_counts(shows: Shows, records: Sequence[Record]) -> Iterator[Mismatch]:
    """Yield a mismatch if more graphs, values or figures are declared than the run shows."""
    for key, declared, kind in (
        ("graph", shows.graphs, GraphRecord),
        ("values", shows.values, ValueRecord),
        ("figures", shows.figures, FigureRecord),
    ):
        count = sum(isinstance(record, kind) for record in records)
        if declared and len(declared) > count:
            yield (shows.line(key), f"{key}: expected {len(declared)}, got {count}")


def _compare_ending(cell: Cell, shows: Shows, result: RunResult) -> Iterator[Mismatch]:
    error = result.error
    if result.outcome != shows.outcome or is_of_replay(error, cell):
        yield (shows.line("outcome"), f"expected the outcome {shows.outcome}, got {result.outcome}{_describe(error, cell)}")
    elif result.outcome == Outcome.RAISED and (error is None or error.type.rpartition(".")[2] != cell.raises):
        yield (shows.line("raises"), f"expected the exception {cell.raises}, got {_describe(error, cell).removeprefix(': ')}")
    elif shows.message is not None and (error is None or shows.message not in error.message):
        yield (shows.line("message"), f"expected a message with {_quote(shows.message)}, got {_quote(error.message if error else '')}")


def is_of_replay(error: RunError | None, cell: Cell) -> bool:
    """Return whether a replayed cell raised `error` before `cell` began. If `cell` called what raised, the error is the cell's."""
    return error is not None and error.cell not in (None, cell.id) and all(frame.cell != cell.id for frame in error.traceback)


def _describe(error: RunError | None, cell: Cell) -> str:
    if error is None:
        return ""
    where = f" in the replayed cell {error.cell}" if error.cell not in (None, cell.id) else ""
    where += f" at line {error.line}" if error.line else ""
    return f": {error.type}, {_quote(error.message)}{where}"


def _compare_records(shows: Shows, records: Sequence[Record]) -> Iterator[Mismatch]:
    expected, got = list(shows.records), [record.name for record in records]
    if expected != got:
        yield (shows.line("records"), f"records: expected {_list(expected)}; got {_list(got)}")


def _compare_printed(key: str, shows: Shows, expected: Sequence[str], printed: str) -> Iterator[Mismatch]:
    """Yield a mismatch unless the texts `expected` were printed in this order. If there are none, nothing may have been printed."""
    if not expected and printed:
        yield (shows.line(key), f"expected nothing on {key}, got {_quote(printed)}")
    for index, text, rest in _find_absent(expected, printed):
        yield (shows.line(key, index), f"expected {_quote(text)} on {key}, got {_quote(rest)}")


def _find_absent(expected: Sequence[str], printed: str) -> Iterator[tuple[int, str, str]]:
    """Yield the first text that does not follow the ones before it: its index, the text, and what is printed after the ones before."""
    position = 0
    for index, text in enumerate(expected):
        found = printed.find(text, position)
        if found < 0:
            yield index, text, printed[position:]
            return
        position = found + len(text)


def _compare_values(shows: Shows, records: Sequence[Record]) -> Iterator[Mismatch]:
    values = [record for record in records if isinstance(record, ValueRecord)]
    for index, (text, value) in enumerate(zip(shows.values or (), values, strict=False)):
        if text not in value.text:
            yield (shows.line("values", index), f"expected a value with {_quote(text)}, got {_quote(value.text)}")


def _compare_figures(shows: Shows, records: Sequence[Record]) -> Iterator[Mismatch]:
    figures = [record for record in records if isinstance(record, FigureRecord)]
    for index, (text, figure) in enumerate(zip(shows.figures or (), figures, strict=False)):
        if not any(text in each for each in figure.texts):
            yield (shows.line("figures", index), f"expected a figure with {_quote(text)}, got {_quote(', '.join(figure.texts))}")
        elif figure.note:
            yield (shows.line("figures", index), f"expected a figure, got {_quote(figure.note)}")


def _compare_graphs(shows: Shows, records: Sequence[Record]) -> Iterator[Mismatch]:
    graphs = [record for record in records if isinstance(record, GraphRecord)]
    for index, (declared, graph) in enumerate(zip(shows.graphs, graphs, strict=False)):
        for key, message in _compare_graph(declared, graph):
            yield (shows.line("graph", index, key), message)


def _compare_graph(declared: ShownGraph, graph: GraphRecord) -> Iterator[tuple[str, str]]:
    boxes = list_boxes(graph)
    for key, names in (("connected", declared.connected), ("isolated", declared.isolated)):
        for name in names:
            if name not in boxes:
                yield key, f"expected {name} in the graph, which names {_list([node.name for node in graph.nodes if node.name])}"
            elif boxes[name] != (key == "connected"):
                yield key, f"expected {name} to be {key} in the graph, got {'connected' if boxes[name] else 'isolated'}"
    for key, count, got in (("nodes", declared.nodes, len(graph.nodes)), ("edges", declared.edges, count_edges(graph))):
        if count not in (None, got):
            yield key, f"expected a graph of {count} {key}, got {got}"


def list_boxes(graph: GraphRecord) -> dict[str, bool]:
    """Return the names and labels of the graph's boxes, each with whether an edge touches such a box."""
    touched = {end for edge in graph.edges if edge.kind != "missing" for end in (edge.source, edge.target)}
    boxes: dict[str, bool] = {}
    for node in graph.nodes:
        for name in filter(None, (node.name, node.label.split("\n")[0])):
            boxes[name] = boxes.get(name, False) or node.id in touched
    return boxes


def count_edges(graph: GraphRecord) -> int:
    return sum(edge.kind != "missing" for edge in graph.edges)


def _list(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"


def _quote(text: str) -> str:
    text = text.strip("\n").replace("\n", "\\n")
    return f'"{text}"' if len(text) <= EXCERPT else f'"{text[:EXCERPT]}…"'
