"""Asserts what must hold of every result, whatever its child sent. It uses none of the code that it tests."""

import json
import math
import re
from typing import Any

from app.protocol.records.registry import decode_record
from app.protocol.run import Program

HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]")
DOT_LINE = re.compile(
    r'digraph \{|\tgraph \[size="[\d.,e+]+"\]|\tnode \[[\w=. ]+\]|\}'
    r'|\t(?:\w+|"(?:[^"\\]|\\.)*")(?: -> (?:\w+|"(?:[^"\\]|\\.)*"))?'
    r'(?: \[(?:label=(?:\w+|"(?:[^"\\]|\\.)*")(?: fillcolor=\w+)?|dir=none|style=(?:dotted|dashed))\])?'
)


def check_result(result: dict[str, Any], program: Program) -> None:
    """Assert that nothing in the result contradicts itself, the program's text or arithmetic."""
    for text in texts_in(result):
        assert not HARMFUL.search(text), text
    if result["outcome"] == "finished":
        assert result["error"] is None
    else:
        assert result["error"] is not None
        check_error(result["error"], program)
    sent: set[str] = set()
    for record in result["records"]:
        assert record["id"] not in sent
        sent |= {record["id"], *(node["id"] for node in record.get("nodes", []))}
        assert sent.issuperset(record["refs"])
        assert record.get("graph") in (None, *sent) or record["kind"] != "replay"
        decode_record(json.dumps(record).encode())
        for span in spans_in(record):
            check_place(span["cell"], span["line"], program)
            check_place(span["cell"], span["end_line"], program)
            if span["end_line"] is not None:
                assert (span["line"], span["column"] or 0) <= (span["end_line"], span["end_column"] or math.inf)
        for gradient in gradients_in(record):
            check_entries(gradient["values"], gradient["shape"])
        if record["kind"] == "gradcheck":
            check_gradcheck(record)
        if record["kind"] in ("graph", "traced_graph"):
            check_graph(record, program)
        if record["kind"] == "value" and record["values"] is not None:
            check_entries(record["values"], record["shape"])


def dicts_in(value: Any) -> list[dict[str, Any]]:
    waiting, found = [value], []
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            found.append(one)
        waiting += one.values() if isinstance(one, dict) else one if isinstance(one, list) else []
    return found


def spans_in(record: dict[str, Any]) -> list[dict[str, Any]]:
    return [] if record["kind"] == "hologram" else [one for one in dicts_in(record) if "end_line" in one]


def gradients_in(record: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in dicts_in(record) if record["kind"] == "replay" and one.get("values") is not None]


def texts_in(value: Any) -> list[str]:
    waiting, texts = [value], []
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, str):
            texts.append(one)
    return texts


def check_place(cell: object, line: object, program: Program) -> None:
    sources = {source.cell: source.text for source in [*program.replay, program.source]}
    if cell is not None or line is not None:
        assert cell in sources
        assert line is None or line in range(1, len(sources[cell].splitlines()) + 1)  # type: ignore[index]


def check_error(error: dict[str, Any], program: Program) -> None:
    check_place(error["cell"], error["line"], program)
    sources = {source.cell: source.text for source in [*program.replay, program.source]}
    for frame in error["traceback"]:
        check_place(frame["cell"], frame["line"], program)
        text = sources[frame["cell"]].splitlines()[frame["line"] - 1] if frame["line"] else ""
        assert frame["source"] == text.strip()
        assert frame["column"] is None or frame["column"] <= len(text)
    if error["traceback"]:
        last = error["traceback"][-1]
        assert [error[name] for name in ("cell", "line", "column")] == [last[name] for name in ("cell", "line", "column")]


def check_gradcheck(check: dict[str, Any]) -> None:
    if not check["pairs"]:
        assert check["passed"] is not True
    if any(pair["failing"] for pair in check["pairs"]):
        assert check["passed"] is False
    if check["passed"] is False:
        assert check["message"] is not None or any(pair["failing"] for pair in check["pairs"])
    for pair in check["pairs"]:
        check_pair(check, pair)


def check_pair(check: dict[str, Any], pair: dict[str, Any]) -> None:
    rows, columns = pair["shape"]
    for shape, length in zip((pair["input_shape"], pair["output_shape"]), (rows, columns), strict=True):
        assert shape is None or math.prod(shape) == length
    is_whole, hidden = pair["blocks"] is None, 0
    if is_whole:
        shape = [1, 1] if check["mode"] == "fast" else [rows, columns]
        assert math.prod(shape) <= 4096
        entries = [flat(check_entries(pair[name], shape), shape) for name in ("numerical", "analytical")]
        known = {divmod(place, shape[1]): values for place, values in enumerate(zip(*entries, strict=True))}
    else:
        known = check_blocks(pair["blocks"], rows, columns)
    atol, rtol = float(check["atol"]), float(check["rtol"])
    largest_atol = atol * 2 * math.sqrt(rows * columns) if check["mode"] == "fast" else atol
    values = {place: (number(one), number(other)) for place, (one, other) in known.items()}
    surely = [n != a and not (size(a - n) < math.inf and size(a - n) <= 1.02 * (largest_atol + rtol * size(n))) for n, a in values.values()]
    equal = [n == a for n, a in values.values()]
    assert pair["failing"] >= sum(surely)
    if not is_whole:
        hidden = sum(differs(pair["blocks"], entry) for row in pair["blocks"]["entries"] for entry in row) - len(equal) + sum(equal)
        hidden = max(0, hidden)
    assert pair["failing"] <= len(equal) - sum(equal) + hidden
    errors = [0.0 if n == a else size(a - n) for n, a in values.values()]
    expected = math.nan if any(map(math.isnan, errors)) else max(errors, default=0.0)
    assert same(float(pair["max_abs_error"]), expected)
    check_finding(check, pair, values)


