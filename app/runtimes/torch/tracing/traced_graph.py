"""A graph as the second run of a program shows it: with lines, orders, and a box for every saved tensor. Runs in the child."""

from collections.abc import Mapping

from app.protocol.records.graph import GraphEdge, GraphNode, TracedGraphRecord
from app.protocol.records.record import Span
from app.protocol.records.replay import ReplayRecord
from app.protocol.records.saved import SavedTensor
from app.runtimes.plain_text import LABEL_CHARACTERS, plain
from app.runtimes.torch.tracing.node_lines import NodeLines
from app.runtimes.torch.tracing.passes.backward_passes import BackwardPasses


class TracedGraph:
    """A graph. `number`: that of the graph record that shows the same, 0 if there is none.

    `span`: the call that drew it, or began the pass.

    The functions' `sequence` is autograd's own number; in the record it is counted from 0.
    """

    def __init__(self, nodes: list[GraphNode], edges: list[GraphEdge], span: Span | None, number: int = 0, title: str = "") -> None:
        self.span = span
        self._record = TracedGraphRecord(title=title, nodes=nodes, edges=edges, graph=number)
        self._ids = {node.id for node in nodes}
        self._numbers = {node.id: node.sequence for node in nodes if node.sequence is not None}
        places = {number: place for place, number in enumerate(sorted(set(self._numbers.values())))}
        for node in nodes:
            node.sequence = None if node.sequence is None else places[node.sequence]

    @property
    def id(self) -> str:
        """The id of its record; empty until that has been shown."""
        return self._record.id

    def count_nodes(self, replay: ReplayRecord) -> int:
        """Return how many functions of the pass are in the graph."""
        return len(self._ids & functions_of(replay))

    def shows(self, replay: ReplayRecord) -> bool:
        """Return whether at least half of the pass's functions are in the graph; False if it has none.

        A program that draws an output often calls backward on a loss of that output, which has a few nodes more.
        """
        return bool(replay.steps) and 2 * self.count_nodes(replay) >= len(functions_of(replay))

    def record(self, lines: NodeLines, passes: BackwardPasses, saved: Mapping[str, SavedTensor], *, partial: bool) -> TracedGraphRecord:
        """Return the record. `saved`: the tensors that calls of Functions saved, by the id of the box that shows each."""
        for node in self._record.nodes:
            number = self._numbers.get(node.id)
            node.span = lines.span_of(number)
            if node.span is not None and self.span is not None and node.span.cell == self.span.cell:
                node.line, node.column = node.span.line, node.span.column
            node.order = 2 if passes.is_second_order(number) else 1
            if (tensor := saved.get(node.id)) is not None:
                node.saved_role = tensor.role if tensor.role in ("input", "output") else None
                node.name, node.span = tensor.name, tensor.span
                node.label = plain(f"{tensor.name}\n{node.label.rpartition(chr(10))[2]}", LABEL_CHARACTERS)
        self._record.partial = partial
        return self._record


def functions_of(replay: ReplayRecord) -> set[str]:
    """Return the ids of a pass's nodes. Leaves, which other passes may share, are left out unless the pass has only leaves."""
    functions = {step.node for step in replay.steps if step.label != "AccumulateGrad"}
    return functions or {step.node for step in replay.steps}
