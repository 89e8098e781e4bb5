"""Records of second runs, written by hand as the API sends them: SinhBad's, and passes with steps of each kind."""

from collections.abc import Sequence
from typing import Any

from app.protocol.records.graph import GraphEdge, GraphNode, GraphRecord, TracedGraphRecord
from app.protocol.records.record import Span
from tests.browser.graph_records import drawn

CELL, CLASS = "sinh-bad-graph", "sinh-bad-class"
RECEIVED = [1.0, 1.0, 1.0]
SENT = [1.1276, 1.5431, 3.7622]


def span(line: int, column: int | None = None, end: int | None = None, cell: str = CELL) -> dict[str, Any]:
    return {"cell": cell, "line": line, "column": column, "end_line": line, "end_column": end}


def gradient(values: Any, *shape: int) -> dict[str, Any]:
    return {"shape": list(shape), "dtype": "torch.float64", "values": values}


def step(node: str, label: str, received: Sequence[Any], sent: dict[str | None, Any], **fields: Any) -> dict[str, Any]:
    targets = [{"node": to, "output": 0, "gradient": value} for to, value in sent.items()]
    common = {"kind": "function", "output": 0, "senders": [], "grad": None, "span": None, "failed": False}
    return {**common, "node": node, "label": label, "received": list(received), "sent": targets, **fields}


def replay(*steps: dict[str, Any], line: int = 5, call: str = "grad", **fields: Any) -> dict[str, Any]:
    common = {"number": 1, "of": 1, "graph": None, "results": [], "raised": False, "note": None, "partial": False}
    return {"kind": "replay", "span": span(line), "call": call, "steps": list(steps), **common, **fields}


def kept(name: str, role: str = "intermediate", how: str = "ctx_attribute", **fields: Any) -> dict[str, Any]:
    common = {"shape": [3], "dtype": "torch.float64", "bytes": 24, "storage": 1, "version": 0, "version_now": 0}
    state = {"retained_after_backward": True, "in_cycle": False, "span": span(7, 8, 29, CLASS)}
    return {"tensor": f"t-{name}", "name": name, "how": how, "role": role, **common, **state, **fields}


def saved(*tensors: dict[str, Any], **fields: Any) -> dict[str, Any]:
    common = {"call": "call1", "node": "n0", "function": "SinhBad", "number": 1, "of": 1, "backward_ran": True, "partial": False}
    totals = {"bytes": 48, "builtin_bytes": 48, "missing": [], "cuts": []}
    return {"kind": "saved", "span": span(4, 6, 22), "saved": list(tensors), **common, **totals, **fields}


def nodes(traced: bool) -> list[GraphNode]:
    made = Span(cell=CELL, line=4, column=6, end_line=4, end_column=22) if traced else None
    return [
        GraphNode(id="t1", kind="output", label="grad_x\n(3)", name="grad_x", shape=[3]),
        GraphNode(id="t2", kind="leaf", label="x\n(3)", name="x", shape=[3]),
        GraphNode(id="n0_0", kind="output", label="out\n(3)", name="out", shape=[3]),
        GraphNode(id="n0", kind="custom_function", label="SinhBadBackward", sequence=0, span=made, line=4 if traced else None),
        GraphNode(id="t2_grad", kind="accumulate_grad", label="AccumulateGrad"),
    ]


EDGES = [GraphEdge(source="t2_grad", target="n0"), GraphEdge(source="t2", target="t2_grad"), GraphEdge(source="n0", target="n0_0")]


def sinh_bad_graph() -> dict[str, Any]:
    """Return what the first run of SinhBad's graph cell shows."""
    return drawn(GraphRecord(nodes=nodes(False), edges=EDGES)) | {"id": "graph-1", "span": span(7)}


def sinh_bad_traced(**fields: Any) -> dict[str, Any]:
    """Return the same graph in the second run: with two more saved tensors, and the missing path."""
    places = (("up", 7, 29), ("down", 8, 32))
    boxes = []
    for name, line, end in places:
        place = Span(cell=CLASS, line=line, column=8, end_line=line, end_column=end)
        boxes.append(GraphNode(id=f"n0-{name}", kind="saved", label=f"ctx.{name}\n(3)", name=f"ctx.{name}", shape=[3], span=place))
    edges = [*EDGES, *(GraphEdge(source=box.id, target="n0", kind="saved") for box in boxes)]
    edges.append(GraphEdge(source="t2", target="t1", kind="missing", missing=True))
    return drawn(TracedGraphRecord(nodes=[*nodes(True), *boxes], edges=edges, graph=1)) | {
        "id": "traced_graph-1",
        "span": span(7),
        **fields,
    }


def sinh_bad_steps() -> list[dict[str, Any]]:
    grad = gradient(SENT, 3)
    return [
        step("n1", "SumBackward0", [gradient(1.0)], {"n0": gradient(RECEIVED, 3)}),
        step("n0", "SinhBadBackward", [gradient(RECEIVED, 3)], {"t2_grad": grad}, span=span(13, 8, 52, CLASS)),
    ]


def sinh_bad_replays() -> list[dict[str, Any]]:
    """Return two passes: the first returns a gradient, the second raises before a node runs."""
    results = [{"tensor": "t2", "gradient": gradient(SENT, 3)}]
    return [
        replay(*sinh_bad_steps(), of=2, graph="traced_graph-1", results=results),
        replay(line=11, number=2, of=2, raised=True),
    ]


def sinh_bad_saved() -> dict[str, Any]:
    up, down = kept("ctx.up"), kept("ctx.down", storage=2, span=span(8, 8, 32, CLASS))
    used = span(13, 30, 47, CLASS)
    path = {"source": "x", "gradient_of": "x", "node": "t2", "target": None, "used": used}
    missing = [{"saved": "ctx.up", "made": span(7, 17, 29, CLASS), **path}, {"saved": "ctx.down", "made": span(8, 19, 32, CLASS), **path}]
    return saved(up, down, missing=missing)


def sinh_bad_trace() -> list[dict[str, Any]]:
    """Return all records that the second run of SinhBad's graph cell has in addition to the first."""
    return [sinh_bad_traced(), *sinh_bad_replays(), sinh_bad_saved()]
