"""Forged and self-contradicting messages of a child, by name. Each is a whole conversation after its beginning, as bytes."""

import json
from collections.abc import Iterator
from typing import Any

from tests.runner.forged.liar import over, shown

DOUBLED = [[2.0, 0.0], [0.0, 2.0]]
PAIR: dict[str, Any] = {
    "output": 0,
    "input": 0,
    "shape": [2, 2],
    "numerical": [[2.0, 0.0], [0.0, 2.0]],
    "analytical": [[2.0, 0.0], [0.0, 2.0]],
}
WRONG: dict[str, Any] = PAIR | {"analytical": [[1.0, 0.0], [0.0, 1.0]]}
GRADCHECK: dict[str, Any] = {
    "kind": "gradcheck",
    "id": "gradcheck-1",
    "order": 1,
    "mode": "reverse",
    "passed": True,
    "eps": 1e-6,
    "atol": 1e-5,
    "rtol": 1e-3,
}
VALUE: dict[str, Any] = {"kind": "value", "id": "value-1", "text": "1"}
NODE: dict[str, Any] = {"id": "n0", "kind": "leaf", "label": "x"}
GRAPH: dict[str, Any] = {"kind": "graph", "id": "graph-1", "nodes": [NODE]}
FIGURE: dict[str, Any] = {"kind": "figure", "id": "figure-1", "width": 1, "height": 1}
FAULT: dict[str, Any] = {"kind": "fault", "id": "fault-1", "instrument": "graph", "reason": "E"}
HOLOGRAM: dict[str, Any] = {"kind": "hologram", "id": "hologram-1"}
DIAGNOSIS: dict[str, Any] = {"kind": "diagnosis", "id": "diagnosis-1", "code": "c", "severity": "hint"}
SAVED: dict[str, Any] = {"kind": "saved", "id": "saved-1", "call": "c1", "function": "Square"}
GRADIENT: dict[str, Any] = {"shape": [2], "dtype": "torch.float32", "values": [1.0, 2.0]}
STEP: dict[str, Any] = {"kind": "function", "node": "n0", "label": "MulBackward0", "received": [GRADIENT], "sent": [{"node": "n1"}]}
REPLAY: dict[str, Any] = {"kind": "replay", "id": "replay-1", "call": "backward", "number": 1, "of": 1, "steps": [STEP]}
TRACED: dict[str, Any] = {"kind": "traced_graph", "id": "traced_graph-1", "graph": 1, "nodes": [NODE]}
TENSOR: dict[str, Any] = {"tensor": "t1", "name": "x", "how": "save_for_backward", "role": "input"}
FRAME: dict[str, Any] = {"cell": "b", "line": 4, "column": 0, "function": "f", "source": "raise ValueError(x)"}
ERROR: dict[str, Any] = {"type": "ValueError", "message": "m", "cell": "b", "line": 4, "column": 0, "traceback": [FRAME]}

KINDS = {"value": VALUE, "graph": GRAPH, "figure": FIGURE, "fault": FAULT, "hologram": HOLOGRAM, "diagnosis": DIAGNOSIS, "saved": SAVED}
KINDS |= {"replay": REPLAY, "traced_graph": TRACED}
KINDS["gradcheck"] = GRADCHECK | {"pairs": [PAIR]}
HARM = {
    "escape": "a\x1b[31m",
    "null": "\x00",
    "override": "a\u202eb",
    "isolate": "\u2066a",
    "c1": "\x9b",
    "separator": "a\u2028b",
    "mark": "\u061c\u200f",
}
NOWHERE = {
    "a cell of another's": {"cell": "other", "line": 1},
    "no cell's line": {"line": 1},
    "an empty cell": {"cell": "", "line": 1},
    "a line too far": {"cell": "b", "line": 5},
    "a line of the other cell": {"cell": "a", "line": 2},
    "a line of millions": {"cell": "b", "line": 1_000_000},
    "a column off the line": {"cell": "b", "line": 1, "column": 99},
    "an end too far": {"cell": "b", "line": 1, "end_line": 9},
    "an end off the line": {"cell": "b", "line": 1, "end_line": 1, "end_column": 99},
    "an end before its line": {"cell": "b", "line": 4, "end_line": 1},
    "an end before its column": {"cell": "b", "line": 4, "column": 3, "end_line": 4, "end_column": 1},
    "an end of no line": {"cell": "b", "line": 1, "end_column": 1},
}


