"""A backward graph: its nodes and edges, and the DOT, the folds and the pictures that the runner makes of them."""

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec

from app.protocol.records.record import Column, Count, Id, Label, Line, Record, Shape, Span

GRAPH_NODES = 100_000  # more are not even counted
FOLDS = 200

NodeKind = Literal["function", "custom_function", "accumulate_grad", "leaf", "output", "saved", "tensor"]
EdgeKind = Literal["gradient", "saved", "view", "missing"]


class GraphNode(msgspec.Struct, kw_only=True):
    """A node of a graph. `name`: what make_dot was told to call a tensor, or else torchviz's word.

    `makes`: names of those results of a function that have no node. `sequence`: the function's place in the order in which autograd
    recorded the functions, from 0. `saved_role`: whether a saved tensor is an input or an output of its function; None if that is not
    known. In a traced graph, `span`, `line` and `column` are the source that recorded the node, and `order` is 2 if a backward pass
    recorded it.
    """

    id: Id
    kind: NodeKind
    label: Label
    name: Label | None = None
    shape: Shape | None = None
    dtype: Label | None = None
    line: Line | None = None
    column: Column | None = None
    span: Span | None = None
    order: Literal[1, 2] = 1
    sequence: Count | None = None
    saved_role: Literal["input", "output"] | None = None
    makes: Label | None = None


class GraphEdge(msgspec.Struct, kw_only=True):
    """An edge in torchviz's direction, from inputs to outputs. Along one of kind "gradient", gradients flow from `target` to `source`.

    "saved" joins a function and a tensor that it saved, either way; "view" leads from a tensor to a view of it; "missing" marks a path that
    should exist and does not.
    """

    source: Id
    target: Id
    kind: EdgeKind = "gradient"
    missing: bool = False  # derived from `kind`, because the public API has this field

    def __post_init__(self) -> None:
        self.missing = self.kind == "missing"


class GraphFold(msgspec.Struct, kw_only=True):
    """Functions that repeat `times` times, one repetition after another.

    A folded picture draws them as one node, with the id `id`. `nodes`: the ids of all nodes in the fold, repetition by repetition. `svg`:
    the repetition in the middle, with its neighbours.
    """

    id: Id
    label: Label
    times: Count
    nodes: Annotated[list[Id], msgspec.Meta(max_length=GRAPH_NODES)]
    svg: str | None = None


class GraphRecord(Record, tag="graph", kw_only=True):
    """A backward graph. The runner sets `dot`, all pictures, `folds` and `note`, which says why the whole graph is not drawn.

    `svg`: the picture of the whole graph. `folded_svg`: a picture in which each fold is one node.
    """

    dot: str = ""
    nodes: Annotated[list[GraphNode], msgspec.Meta(max_length=GRAPH_NODES)] = []
    edges: Annotated[list[GraphEdge], msgspec.Meta(max_length=4 * GRAPH_NODES)] = []
    svg: str | None = None
    note: Label | None = None
    folded_svg: str | None = None
    folds: Annotated[list[GraphFold], msgspec.Meta(max_length=FOLDS)] = []

    @property
    def introduces(self) -> Iterable[str]:
        return (node.id for node in self.nodes)

    @property
    def spans(self) -> Iterable[Span | None]:
        return (node.span for node in self.nodes)


class TracedGraphRecord(GraphRecord, tag="traced_graph", kw_only=True):
    """A graph as the second run of a program shows it: every saved tensor has a node of its own.

    `graph`: which of the graph records shows the same, counted from 1; 0 for the graph of a backward pass that none of them contains.
    `partial`: the trace ended before the program, so that later nodes have no lines.
    """

    graph: Count
    partial: bool = False
