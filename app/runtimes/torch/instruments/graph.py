"""From the DOT that torchviz wrote, and the objects it drew, to the record of one graph. Runs in the child.

The DOT is the truth about what is drawn; the objects tell what kind of thing each node is, and its shape and dtype.
Memory addresses, which torchviz takes for ids, become n0, n1 … in the order in which they are first mentioned, so
that the same program gives the same ids.
"""

import re
from collections.abc import Mapping
from typing import Any

import torch

from app.protocol.records.graph import GraphDisplay, GraphEdge, GraphNode, NodeKind
from app.runtimes.plain_text import LABEL_CHARACTERS, plain, type_name
from app.runtimes.torch.instruments.dot import DotGraph, DotNode, parse_dot
from app.runtimes.torch.tensors import dtype_of, is_tensor, shape_of

NODES = 20_001  # one more than any limit allows: enough for the runner to refuse the picture
DOT_CHARACTERS = 2_000_000
TITLE = "make_dot"

# torchviz's colours, the one that decides first: a leaf stays a leaf when it is drawn again as saved.
_COLOURS: tuple[tuple[str, NodeKind], ...] = (
    ("lightblue", "leaf"),
    ("darkolivegreen1", "output"),
    ("darkolivegreen3", "tensor"),
    ("orange", "saved"),
)
_ADDRESS = re.compile(r"\d{6,}")
_SHAPE_LINE = re.compile(r"\(((?:\d+(?:, )?)*)\)")

Objects = Mapping[str, Any]  # node id in the DOT → the object drawn


def graph_display(dot: str, objects: Objects, title: str = TITLE) -> GraphDisplay:
    """The display of a graph in DOT; raises DotError when it is not DOT."""
    graph = parse_dot(dot)
    ids = {name: f"n{number}" for number, name in enumerate(graph.nodes)}
    nodes = [_node(node, ids[node.name], objects) for node in list(graph.nodes.values())[:NODES]]
    edges = [GraphEdge(source=ids[edge.source], target=ids[edge.target]) for edge in graph.edges[: 10 * NODES]]
    return GraphDisplay(title=title, dot=stable_dot(dot, graph, ids), nodes=nodes, edges=edges)


def stable_dot(dot: str, graph: DotGraph, ids: Mapping[str, str]) -> str:
    """The DOT with the stable id in place of each memory address that names a node."""
    parts, position = [], 0
    for start, end, name in graph.mentions:
        if _ADDRESS.fullmatch(name):
            parts += [dot[position:start], ids[name]]
            position = end
    return plain("".join([*parts, dot[position:]]), DOT_CHARACTERS)


def _node(node: DotNode, stable_id: str, objects: Objects) -> GraphNode:
    drawn = objects.get(node.name)
    kind = _kind(node, drawn)
    lines = node.label(stable_id if _ADDRESS.fullmatch(node.name) else node.name).split("\n")
    is_function = kind in ("function", "custom_function", "accumulate_grad")
    record = GraphNode(id=stable_id, kind=kind, label=plain(_tidy(lines, is_function), LABEL_CHARACTERS))
    if is_function:
        return record
    if len(lines) > 1 and lines[0]:  # torchviz writes "name\n (3, 3)", or "\n (3, 3)" without a name
        record.name = plain(lines[0], LABEL_CHARACTERS)
    if drawn is not None and is_tensor(drawn):
        record.shape, record.dtype = shape_of(drawn), dtype_of(drawn)
    elif drawn is None and (match := _SHAPE_LINE.fullmatch(lines[-1].strip())):
        record.shape = [int(length) for length in match[1].split(", ") if len(length) < 16]
    return record


def _tidy(lines: list[str], keep_columns: bool) -> str:
    """Lines without empty ends; a function's attributes keep their columns."""
    tidy = [line.rstrip() if keep_columns else line.strip() for line in lines]
    return "\n".join(tidy).strip("\n")


def _kind(node: DotNode, drawn: Any) -> NodeKind:
    if issubclass(type(drawn), torch._C._FunctionBase):
        return "custom_function"
    if type_name(drawn) == "AccumulateGrad":
        return "accumulate_grad"
    if not node.colours:
        return "accumulate_grad" if node.attributes.get("label") == "AccumulateGrad" else "function"
    for colour, kind in _COLOURS:
        if colour in node.colours:
            return kind
    return "function"
