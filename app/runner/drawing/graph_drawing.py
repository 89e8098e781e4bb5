"""A graph record prepared for drawing: without double nodes and dangling edges, which a hostile child may send."""

from collections import Counter
from collections.abc import Collection
from typing import get_args

from app.locale.messages import Translate
from app.protocol.geometry import LayoutLink, LayoutRequest, Point
from app.protocol.records.graph import EdgeKind, GraphEdge, GraphNode, GraphRecord
from app.runner.drawing.label import Label, parse_label

SAVERS = ("function", "custom_function")
FUNCTIONS = (*SAVERS, "accumulate_grad")
NAME_STEP = 16.0  # line heights, in points
SUB_STEP = 15.0
NARROWEST = 56.0
STACK = 6.0  # how far the sheets of a fold stand out behind one another, in points
_KINDS: tuple[EdgeKind, ...] = get_args(EdgeKind)  # edges of one kind may share a trunk


class Drawing:
    """A graph prepared for its layout: each node once and in order, with a measured label, and only the edges between these nodes.

    `folds`: the ids of nodes that stand for many. `inside`: the ids of the nodes that the picture shows; the others are only neighbours. If
    it is None, the picture shows all nodes.
    """

    def __init__(
        self,
        record: GraphRecord,
        translate: Translate = str,
        folds: Collection[str] = (),
        inside: Collection[str] | None = None,
    ) -> None:
        self.nodes = list({node.id: node for node in record.nodes}.values())
        self.labels = [parse_label(node, describe_role(node, translate), translate) for node in self.nodes]
        self.folds = frozenset(folds)
        self.outside = frozenset() if inside is None else frozenset(node.id for node in self.nodes).difference(inside)
        self._index = {node.id: index for index, node in enumerate(self.nodes)}
        self.edges = [edge for edge in record.edges if edge.source in self._index and edge.target in self._index]
        self._degrees = Counter(end for edge in self.edges for end in (edge.source, edge.target))

    def request(self) -> LayoutRequest:
        """Return the request to the layout process. In its answer, centres are in the order of `nodes`, and curves in that of `edges`.

        The links of the edges come first. Links that are not drawn follow; they put isolated outputs into the row of the other outputs.
        """
        boxes = [measure_box(node.kind, label, node.id in self.folds) for node, label in zip(self.nodes, self.labels, strict=True)]
        edges = [self.link(edge) for edge in self.edges]
        return LayoutRequest(nodes=boxes, links=edges + self.anchors())

    def link(self, edge: GraphEdge) -> LayoutLink:
        """Return the link of an edge. A saved tensor that has no other edge is put beside its function.

        A saved tensor that has other edges is put above its function, or below it if the tensor is an output.
        """
        tail, head, kind = self._index[edge.source], self._index[edge.target], _KINDS.index(edge.kind)
        if edge.kind != "saved":
            return LayoutLink(tail, head, kind=kind)
        function, tensor = (tail, head) if self.nodes[tail].kind in FUNCTIONS else (head, tail)
        if self._degrees[self.nodes[tensor].id] == 1:
            return LayoutLink(function, tensor, "beside")
        ends = (function, tensor) if self.nodes[tensor].kind == "output" else (tensor, function)
        return LayoutLink(*ends, kind=kind)

    def anchors(self) -> list[LayoutLink]:
        ends = [edge.source for edge in self.edges if self.nodes[self._index[edge.target]].kind == "output" and edge.kind != "missing"]
        return [LayoutLink(self._index[ends[0]], self._index[lone], "ghost") for lone in sorted(self.isolated())] if ends else []

    def isolated(self) -> set[str]:
        """Return the ids of the outputs that no gradient path reaches."""
        reached = {edge.target for edge in self.edges if edge.kind != "missing"}
        return {node.id for node in self.nodes if node.kind == "output" and node.id not in reached}


def describe_role(node: GraphNode, translate: Translate) -> str:
    """Return a few words on what a node is for; empty if nothing is known.

    For a saved tensor they say whether it is its function's input or output. For a function they name the results that have no node.
    """
    if node.makes:
        return f"{translate('output')} {node.makes}"
    if node.saved_role is None:
        return ""
    return translate("output") if node.saved_role == "output" else translate("input")


def measure_box(kind: str, label: Label, is_fold: bool = False) -> Point:
    """Return the width and height of a node's shape, in points: room for the lines of its label, and for rounded ends."""
    text = (NAME_STEP if label.name else 0.0) + SUB_STEP * len(label.subs)
    padding = 18.0 if kind in FUNCTIONS else 14.0
    stack = STACK if is_fold else 0.0
    return max(label.width + 2 * padding, NARROWEST) + stack, text + 14.0 + stack