def jacobian(size: int, value: float = 0.0) -> list[list[float]]:
    return [[value] * size for _ in range(size)]


def blocks(rows: int = 4, columns: int = 4, count: int = 20, worst: Any = None, **fields: Any) -> dict[str, Any]:
    """Return blocks, by default of a Jacobian of 80 × 80. `fields` change its first entry: row, column, numerical, analytical."""
    entries = [[[row * rows, column * columns, 1.0, 1.0] for column in range(count)] for row in range(count)]
    entries[0][0] = list((dict(zip(("row", "column", "numerical", "analytical"), entries[0][0], strict=True)) | fields).values())
    return {"rows": rows, "columns": columns, "entries": entries, "worst": worst}


def block(value: object = 3.0, size: int = 4, **fields: int) -> dict[str, Any]:
    """Return the first block, or another. Its first entry has this analytical value; all others agree."""
    analytical = jacobian(size, 1.0)
    return {"row": 0, "column": 0, "numerical": jacobian(size, 1.0), "analytical": [[value, *analytical[0][1:]], *analytical[1:]]} | fields


LARGE: dict[str, Any] = {"output": 0, "input": 0, "shape": [80, 80]}


def entries_off_the_matrix() -> list[Any]:
    *before, last = blocks()["entries"]
    return [*before, [[79, *last[0][1:]], *last[1:]]]


