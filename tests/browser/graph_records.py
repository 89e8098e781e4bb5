"""Records of graphs as the API sends them, with the pictures that the runner draws, but laid out in this process."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from app.protocol.geometry import Geometry, LayoutRequest
from app.protocol.limits import Limits
from app.protocol.records.graph import GraphEdge, GraphNode, GraphRecord, NodeKind
from app.runner.drawing.layout_workers import Allowance, LayoutWorkers
from app.runner.drawing.pictures import Pictures
from app.sandbox.layout.layout_main import draw


class LayoutHere(LayoutWorkers):
    """Lays graphs out in this process."""

    async def arrange(self, graph: LayoutRequest, allowance: Allowance, share: float = 1.0) -> Geometry:
        geometry = draw(graph)
        assert isinstance(geometry, Geometry)
        return geometry


def drawn(record: GraphRecord, limits: Limits | None = None) -> dict[str, Any]:
    """Return the record as in JSON. It is drawn in another thread, because Playwright's loop runs in this one."""
    with ThreadPoolExecutor(1) as pool:
        work = Pictures(LayoutHere(), limits or Limits(layout_seconds=60), "en").complete(record)
        return dict(msgspec.to_builtins(pool.submit(asyncio.run, work).result()))


def chain(steps: int, line: int | None = None) -> GraphRecord:
    """Return the graph of a number of chained sines of x."""
    nodes = [GraphNode(id="n0", kind="output", label="y\n ()", name="y", shape=[])]
    nodes += [GraphNode(id=f"n{step}", kind="function", label="SinBackward0", line=line) for step in range(1, steps + 1)]
    nodes.append(GraphNode(id=f"n{steps + 1}", kind="accumulate_grad", label="AccumulateGrad"))
    nodes.append(GraphNode(id=f"n{steps + 2}", kind="leaf", label="x\n ()", name="x", shape=[]))
    edges = [GraphEdge(source=f"n{index + 1}", target=f"n{index}") for index in range(steps + 2)]
    return GraphRecord(nodes=nodes, edges=edges)


def recurrent(steps: int) -> GraphRecord:
    """Return the graph of a weight that is used at each step: a product, a tanh, a sum with the last result.

    It has 3 nodes a step, and 2 more.
    """
    nodes = [GraphNode(id="n0", kind="leaf", label="w\n (3, 3)", name="w", shape=[3, 3])]
    nodes.append(GraphNode(id="n1", kind="accumulate_grad", label="AccumulateGrad"))
    edges = [GraphEdge(source="n0", target="n1")]
    before = None
    for step in range(steps):
        product, tanh, add = (f"n{2 + 3 * step + offset}" for offset in range(3))
        for name, label in ((product, "MulBackward0"), (tanh, "TanhBackward0"), (add, "AddBackward0")):
            nodes.append(GraphNode(id=name, kind="function", label=label, line=3, sequence=int(name[1:])))
        edges += [GraphEdge(source="n1", target=product), GraphEdge(source=product, target=tanh), GraphEdge(source=tanh, target=add)]
        edges += [GraphEdge(source=before, target=end) for end in (product, add) if before]
        before = add
    return GraphRecord(nodes=nodes, edges=edges)


def sinh() -> GraphRecord:
    """Return the gradient of a Function that saves two of its three outputs, as the course draws it: 14 nodes, the gradient first."""
    kinds: dict[str, NodeKind] = {"grad_x": "output", "SinhBackward": "custom_function", "AccumulateGrad": "accumulate_grad"}
    labels = ["grad_x", "SubBackward0", "AddBackward0", "DivBackward0", "MulBackward0", "AddBackward0", "SinhBackward", "AccumulateGrad"]
    nodes = [GraphNode(id=f"n{index}", kind=kinds.get(label, "function"), label=label) for index, label in enumerate(labels)]
    nodes += [GraphNode(id=f"n{index}", kind="function", label="MulBackward0") for index in (8, 9)]
    nodes += [GraphNode(id=f"n{index}", kind="saved", label="\n (3)", shape=[3], saved_role="output") for index in (10, 11)]
    nodes += [GraphNode(id="n12", kind="leaf", label="x\n (3)", name="x")]
    nodes += [GraphNode(id="n13", kind="output", label="out\n (3)", name="out")]
    ends = [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (6, 5), (6, 8), (8, 2), (6, 9), (9, 1), (7, 6), (12, 7), (6, 13)]
    edges = [GraphEdge(source=f"n{source}", target=f"n{target}") for source, target in ends]
    edges += [GraphEdge(source=f"n{index}", target="n6", kind="saved") for index in (10, 11)]
    return GraphRecord(nodes=nodes, edges=edges)