def check_blocks(blocks: dict[str, Any], rows: int, columns: int) -> dict[tuple[int, int], Any]:
    """Return the entries by row and column."""
    known = {}
    assert rows * columns > 4096 or columns > 64
    for first_row, entries in zip(range(0, rows, blocks["rows"]), blocks["entries"], strict=True):
        for first_column, (row, column, *values) in zip(range(0, columns, blocks["columns"]), entries, strict=True):
            assert first_row <= row < min(rows, first_row + blocks["rows"])
            assert first_column <= column < min(columns, first_column + blocks["columns"])
            known[row, column] = values
    if worst := blocks["worst"]:
        assert worst["row"] % min(blocks["rows"], 32) == worst["column"] % min(blocks["columns"], 32) == 0
        assert any(worst["row"] <= row and worst["column"] <= column for row, column in known)
        for row, (one, other) in enumerate(zip(worst["numerical"], worst["analytical"], strict=True), worst["row"]):
            for column, values in enumerate(zip(one, other, strict=True), worst["column"]):
                assert known.get((row, column), list(values)) == list(values)
                assert row < rows and column < columns
                known[row, column] = list(values)
        own = [(one, other) for rows in zip(worst["numerical"], worst["analytical"], strict=True) for one, other in zip(*rows, strict=True)]
        assert max(map(error_of, own)) >= max(error_of(values) for values in known.values()) * (1 - 1e-6)
    return known


def error_of(values: Any) -> float:
    n, a = map(number, values)
    error = 0.0 if n == a else size(a - n)
    return math.inf if math.isnan(error) else error


def differs(blocks: dict[str, Any], entry: list[Any]) -> int:
    """Return how many entries of its block may differ."""
    return 0 if entry[2] == entry[3] and not isinstance(entry[2], str) else int(blocks["rows"] * blocks["columns"])


def check_finding(check: dict[str, Any], pair: dict[str, Any], values: dict[tuple[int, int], tuple[complex, complex]]) -> None:
    """Assert that the finding is true of the known entries."""
    finding, factor = pair["finding"], pair["factor"]
    assert (finding is None) is (check["mode"] == "fast")
    assert (factor is None) is (finding != "factor")
    if finding is not None:
        assert (finding == "agree") is (pair["failing"] == 0)
    top = max((size(n) for n, _ in values.values()), default=0.0)
    for (row, column), (n, a) in values.items():
        if finding == "zero":
            assert a == 0
        if finding == "not-zero":
            assert size(n) < 1e-9
        if finding == "factor":
            assert size(a - factor * n) <= 1e-3 * size(factor) * top < math.inf
        if finding == "transposed" and (column, row) in values:
            assert size(n - values[column, row][1]) <= 1e-3 * top < math.inf
    if finding == "transposed":
        assert pair["shape"][0] == pair["shape"][1]
        assert any(size(n - a) > 1e-5 * top for n, a in values.values())
    if finding == "not-a-number":
        assert any(not math.isfinite(size(a)) for _, a in values.values())


def check_graph(graph: dict[str, Any], program: Program) -> None:
    for node in graph["nodes"]:
        if node["line"] is not None:
            check_place(graph["span"]["cell"] if graph["span"] else None, node["line"], program)
    for line in graph["dot"].splitlines():
        assert DOT_LINE.fullmatch(line), line
    nodes = {node["id"] for node in graph["nodes"]}
    assert (graph["folded_svg"] is None) is (graph["folds"] == [])
    for fold in graph["folds"]:
        assert fold["id"] not in nodes
        assert nodes.issuperset(fold["nodes"])


def check_entries(values: Any, shape: list[int]) -> Any:
    if shape:
        assert isinstance(values, list)
        assert len(values) == shape[0]
        for inner in values:
            check_entries(inner, shape[1:])
    return values


def flat(values: Any, shape: list[int]) -> list[Any]:
    return [values] if not shape else [entry for inner in values for entry in flat(inner, shape[1:])]


def number(entry: Any) -> complex:
    return complex(float(entry[0]), float(entry[1])) if isinstance(entry, list) else float(entry)


def size(value: complex) -> float:
    return math.hypot(value.real, value.imag) if isinstance(value, complex) else abs(value)


def same(one: float, other: float) -> bool:
    return (math.isnan(one) and math.isnan(other)) or one == other or math.isclose(one, other, rel_tol=1e-9)
