"""The nodes and edges of one backward graph, and torchviz's DOT of them. Runs in the child.

In the DOT, nodes are named n0, n1 … in the order of their first mention, where torchviz writes memory addresses. In the record they have
their ids (app.runtimes.torch.identities).
"""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

import graphviz
import torch
from torchviz.dot import resize_graph

from app.protocol.records.graph import EdgeKind, GraphEdge, GraphNode, GraphRecord, NodeKind
from app.runtimes.plain_text import LABEL_CHARACTERS, plain, type_name
from app.runtimes.torch.identities import IDENTITIES, is_custom
from app.runtimes.torch.tensors import dtype_of, is_tensor, shape_of

TITLE = "make_dot"
NODES = 20_001  # one more than any limit allows, so that the runner refuses the picture
EDGES = 10 * NODES
DOT_CHARACTERS = 2_000_000

# torchviz's colours. A node that is drawn as several kinds is of the last one here: a saved leaf is a leaf.
COLOURS: dict[NodeKind, str] = {"saved": "orange", "tensor": "darkolivegreen3", "output": "darkolivegreen1", "leaf": "lightblue"}
STYLES: dict[EdgeKind, dict[str, str]] = {"gradient": {}, "saved": {"dir": "none"}, "view": {"style": "dotted"}}  # as torchviz has them
_RANKS = ("function", *COLOURS)
_NODE = {"style": "filled", "shape": "box", "align": "left", "fontsize": "10", "ranksep": "0.1", "height": "0.2", "fontname": "monospace"}
_ADDRESS = re.compile(r"\b\d{6,}\b")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class GraphModel:
    """A graph to which nodes and edges are added in torchviz's order. Adding a node again changes its label and may change its kind."""

    def __init__(self) -> None:
        self.nodes: list[GraphNode] = []
        self.edges: list[GraphEdge] = []
        self._digraph = graphviz.Digraph(node_attr=_NODE, graph_attr={"size": "12,12"})
        self._drawn: dict[
            int, tuple[GraphNode, str, Any]
        ] = {}  # node, name in the DOT, and the object: while it lives, its address is unique
        self._copies: Counter[str] = Counter()  # how often each id is drawn: a saved tensor is another object with the same id

    @property
    def is_full(self) -> bool:
        return len(self.nodes) >= NODES or len(self.edges) >= EDGES

    @property
    def dot(self) -> str:
        resize_graph(self._digraph)
        return plain(self._digraph.source, DOT_CHARACTERS)

    def record(self, title: str = TITLE) -> GraphRecord:
        """Return the graph as a record. Functions are numbered from 0 in the order in which autograd recorded them."""
        recorded = sorted({node.sequence for node in self.nodes if node.sequence is not None})
        places = {number: place for place, number in enumerate(recorded)}
        for node in self.nodes:
            node.sequence = places.get(node.sequence) if node.sequence is not None else None
            node.saved_role = node.saved_role if node.kind == "saved" else None
        return GraphRecord(title=title, nodes=self.nodes, edges=self.edges)

    def add_function(self, function: Any, label: str, sequence: int | None = None) -> None:
        node, name = self._node(function)
        node.sequence = sequence
        self._digraph.node(name, label)
        node.kind, node.label = function_kind(function), tidy(read_label(label, name), keeps_columns=True)

    def add_tensor(
        self, tensor: torch.Tensor, kind: NodeKind, torchviz_name: str, name: str | None, role: Literal["input", "output"] | None
    ) -> None:
        """Add a tensor. `name` is the program's name for it, if torchviz writes another one, such as "self" for a saved tensor.

        `role` says whether a saved tensor is its function's input or output. The record omits this if the tensor is also a leaf or output.
        """
        (node, dot_name), label = self._node(tensor), f"{torchviz_name}\n ({', '.join(str(length) for length in shape_of(tensor) or ())})"
        self._digraph.node(dot_name, label, fillcolor=COLOURS[kind])
        text = read_label(label, dot_name)
        first, *_ = read_label(name or label, dot_name).split("\n")
        node.label, node.name = tidy(text), plain(first, LABEL_CHARACTERS) or None
        node.kind = max(node.kind, kind, key=_RANKS.index)
        node.shape, node.dtype, node.saved_role = shape_of(tensor), dtype_of(tensor), role or node.saved_role

    def add_results(self, results: Iterable[tuple[Any, str]]) -> None:
        """For each named tensor that has no node of its own, add the name to the function that computed the tensor."""
        names = {node.name for node in self.nodes}
        for function, name in results:
            if id(function) in self._drawn and name not in names:
                node, *_ = self._drawn[id(function)]
                node.makes = plain(f"{node.makes}, {name}" if node.makes else name, LABEL_CHARACTERS)

    def add_edge(self, source: Any, target: Any, kind: EdgeKind = "gradient") -> None:
        (tail, tail_name), (head, head_name) = self._node(source), self._node(target)
        self._digraph.edge(tail_name, head_name, **STYLES[kind])
        self.edges.append(GraphEdge(source=tail.id, target=head.id, kind=kind))

    def add_box(self, box: GraphNode, function: Any, *, from_function: bool) -> None:
        """Add a saved tensor as a node of its own, which no other function shares."""
        node, _ = self._node(function)
        self.nodes.append(box)
        ends = (node.id, box.id) if from_function else (box.id, node.id)
        self.edges.append(GraphEdge(source=ends[0], target=ends[1], kind="saved"))

    def _node(self, item: Any) -> tuple[GraphNode, str]:
        """Return the item's node, and its name in the DOT. Adds the node if it is new."""
        if id(item) not in self._drawn:
            name, item_id = f"n{len(self.nodes)}", IDENTITIES.tensor(item) if is_tensor(item) else IDENTITIES.node(item)
            self._copies[item_id] += 1
            if self._copies[item_id] > 1:
                item_id = f"{item_id}-{self._copies[item_id]}"
            self.nodes.append(GraphNode(id=item_id, kind="function", label=""))
            self._drawn[id(item)] = self.nodes[-1], name, item
        node, name, _ = self._drawn[id(item)]
        return node, name


def function_kind(function: Any) -> NodeKind:
    if is_custom(function):
        return "custom_function"
    return "accumulate_grad" if type_name(function) == "AccumulateGrad" else "function"


def read_label(label: str, name: str) -> str:
    r"""Return a label's text as Graphviz draws it, with line breaks; `\N` stands for the node's name."""
    meanings = {"n": "\n", "l": "\n", "r": "\n", "N": name}
    return _ESCAPE.sub(lambda match: meanings.get(match[1], match[1]), label)


def tidy(text: str, keeps_columns: bool = False) -> str:
    """Return the text without blanks at the ends of lines and empty lines at its ends.

    Blanks at the beginnings of lines are removed too, unless `keeps_columns`: a function's attributes are in columns.
    """
    lines = [line.rstrip() if keeps_columns else line.strip() for line in text.split("\n")]
    return plain("\n".join(lines).strip("\n"), LABEL_CHARACTERS)


def is_address(name: str) -> bool:
    return _ADDRESS.fullmatch(name) is not None


def stable_dot(dot: str, names: Iterable[str]) -> str:
    """Return the DOT with memory addresses replaced by n0, n1 …; `names` are the nodes' names in the order of their first mention."""
    ids = {name: f"n{number}" for number, name in enumerate(dict.fromkeys(names))}
    return plain(_ADDRESS.sub(lambda match: ids.get(match[0], match[0]), dot), DOT_CHARACTERS)
