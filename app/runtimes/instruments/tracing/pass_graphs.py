"""The graphs of a program's backward passes, for frameworks whose tensors do not have a graph of their own. Runs in the child."""

from collections.abc import Sequence

from app.protocol.limits import MEBIBYTE
from app.protocol.records.graph import GraphEdge, GraphNode, NodeKind, TracedGraphRecord
from app.protocol.records.record import Span
from app.runtimes.plain_text import LABEL_CHARACTERS, plain
from app.runtimes.recorder import RecordBudget, Recorder

GRAPH_BYTES = 5 * MEBIBYTE // 4  # the most bytes of all traced graphs together
GRAPHS = 16  # the most graphs of a program


class PassGraphs:
    """The first `GRAPHS` graphs that differ from each other, because a training loop repeats the same backward pass.

    `title`: the function of the framework that ran the passes.
    """

    def __init__(self, recorder: Recorder, title: str) -> None:
        self._recorder, self._title = recorder, title
        self._graphs: dict[object, TracedGraphRecord] = {}

    def add(self, nodes: list[GraphNode], edges: list[GraphEdge], span: Span | None) -> None:
        """Add the graph of a pass that the piece of source `span` asked for."""
        if len(self._graphs) < GRAPHS and any(node.kind in ("function", "custom_function") for node in nodes):
            if span is not None:
                add_lines(nodes, span)
            record = TracedGraphRecord(title=self._title, nodes=nodes, edges=edges, graph=0, span=span)
            self._graphs.setdefault(structure_of(record), record)

    def forget(self) -> None:
        """Drop the graphs that were added so far."""
        self._graphs.clear()

    def show(self, *, partial: bool) -> None:
        """Record the graphs, as many as the budget for their bytes allows."""
        budget = RecordBudget(GRAPH_BYTES)
        for record in self._graphs.values():
            record.partial = partial
            if budget.admit(record):
                self._recorder.show(record, record.span)


def add_lines(nodes: Sequence[GraphNode], span: Span) -> None:
    """Set the line and column of each node whose source is in the same cell as the graph's."""
    for node in nodes:
        if node.span is not None and node.span.cell == span.cell:
            node.line, node.column = node.span.line, node.span.column


def structure_of(record: TracedGraphRecord) -> object:
    """Return a value that is equal for two graphs that differ only in the ids of their nodes."""
    places = {node.id: place for place, node in enumerate(record.nodes)}
    nodes = tuple((node.kind, node.label, node.span, node.order) for node in record.nodes)
    return record.span, nodes, tuple((places[edge.source], places[edge.target], edge.kind) for edge in record.edges)


def tensor_node(id_: str, kind: NodeKind, name: str | None, shape: Sequence[int] | None, dtype: str | None) -> GraphNode:
    """Return the node of a tensor. Its label has its name and its shape, as torchviz writes them."""
    words = "" if shape is None else f"({', '.join(map(str, shape))})"
    label = plain(f"{name or ''}\n{words}".strip("\n"), LABEL_CHARACTERS)
    return GraphNode(id=id_, kind=kind, label=label, name=name, shape=None if shape is None else list(shape), dtype=dtype)