PAIRS: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
    "passed without pairs": ({}, []),
    "passed with a message": ({"message": "m"}, [PAIR]),
    "passed without pairs, with a message": ({"message": "m"}, []),
    "passed beside what fails": ({}, [WRONG | {"failing": 2}]),
    "passed beside what fails, uncounted": ({}, [WRONG]),
    "passed beside one of two": ({}, [PAIR, WRONG]),
    "passed with a count that nothing bears out": ({}, [PAIR | {"failing": 2}]),
    "passed beside a NaN": ({}, [PAIR | {"analytical": [["nan", 0.0], [0.0, 2.0]]}]),
    "passed beside two NaNs": ({}, [PAIR | {"analytical": [["nan", 0.0], [0.0, 2.0]], "numerical": [["nan", 0.0], [0.0, 2.0]]}]),
    "passed beside an infinity": ({}, [PAIR | {"analytical": [["inf", 0.0], [0.0, 2.0]]}]),
    "passed beside an infinite numerical one": ({}, [PAIR | {"numerical": [["inf", 0.0], [0.0, 2.0]]}]),
    "passed beside infinities of both signs": ({}, [PAIR | {"analytical": [["inf"] * 2] * 2, "numerical": [["-inf"] * 2] * 2}]),
    "passed beside a complex one": ({}, [PAIR | {"analytical": [[[2.0, 1.0], 0.0], [0.0, 2.0]]}]),
    "passed beside a huge complex one": ({}, [PAIR | {"analytical": [[[1.7e308, 1.7e308], 0.0], [0.0, 2.0]]}]),
    "passed beside a difference without bounds": ({}, [PAIR | {"analytical": jacobian(2, 1.7e308), "numerical": jacobian(2, -1.7e308)}]),
    "passed within no tolerance": ({"atol": 0, "rtol": 0}, [PAIR | {"analytical": [[2.0000001, 0.0], [0.0, 2.0]]}]),
    "passed within a tolerance that is none": ({"atol": "nan"}, [PAIR | {"analytical": [[2.0000001, 0.0], [0.0, 2.0]]}]),
    "passed within less than nothing": ({"atol": -1, "rtol": -1}, [WRONG]),
    "nothing compared, yet pairs": ({"passed": None}, [PAIR]),
    "nothing compared, yet pairs that fail": ({"passed": None}, [WRONG]),
    "nothing compared, and why": ({"passed": None, "message": "m"}, []),
    "failed for no reason": ({"passed": False}, [PAIR]),
    "failed for no reason, without pairs": ({"passed": False}, []),
    "failed by a count": ({"passed": False}, [PAIR | {"failing": 3}]),
    "failed by more than there are": ({"passed": False}, [WRONG | {"failing": 2**53}]),
    "failed by fewer than do": ({"passed": False}, [WRONG | {"failing": 1}]),
    "errors that nothing bears out": ({}, [PAIR | {"max_abs_error": 5.0, "max_rel_error": 5.0}]),
    "errors that are too small": ({}, [WRONG | {"max_abs_error": 0.0, "max_rel_error": 0.0}]),
    "errors below nothing": ({}, [PAIR | {"max_abs_error": -1.0, "max_rel_error": "-inf"}]),
    "errors that are no numbers": ({}, [PAIR | {"max_abs_error": "nan", "max_rel_error": "nan"}]),
    "no Jacobians": ({}, [{"output": 0, "input": 0, "shape": [2, 2]}]),
    "one Jacobian": ({}, [{"output": 0, "input": 0, "shape": [2, 2], "numerical": jacobian(2)}]),
    "Jacobians and blocks": ({}, [PAIR | {"blocks": blocks()}]),
    "Jacobians of another shape": ({}, [PAIR | {"shape": [1, 4]}]),
    "Jacobians of no shape": ({}, [PAIR | {"shape": [0, 0]}]),
    "Jacobians of a negative shape": ({}, [PAIR | {"shape": [-2, -2]}]),
    "Jacobians of two shapes": ({}, [PAIR | {"analytical": jacobian(3)}]),
    "ragged Jacobians": ({}, [PAIR | {"analytical": [[2.0, 0.0], [0.0]]}]),
    "Jacobians too large to be shown": ({}, [LARGE | {"numerical": jacobian(80), "analytical": jacobian(80)}]),
    "Jacobians of booleans": ({}, [PAIR | {"analytical": [[True, False], [False, True]]}]),
    "Jacobians of words": ({}, [PAIR | {"analytical": [["two", 0.0], [0.0, 2.0]]}]),
    "Jacobians too wide to be shown": ({}, [LARGE | {"shape": [1, 80], "numerical": [[0.0] * 80], "analytical": [[0.0] * 80]}]),
    "blocks of a small one": ({}, [{"output": 0, "input": 0, "shape": [2, 2], "blocks": blocks(1, 1, 2)}]),
    "blocks of another size": ({}, [LARGE | {"blocks": blocks(5, 5, 16)}]),
    "blocks of no size": ({}, [LARGE | {"blocks": blocks(0, 0)}]),
    "too few blocks": ({}, [LARGE | {"blocks": blocks(count=19)}]),
    "too many blocks": ({}, [LARGE | {"blocks": blocks(count=21)}]),
    "no blocks": ({}, [LARGE | {"blocks": blocks() | {"entries": []}}]),
    "blocks without end": ({}, [LARGE | {"shape": [2**53, 2**53], "blocks": blocks(2**48, 2**48, 32)}]),
    "ragged blocks": ({}, [LARGE | {"blocks": blocks() | {"entries": [*blocks()["entries"][1:], []]}}]),
    "an entry off its block": ({}, [LARGE | {"blocks": blocks(row=4)}]),
    "an entry off the matrix": ({}, [LARGE | {"shape": [78, 80], "blocks": blocks() | {"entries": entries_off_the_matrix()}}]),
    "an entry that fails, uncounted": ({}, [LARGE | {"blocks": blocks(analytical=3.0)}]),
    "entries that are equal, counted": ({}, [LARGE | {"blocks": blocks(), "failing": 400}]),
    "more fail than a block has": ({}, [LARGE | {"blocks": blocks(analytical=3.0), "failing": 17}]),
    "more fail than the worst block shows": ({}, [LARGE | {"blocks": blocks(analytical=3.0, worst=block()), "failing": 2}]),
    "an entry that is no number": ({}, [LARGE | {"blocks": blocks(analytical="nan"), "max_rel_error": 0.0}]),
    "blocks with an error of millions": ({}, [LARGE | {"blocks": blocks(), "max_rel_error": 1e6}]),
    "blocks of a side that no number has": ({}, [LARGE | {"shape": [10**30, 80], "blocks": blocks()}]),
    "blocks without rows": ({}, [LARGE | {"shape": [0, 80], "blocks": blocks() | {"entries": []}}]),
    "blocks of negative sizes": ({}, [LARGE | {"blocks": blocks(-4, -4)}]),
    "blocks with an entry below nothing": ({}, [LARGE | {"blocks": blocks(row=-1)}]),
    "an input of sides without end": ({}, [PAIR | {"input_shape": [10**30] * 64}]),
    "blocks in fast mode": ({"mode": "fast"}, [LARGE | {"blocks": blocks()}]),
    "a worst block that is not the worst": ({}, [LARGE | {"blocks": blocks(analytical=3.0, worst=block(1.0, row=4))}]),
    "a worst block that is worse": ({}, [LARGE | {"blocks": blocks(column=1, analytical=2.0, worst=block(3.0))}]),
    "a worst block without its entry": ({}, [LARGE | {"blocks": blocks(analytical=3.0, worst=block(2.0))}]),
    "a worst block of no numbers": ({}, [LARGE | {"blocks": blocks(analytical=3.0, worst=block("nan"))}]),
    "a worst block between two": ({}, [LARGE | {"blocks": blocks(row=2, analytical=3.0, worst=block(row=2))}]),
    "a worst block off the matrix": ({}, [LARGE | {"blocks": blocks(analytical=3.0, worst=block(row=80))}]),
    "a worst block of millions": ({}, [LARGE | {"blocks": blocks(analytical=3.0, worst=block(row=2**52))}]),
    "a worst block of another size": ({}, [LARGE | {"blocks": blocks(analytical=3.0, worst=block(size=5))}]),
    "a worst block of nothing": ({}, [LARGE | {"blocks": blocks(analytical=3.0, worst=block() | {"numerical": [], "analytical": []})}]),
    "an input of another shape": ({}, [PAIR | {"input_shape": [3]}]),
    "an output of another shape": ({}, [PAIR | {"output_shape": [2, 2]}]),
    "an output of no shape": ({}, [PAIR | {"output_shape": []}]),
    "agreement of what fails": ({}, [WRONG | {"finding": "agree"}]),
    "zero though it is not": ({}, [WRONG | {"finding": "zero"}]),
    "zero though it agrees": ({}, [PAIR | {"finding": "zero"}]),
    "not zero though it is zero": ({}, [WRONG | {"finding": "not-zero"}]),
    "no numbers though there are": ({}, [WRONG | {"finding": "not-a-number"}]),
    "another factor": ({}, [WRONG | {"finding": "factor", "factor": 2.0}]),
    "a factor of an infinity": ({}, [WRONG | {"numerical": [["inf", 0.0], [0.0, 2.0]], "finding": "factor", "factor": 2.0}]),
    "a factor that is none": ({}, [WRONG | {"finding": "factor"}]),
    "a factor of one": ({}, [WRONG | {"finding": "factor", "factor": 1.0}]),
    "a factor without that finding": ({}, [WRONG | {"finding": "differ", "factor": 2.0}]),
    "a transpose that is none": ({}, [WRONG | {"finding": "transposed"}]),
    "a transpose of what is symmetric": (
        {"atol": 0, "rtol": 0},
        [PAIR | {"analytical": [[2.0000001, 0], [0, 2]], "finding": "transposed"}],
    ),
    "a transpose of a column": (
        {},
        [WRONG | {"shape": [2, 1], "numerical": [[1], [2]], "analytical": [[1], [3]], "finding": "transposed"}],
    ),
    "zero everywhere but in the worst block": ({}, [LARGE | {"blocks": blocks(analytical=3.0, worst=block()), "finding": "zero"}]),
    "a finding in fast mode": ({"mode": "fast"}, [PAIR | {"numerical": [[2.0]], "analytical": [[0.0]], "finding": "zero"}]),
    "a finding of its own": ({}, [WRONG | {"finding": "believe me"}]),
    "whole Jacobians in fast mode": ({"mode": "fast"}, [PAIR]),
    "passed in fast mode beside what fails": ({"mode": "fast"}, [PAIR | {"numerical": [[2.0]], "analytical": [[1.0]]}]),
    "failing in fast mode though equal": ({"mode": "fast"}, [PAIR | {"numerical": [[2.0]], "analytical": [[2.0]], "failing": 4}]),
    "an output of millions": ({}, [PAIR | {"output": 10**6}]),
    "an input below nothing": ({}, [PAIR | {"input": -1}]),
    "of the third order": ({"order": 3}, [PAIR]),
    "in a mode of its own": ({"mode": "believe me"}, [PAIR]),
    "passed in its own words": ({"passed": "yes"}, [PAIR]),
}

