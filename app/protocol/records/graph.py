"""A backward graph: its nodes and edges, and the DOT and the picture that the runner makes of them."""

from typing import Annotated, Literal

import msgspec

from app.protocol.records.record import Column, Display, Label, Line, Shape

GRAPH_NODES = 100_000  # more are not even counted

NodeKind = Literal["function", "custom_function", "accumulate_grad", "leaf", "output", "saved", "tensor"]


class GraphNode(msgspec.Struct, kw_only=True):
    id: Label
    kind: NodeKind
    label: Label
    name: Label | None = None
    shape: Shape | None = None
    dtype: Label | None = None
    line: Line | None = None
    column: Column | None = None
    order: Literal[1, 2] = 1


class GraphEdge(msgspec.Struct, kw_only=True):
    """An edge in torchviz's direction, from inputs to outputs; `missing` marks a path that should exist and does not."""

    source: Label
    target: Label
    missing: bool = False


class GraphDisplay(Display, tag="graph", kw_only=True):
    """`dot`, `svg` and `note` (why there is no picture) are set by the runner only."""

    dot: str = ""
    nodes: Annotated[list[GraphNode], msgspec.Meta(max_length=GRAPH_NODES)] = []
    edges: Annotated[list[GraphEdge], msgspec.Meta(max_length=4 * GRAPH_NODES)] = []
    svg: str | None = None
    note: Label | None = None

    @property
    def name(self) -> str:
        return "graph"
