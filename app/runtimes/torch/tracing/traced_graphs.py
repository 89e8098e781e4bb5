"""The graphs that the second run of a program shows: those of make_dot, and those of passes that no other graph shows. Runs in the child.

They have lines, orders, and a box for every saved tensor.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FrameType
from typing import Any

import torch

from app.protocol.records.graph import GraphEdge, GraphNode, TracedGraphRecord
from app.protocol.records.record import Span
from app.protocol.records.replay import ReplayRecord
from app.protocol.records.saved import SavedTensor
from app.runtimes.instruments.tracing.pass_graphs import GRAPH_BYTES
from app.runtimes.plain_text import LABEL_CHARACTERS, plain
from app.runtimes.recorder import RecordBudget, Recorder
from app.runtimes.torch.identities import IDENTITIES, is_custom
from app.runtimes.torch.instruments.graph_instrument import GraphInstrument
from app.runtimes.torch.instruments.graph_model import TITLE
from app.runtimes.torch.instruments.graph_walk import GraphWalk, role_of
from app.runtimes.torch.tensors import dtype_of, shape_of
from app.runtimes.torch.tracing.functions.missing_paths import FoundPath
from app.runtimes.torch.tracing.functions.stored_tensor import box_id
from app.runtimes.torch.tracing.functions.tensor_search import attribute_values
from app.runtimes.torch.tracing.node_lines import NodeLines
from app.runtimes.torch.tracing.passes.backward_pass import BackwardPass
from app.runtimes.torch.tracing.passes.backward_passes import BackwardPasses
from app.runtimes.torch.tracing.passes.pass_graph import box_of

GRAPHS = 16  # the most graphs of make_dot that are recorded

MAKE_DOT = GraphInstrument._observe.__code__


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


class TracedWalk(GraphWalk):
    """The walk for one call of make_dot. Two functions that saved the same tensor have two boxes.

    What custom Functions saved, on ctx too, is always drawn; what PyTorch's own functions saved only with `show_saved`.
    """

    def _visit(self, function: Any) -> Iterator[Any]:
        is_new = id(function) not in self._seen
        yield from super()._visit(function)
        if is_new and is_custom(function):
            for key, tensor in attribute_values(function):
                self._add_box(function, key, f"ctx.{key}", tensor)

    def _draw_saved(self, function: Any, tensor: torch.Tensor, name: str, index: int | None = None) -> None:
        self._add_box(function, name if index is None else str(index), name, tensor)

    def _add_box(self, function: Any, key: str, name: str, tensor: torch.Tensor) -> None:
        box = box_of(box_id(IDENTITIES.node(function), key), "saved", name or None, shape_of(tensor), dtype_of(tensor))
        box.saved_role = role_of(tensor, function)
        self.model.add_box(box, function, from_function=not is_custom(function))


class TracedGraphs:
    """The first `GRAPHS` graphs of make_dot that have a graph record, and the graphs of passes."""

    def __init__(self, recorder: Recorder, passes: BackwardPasses) -> None:
        self._recorder, self._passes = recorder, passes
        self._graphs: list[TracedGraph] = []

    def in_make_dot(self, _: FrameType) -> Callable[[FrameType, Any, bool], None]:
        """Observe a call of make_dot that begins. Return the function to call when it ends.

        When it ends, the ids of all tensors have been requested, in the order of the first run.
        """
        count = self._recorder.count("graph")
        return lambda frame, *_: self._walk(frame) if self._recorder.count("graph") > count else None

    def _walk(self, frame: FrameType) -> None:
        if len(self._graphs) < GRAPHS:
            model = TracedWalk(frame.f_locals["args"], frame.f_locals["kwargs"]).model
            span = self._recorder.sources.caller_of(frame)
            self._graphs.append(TracedGraph(model.nodes, model.edges, span, self._recorder.count("graph"), TITLE))
        self._passes.look_up_leaves()

    def show(
        self,
        lines: NodeLines,
        replays: Iterable[tuple[BackwardPass, ReplayRecord]],
        saved: Mapping[str, Mapping[str, SavedTensor]],
        paths: list[FoundPath],
        *,
        partial: bool,
    ) -> None:
        """Record the graphs, as many as their budget allows, and set in each replay which graph shows most of it.

        `saved`: what calls of Functions saved, by the id of the call's node and by that of the tensor's box.
        """
        replays, budget = list(replays), RecordBudget(GRAPH_BYTES)
        boxes = {box: tensor for tensors in saved.values() for box, tensor in tensors.items()}
        for one, replay in replays:
            if one.graph is not None and replay.steps and not any(graph.shows(replay) for graph in self._graphs):
                self._graphs.append(TracedGraph(*one.graph.parts(saved), one.span))
        for graph in self._graphs:
            record = graph.record(lines, self._passes, boxes, partial=partial)
            add_missing_edges(record, paths)
            if budget.admit(record):
                self._recorder.show(record, graph.span)
        for _, replay in replays:
            shown = [graph for graph in self._graphs if graph.id and graph.shows(replay)]
            replay.graph = max(shown, key=lambda graph: graph.count_nodes(replay)).id if shown else None


def add_missing_edges(record: TracedGraphRecord, found: list[FoundPath]) -> None:
    """Add an edge for each missing path whose input is in the graph.

    The edge leads to the first node of the double backward that used the saved tensor; or else to the gradient that `backward` returned, or
    to the saved tensor.
    """
    by_place = {(node.span, node.label): node for node in record.nodes if node.order == 2}
    ids = {node.id for node in record.nodes}
    drawn: set[tuple[str, str]] = set()
    for path, used, ends in found:
        path.target = path.target or next((by_place[each].id for each in used if each in by_place), None)
        source = next((each for each in (path.node, f"{path.node}_grad") if each in ids), None)
        target = next((each for each in (path.target, *ends) if each in ids), None)
        if source is not None and target is not None and (source, target) not in drawn:
            drawn.add((source, target))
            record.edges.append(GraphEdge(source=source, target=target, kind="missing"))
