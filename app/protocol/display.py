"""What a run shows besides its output: one typed record for each graph, check or value, placed at the line that made it.

The sandbox child writes these records and the runner completes them (`svg`, `stdout_offset` in characters), so
every field that comes from a child is hostile until it has been decoded into these types.
"""

from typing import Annotated, Any, Literal

import msgspec

from app.protocol.number import Entry, Matrix, Real, check_entries

VALUE_ENTRIES = 1024
JACOBIAN_ENTRIES = 4096
GRAPH_NODES = 100_000  # more are not even counted

Label = Annotated[str, msgspec.Meta(max_length=4096)]
Line = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Column = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Shape = Annotated[list[Annotated[int, msgspec.Meta(ge=0)]], msgspec.Meta(max_length=64)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]

NodeKind = Literal["function", "custom_function", "accumulate_grad", "leaf", "output", "saved", "tensor"]


class Placed(msgspec.Struct, kw_only=True):
    """Where a display belongs: cell, line and title, and how much had been printed before it."""

    cell: Label | None = None
    line: Line | None = None
    title: Label = ""
    stdout_offset: Count = 0  # in characters (a child counts bytes; the runner converts)


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


class GraphDisplay(Placed, tag_field="kind", tag="graph", kw_only=True):
    dot: str = ""
    nodes: Annotated[list[GraphNode], msgspec.Meta(max_length=GRAPH_NODES)] = []
    edges: Annotated[list[GraphEdge], msgspec.Meta(max_length=4 * GRAPH_NODES)] = []
    svg: str | None = None  # set by the runner only
    note: Label | None = None  # why there is no picture, in plain words; set by the runner


class WorstEntry(msgspec.Struct):
    """One of the worst entries of a Jacobian too large to be shown: its place and its two values."""

    row: Count
    column: Count
    numerical: Entry
    analytical: Entry


class JacobianPair(msgspec.Struct, kw_only=True):
    """The two Jacobians of one output by one input, each (input_numel, output_numel), as in torch.autograd.gradcheck."""

    output: Count
    input: Count
    output_name: Label | None = None
    input_name: Label | None = None
    shape: tuple[int, int]
    numerical: Matrix | None = None
    analytical: Matrix | None = None
    worst: Annotated[list[WorstEntry], msgspec.Meta(max_length=20)] | None = None
    max_abs_error: Real | None = None
    max_rel_error: Real | None = None
    failing: Count = 0
    cause: Label | None = None


class GradcheckDisplay(Placed, tag_field="kind", tag="gradcheck", kw_only=True):
    order: Literal[1, 2]
    mode: Literal["reverse", "forward", "fast"]
    passed: bool
    message: Annotated[str, msgspec.Meta(max_length=65_536)] | None = None
    eps: Real
    atol: Real
    rtol: Real
    pairs: Annotated[list[JacobianPair], msgspec.Meta(max_length=256)] = []


class ValueDisplay(Placed, tag_field="kind", tag="value", kw_only=True):
    text: Annotated[str, msgspec.Meta(max_length=65_536)]
    shape: Shape | None = None
    dtype: Label | None = None
    requires_grad: bool | None = None
    grad_fn: Label | None = None
    values: Any = None

    def __post_init__(self) -> None:
        if self.values is not None:
            check_entries(self.values, VALUE_ENTRIES)


Display = GraphDisplay | GradcheckDisplay | ValueDisplay