VALUES: dict[str, dict[str, Any]] = {
    "entries without a shape": {"values": [1.0]},
    "more entries than the shape has": {"values": [1.0, 2.0], "shape": [1]},
    "fewer entries than the shape has": {"values": [1.0], "shape": [2]},
    "entries nested otherwise": {"values": [[1.0, 2.0]], "shape": [2]},
    "ragged entries": {"values": [[1.0], [1.0, 2.0]], "shape": [2, 1]},
    "an entry that is true": {"values": [True], "shape": [1]},
    "an entry that is a text": {"values": ["javascript:"], "shape": [1]},
    "an entry that is an object": {"values": [{"a": 1}], "shape": [1]},
    "an entry of three parts": {"values": [[1.0, 2.0, 3.0]], "shape": [1]},
    "too many entries": {"values": [1.0] * 2000, "shape": [2000]},
    "too many empty lists": {"values": [[]] * 2000, "shape": [2000, 0]},
    "a shape below nothing": {"values": [], "shape": [-1]},
    "a shape of a hundred dimensions": {"shape": [1] * 100},
    "a gradient that is not required": {"grad_fn": "MulBackward0", "requires_grad": False},
    "a gradient of nobody's": {"grad_fn": "MulBackward0"},
}
OVERS: dict[str, bytes] = {
    "finished with an error": over("finished", error=ERROR),
    "raised without an error": over("raised"),
    "out of memory without an error": over("out_of_memory"),
    "forbidden without an error": over("forbidden"),
    "out of memory by a ValueError": over("out_of_memory", error=ERROR),
    "forbidden by a ValueError": over("forbidden", error=ERROR),
    "forbidden by a MemoryError": over("forbidden", error=ERROR | {"type": "MemoryError"}),
    "out of memory by a KeyboardInterrupt": over("out_of_memory", error=ERROR | {"type": "KeyboardInterrupt"}),
    "an ending of its own": over("passed"),
    "the supervisor's ending": over("timed_out", error=ERROR),
    "stopped by itself": over("stopped"),
    "an explanation of its own": over("raised", error=ERROR | {"explanation": "You are right."}),
    "a pitfall of its own": over("raised", error=ERROR | {"pitfall": "earlier-run", "name": "You are right."}),
    "a place that is not the last frame's": over("raised", error=ERROR | {"line": 1}),
    "a place without a frame": over("raised", error=ERROR | {"traceback": []}),
    "a cell of another's without a frame": over("raised", error=ERROR | {"cell": "other", "line": None, "column": None, "traceback": []}),
    "a line that says something else": over("raised", error=ERROR | {"traceback": [FRAME | {"source": "x = 1"}]}),
    "a frame of another's before its own": over("raised", error=ERROR | {"traceback": [FRAME | {"cell": "other"}, FRAME]}),
    "a column off the line": over("raised", error=ERROR | {"traceback": [FRAME | {"column": 500}]}),
    "a column of no line": over("raised", error=ERROR | {"traceback": [FRAME | {"line": None}]}),
    "a column below nothing": over("raised", error=ERROR | {"traceback": [FRAME | {"column": -1}]}),
    "too many frames": over("raised", error=ERROR | {"traceback": [FRAME] * 300}),
}
GRAPHS: dict[str, dict[str, Any]] = {
    "a link in its DOT": {"dot": 'digraph { a [URL="javascript:alert(1)"] }'},
    "a link in its label": {"nodes": [NODE | {"label": '" URL="javascript:alert(1)'}]},
    "a link in its name": {"nodes": [NODE | {"id": 'a [href="javascript:alert(1)"]'}]},
    "markup for a label": {"nodes": [NODE | {"label": "<<b>x</b>>"}]},
    "an escape in its label": {"nodes": [NODE | {"label": '\\" ] a [ URL="javascript:alert(1)'}]},
    "lines in its name": {"nodes": [NODE | {"id": "a\nb [URL=x]\n"}]},
    "a keyword for a name": {"nodes": [NODE | {"id": "subgraph"}]},
    "an edge to a link": {"edges": [{"source": "n0", "target": "x [URL=x]"}]},
    "a line that does not exist": {"span": {"cell": "b", "line": 1}, "nodes": [NODE | {"line": 9}]},
    "a line of no cell": {"nodes": [NODE | {"line": 1}]},
    "a column off the line": {"span": {"cell": "b", "line": 1}, "nodes": [NODE | {"line": 1, "column": 99}]},
    "ids like names of JavaScript's own": {
        "nodes": [NODE | {"id": name} for name in ("__proto__", "constructor", "toString")],
        "edges": [{"source": "__proto__", "target": "constructor", "kind": "saved"}, {"source": "toString", "target": "__proto__"}],
    },
    "one node twice, joined to itself and to nobody": {
        "nodes": [NODE, NODE | {"kind": "output"}],
        "edges": [
            {"source": "n0", "target": end, "kind": kind} for end in ("n0", "n9") for kind in ("gradient", "saved", "view", "missing")
        ],
    },
    "an edge of a kind of its own": {"edges": [{"source": "n0", "target": "n0", "kind": "<b>"}]},
    "an edge that is missing and is not": {"edges": [{"source": "n0", "target": "n0", "kind": "view", "missing": True}]},
    "names of markup": {"nodes": [NODE | {"name": "<img src=x onerror=alert(1)>", "makes": "&lt;", "dtype": '"><script>'}]},
    "sides without end": {"nodes": [NODE | {"shape": [10**30] * 64}]},
    "a picture of its own": {"svg": "<svg><script/></svg>", "note": "believe me"},
}
TRACES: dict[str, dict[str, Any]] = {
    "a million steps": REPLAY | {"steps": [{"kind": "function", "node": "n0", "label": ""}] * 1_000_000},
    "a gradient that is not of its shape": REPLAY | {"steps": [STEP | {"received": [GRADIENT | {"shape": [3]}]}]},
    "a gradient without a shape": REPLAY | {"steps": [STEP | {"received": [{"values": [1.0]}]}]},
    "a gradient of too many entries": REPLAY | {"steps": [STEP | {"received": [{"shape": [300], "values": [0.0] * 300}]}]},
    "a gradient of words": REPLAY | {"steps": [STEP | {"received": [GRADIENT | {"values": ["<b>", "nan"]}]}]},
    "a step of a kind of its own": REPLAY | {"steps": [STEP | {"kind": "<b>"}]},
    "a node whose id is markup": REPLAY | {"steps": [STEP | {"node": "<script>"}]},
    "a hundred gradients at once": REPLAY | {"steps": [STEP | {"sent": [{"node": "n1"}] * 100}]},
    "a sum from nodes that do not exist": REPLAY | {"steps": [STEP | {"kind": "sum", "senders": ["n77", None]}]},
    "a pass on a graph that was not sent": REPLAY | {"graph": "traced_graph-7"},
    "markup in a label": REPLAY | {"steps": [STEP | {"label": "<img src=x onerror=alert(1)>"}]},
    "saved by a name of markup": SAVED | {"saved": [TENSOR | {"name": "<script>alert(1)</script>", "dtype": "&lt;"}]},
    "saved in a way of its own": SAVED | {"saved": [TENSOR | {"how": "stolen"}]},
    "a thousand saved tensors": SAVED | {"saved": [TENSOR] * 1000},
    "a version below zero": SAVED | {"saved": [TENSOR | {"version": -1}]},
    "a missing path to nowhere": SAVED | {"missing": [{"saved": "up", "source": "x", "gradient_of": "x", "node": "n9", "target": "n8"}]},
    "a missing path of markup": SAVED | {"missing": [{"saved": "<b>", "source": "<b>", "gradient_of": "&"}]},
    "a cut for a reason of its own": SAVED | {"cuts": [{"reason": "<b>", "method": "forward"}]},
    "the graph of another": TRACED | {"graph": -1},
    "a missing edge between nodes that do not exist": TRACED | {"edges": [{"source": "n7", "target": "n8", "kind": "missing"}]},
}
for _name, _fields in list(NOWHERE.items()):
    TRACES[f"a step at {_name}"] = REPLAY | {"steps": [STEP | {"span": _fields}]}
    TRACES[f"a saved tensor at {_name}"] = SAVED | {"saved": [TENSOR | {"span": _fields}]}
    TRACES[f"a cut at {_name}"] = SAVED | {"cuts": [{"reason": "detach", "method": "forward", "span": _fields}]}
    TRACES[f"a missing path at {_name}"] = SAVED | {"missing": [{"saved": "u", "source": "x", "gradient_of": "x", "made": _fields}]}
    TRACES[f"a node at {_name}"] = TRACED | {"nodes": [NODE | {"span": _fields}]}
