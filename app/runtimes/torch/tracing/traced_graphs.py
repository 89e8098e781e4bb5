"""The graphs that the second run of a program shows: those of make_dot, and those of passes that no other graph shows.

Runs in the child.
"""

from collections.abc import Callable, Iterable, Mapping
from types import FrameType
from typing import Any

from app.protocol.records.graph import GraphEdge, TracedGraphRecord
from app.protocol.records.replay import ReplayRecord
from app.protocol.records.saved import SavedTensor
from app.runtimes.instruments.tracing.pass_graphs import GRAPH_BYTES
from app.runtimes.recorder import RecordBudget, Recorder
from app.runtimes.torch.instruments.graph_instrument import GraphInstrument
from app.runtimes.torch.instruments.graph_model import TITLE
from app.runtimes.torch.tracing.functions.missing_paths import FoundPath
from app.runtimes.torch.tracing.node_lines import NodeLines
from app.runtimes.torch.tracing.passes.backward_pass import BackwardPass
from app.runtimes.torch.tracing.passes.backward_passes import BackwardPasses
from app.runtimes.torch.tracing.traced_graph import TracedGraph
from app.runtimes.torch.tracing.traced_walk import TracedWalk

GRAPHS = 16  # the most graphs of make_dot that are recorded

MAKE_DOT = GraphInstrument._observe.__code__


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
