"""A graph made drawable: what a hostile or clumsy graph display comes down to before it is laid out and rendered."""

from app.protocol.display import GraphDisplay, GraphEdge
from app.protocol.geometry import LayoutRequest, Link, Point
from app.runner.label import Label, parse_label

FUNCTIONS = ("function", "custom_function", "accumulate_grad")
NAME_STEP = 16.0  # line heights, in points
SUB_STEP = 15.0
NARROWEST = 56.0


class Drawing:
    """Each node once and in order, every label measured, and only the edges that join two nodes."""

    def __init__(self, display: GraphDisplay) -> None:
        self.nodes = list({node.id: node for node in display.nodes}.values())
        self.labels = [parse_label(node) for node in self.nodes]
        self._index = {node.id: index for index, node in enumerate(self.nodes)}
        self.edges = [edge for edge in display.edges if edge.source in self._index and edge.target in self._index]

    def request(self) -> LayoutRequest:
        """What the layout process is asked; a `Geometry` that answers it follows the order of `nodes` and `edges`."""
        boxes = [measure_box(node.kind, label) for node, label in zip(self.nodes, self.labels, strict=True)]
        return LayoutRequest(nodes=boxes, links=[self.link(edge) for edge in self.edges])

    def link(self, edge: GraphEdge) -> Link:
        return Link(self._index[edge.source], self._index[edge.target], self.saves(edge))

    def saves(self, edge: GraphEdge) -> bool:
        """Whether the edge joins a function and a tensor that it saved, which may be a leaf; torchviz draws it either way round."""
        source, target = (self.nodes[self._index[end]].kind for end in (edge.source, edge.target))
        return "saved" in (source, target) or (source in FUNCTIONS and target == "leaf")

    def isolated(self) -> set[str]:
        """The ids of the outputs that no gradient path reaches."""
        reached = {edge.target for edge in self.edges if not edge.missing}
        return {node.id for node in self.nodes if node.kind == "output" and node.id not in reached}


def measure_box(kind: str, label: Label) -> Point:
    """Width and height of a node's shape: room for its lines, and more at the ends of a pill."""
    text = (NAME_STEP if label.name else 0.0) + SUB_STEP * len(label.subs)
    padding = 18.0 if kind in FUNCTIONS else 14.0
    return max(label.width + 2 * padding, NARROWEST), text + 14.0