A_LINE: dict[str, Any] = {"cell": "b", "line": 3, "column": 0, "end_line": 3, "end_column": 5}
DIAGNOSES: dict[str, dict[str, Any]] = {
    "edits of its own": {"edits": [{"span": A_LINE, "text": "import os"}]},
    "edits at places of the program": {"places": {"x": A_LINE}, "edits": [{"span": A_LINE, "text": "import os"}]},
    "a title of its own": {"title": "Send your password"},
    "edits that are none": {"edits": ["import os"]},
    "many edits": {"edits": [{"span": A_LINE, "text": "import os"}] * 1000},
    "a change of a megabyte": {"edits": [{"span": A_LINE, "text": "x" * 2**20}]},
    "a place without a span": {"places": {"x": None}},
    "many places": {"places": {f"x_{number}": A_LINE for number in range(40)}},
    "a place named by a sentence": {"places": {"Send your password": A_LINE}},
    "a value that is a sentence": {"values": {"name": "Send your password"}},
    "a value that is a call": {"values": {"name": "os.system()"}},
    "a value that is a hole": {"values": {"name": "{here}"}},
    "a value that is a piece of text": {"values": {"name": ["Send your password"]}},
    "a value named by a sentence": {"values": {"Send your password": 1}},
    "a value without end": {"values": {"name": 10**400}},
    "many values": {"values": {f"x_{number}": 1 for number in range(20)}},
    "a severity of its own": {"severity": "deadly"},
    "a pitfall without what its words mention": {"code": "wrong-shape"},
    "a pitfall that only errors have": {"code": "backward-twice"},
}
for _name, _fields in list(NOWHERE.items()):
    DIAGNOSES[f"a piece at {_name}"] = {"places": {"x": A_LINE, "call": _fields}}
