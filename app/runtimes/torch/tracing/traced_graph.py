"""The graph of a call of make_dot as the second run shows it: with lines, orders, a box for every saved tensor, and missing paths. Runs
in the child.
"""

from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any

import torch
import torchviz.dot

from app.protocol.records.graph import GraphEdge, GraphNode, TracedGraphRecord
from app.protocol.records.record import Span
from app.protocol.records.saved import SavedTensor
from app.runtimes.plain_text import LABEL_CHARACTERS, plain
from app.runtimes.positions import Sources
from app.runtimes.torch.identities import IDENTITIES, is_custom
from app.runtimes.torch.instruments.graph_model import tidy
from app.runtimes.torch.instruments.graph_walk import GraphWalk
from app.runtimes.torch.instruments.saved_role import role_of
from app.runtimes.torch.tensors import dtype_of, is_tensor, shape_of
from app.runtimes.torch.tracing.backward_passes import BackwardPasses
from app.runtimes.torch.tracing.function_calls import attribute_values, box_id
from app.runtimes.torch.tracing.missing_paths import FoundPath
from app.runtimes.torch.tracing.node_lines import NodeLines

GRAPHS = 16  # that are recorded

MAKE_DOT = getattr(torchviz.dot.make_dot, "__wrapped__", torchviz.dot.make_dot).__code__


class TracedWalk(GraphWalk):
    """The walk of torchviz, but each saved tensor is a box of its own, also where several functions saved the same one."""

    def _visit(self, function: Any) -> Iterator[Any]:
        is_new = id(function) not in self._seen
        yield from super()._visit(function)
        if is_new and is_custom(function):
            for key, tensor in attribute_values(function):
                self._add_box(function, key, f"ctx.{key}", tensor)

    def _draw_saved_by_custom(self, function: Any, index: int, tensor: torch.Tensor) -> None:
        self._add_box(function, str(index), "", tensor)

    def _draw_saved(self, function: Any, tensor: Any, name: str) -> None:
        if is_tensor(tensor):
            self._add_box(function, name, name, tensor)

    def _add_box(self, function: Any, key: str, name: str, tensor: torch.Tensor) -> None:
        shape = shape_of(tensor)
        label = f"{name}\n ({', '.join(str(length) for length in shape or ())})"
        box = GraphNode(id=box_id(IDENTITIES.node(function), key), kind="saved", label=tidy(label))
        box.name, box.shape, box.dtype, box.saved_role = name or None, shape, dtype_of(tensor), role_of(tensor, function)
        self.model.add_box(box, function, from_function=not is_custom(function))


class TracedGraph:
    """One call of make_dot. `span`: of the call."""

    def __init__(self, frame: FrameType, span: Span | None) -> None:
        variables = frame.f_locals
        self.span = span
        self._walk = TracedWalk((), {name: variables.get(name) for name in ("var", "params", "show_attrs", "show_saved", "max_attr_chars")})
        self._numbers = {node.id: node.sequence for node in self._walk.model.nodes}

    def record(self, number: int, lines: NodeLines, passes: BackwardPasses, saved: Mapping[str, SavedTensor]) -> TracedGraphRecord:
        """`number`: of the graph among the program's, from 1. `saved`: what calls of Functions saved, by `box_id`."""
        record = self._walk.model.record()
        for node in record.nodes:
            sequence = self._numbers[node.id]
            span = lines.span_of(sequence)
            node.span = span
            if span is not None and self.span is not None and span.cell == self.span.cell:
                node.line, node.column = span.line, span.column
            if sequence is not None and passes.is_second_order(sequence):
                node.order = 2
            if (tensor := saved.get(node.id)) is not None:
                node.saved_role = tensor.role if tensor.role in ("input", "output") else None
                node.name, node.span = tensor.name, tensor.span
                node.label = plain(f"{tensor.name}\n{node.label.rpartition(chr(10))[2]}", LABEL_CHARACTERS)
        return TracedGraphRecord(title=record.title, nodes=record.nodes, edges=record.edges, graph=number)


class TracedGraphs:
    """The first `GRAPHS` graphs of a program."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self.graphs: list[TracedGraph] = []

    def forget(self) -> None:
        """What follows is to be seen; the graphs until now are not."""
        self.graphs.clear()

    def in_make_dot(self, _: FrameType) -> Callable[[FrameType, Any, bool], None]:
        """torchviz.make_dot begins. Return what to call as its frame ends: then it has read what our walk reads."""
        return self._record

    def _record(self, frame: FrameType, _: Any, __: bool) -> None:
        if len(self.graphs) < GRAPHS:
            self.graphs.append(TracedGraph(frame, self._sources.caller_of(frame)))


def add_missing_edges(record: TracedGraphRecord, found: list[FoundPath]) -> None:
    """Add an edge for each missing path whose input is in the graph.

    It leads to the first node of the double backward that used the saved tensor, else to the gradient that `backward` returned, else to
    the saved tensor.
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