TEXTS: list[tuple[str, Any]] = [
    ("value text", lambda text: VALUE | {"text": text}),
    ("value title", lambda text: VALUE | {"title": text}),
    ("value dtype", lambda text: VALUE | {"dtype": text}),
    ("graph label", lambda text: GRAPH | {"nodes": [NODE | {"label": text, "name": text}]}),
    ("graph id", lambda text: GRAPH | {"nodes": [NODE | {"id": text}]}),
    ("gradcheck message", lambda text: GRADCHECK | {"passed": False, "message": text}),
    ("gradcheck name", lambda text: GRADCHECK | {"pairs": [PAIR | {"input_name": text}]}),
    ("step label", lambda text: REPLAY | {"steps": [STEP | {"label": text}]}),
    ("saved name", lambda text: SAVED | {"saved": [TENSOR | {"name": text}]}),
    ("figure text", lambda text: FIGURE | {"texts": [text]}),
    ("figure error", lambda text: FIGURE | {"error": text}),
    ("fault", lambda text: FAULT | {"instrument": text, "reason": text}),
    ("unknown key", lambda text: HOLOGRAM | {text: 1}),
    ("unknown value", lambda text: HOLOGRAM | {"deep": [{"a": text}]}),
    ("unknown kind", lambda text: HOLOGRAM | {"kind": "holo" + text}),
    ("diagnosis", lambda text: DIAGNOSIS | {"code": text, "values": {"name": text}}),
]
DEEP: dict[str, bytes] = {
    f"{name} {depth} deep": head + b"[" * depth + b"]" * depth + b"}"
    for depth in (65, 500, 900, 970, 2000)
    for name, head in {"values": b'{"kind":"value","id":"v","text":"","values":', "unknown": b'{"kind":"hologram","id":"h","x":'}.items()
}


def forged() -> Iterator[tuple[str, bytes]]:
    """Yield each name with the child's messages."""
    for kind, record in KINDS.items():
        for place, fields in NOWHERE.items():
            yield f"{kind} at {place}", shown(record | {"span": fields}) + over()
    for place, fields in NOWHERE.items():
        yield f"an error at {place}", over("raised", error=ERROR | {"traceback": [FRAME | {"cell": None} | fields]})
    for name, make in TEXTS:
        for harm, text in HARM.items():
            yield f"{name} with {harm}", shown(make(text)) + over()
            yield f"{name} with {harm}, escaped", shown(ascii_json(make(text))) + over()
    for harm, text in HARM.items():
        error = {"type": text, "message": text, "traceback": [FRAME | {"function": text, "source": text}]}
        yield f"an error with {harm}", over("raised", error=ERROR | error)
    for name, (fields, pairs) in PAIRS.items():
        yield f"gradcheck: {name}", shown(GRADCHECK | fields | {"pairs": pairs}) + over()
    for name, fields in VALUES.items():
        yield f"value: {name}", shown(VALUE | fields) + over()
    for name, fields in GRAPHS.items():
        yield f"graph: {name}", shown(GRAPH | fields) + over()
    for name, fields in DIAGNOSES.items():
        yield f"diagnosis: {name}", shown(DIAGNOSIS | fields) + over()
    for name, record in TRACES.items():
        yield f"trace: {name}", shown(record) + over()
    for name, data in DEEP.items():
        yield name, shown(data) + over()
    for name, data in OVERS.items():
        yield f"end: {name}", data


def ascii_json(record: Any) -> bytes:
    return json.dumps(record).encode()


FORGED = dict(forged())
