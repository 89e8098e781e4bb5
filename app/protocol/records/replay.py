"""One backward pass, step by step: what each node received and what it sent on."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

import msgspec

from app.protocol.number import check_entries
from app.protocol.records.record import Count, Id, Label, Record, Shape, Span

REPLAY_STEPS = 4_000
STEP_GRADIENTS = 64  # the most gradients that one node receives or sends
GRADIENT_ENTRIES = 256

ReplayNote = Literal["nodes", "steps", "entries"]


class Gradient(msgspec.Struct, kw_only=True):
    """A gradient. `values`: its entries, nested as the shape says; None if there are more than `GRADIENT_ENTRIES` or they cannot be read.

    Raises ValueError if the entries do not have that shape.
    """

    shape: Shape | None = None
    dtype: Label | None = None
    values: Any = None

    def __post_init__(self) -> None:
        check_entries(self.values, self.shape, GRADIENT_ENTRIES)


class Sent(msgspec.Struct, kw_only=True):
    """What a node sends along one of its edges: a gradient for the output `output` of the node `node`.

    `node` is None if no edge leads on. `gradient` is None if `backward` returned None.
    """

    node: Id | None = None
    output: Count = 0
    gradient: Gradient | None = None


class ReplayStep(msgspec.Struct, kw_only=True):
    """One step. `kind`: "function" means that a node runs; "sum", that gradients which met at the output `output` of a node are added.

    `received`: for a function, the gradient of each output, or None where none came; for a sum, its terms, each from the node in `senders`.
    `sent`: what the function returned, or the one sum. `grad`: for the node of a leaf, the leaf's `.grad` afterwards. `span`: the line of
    the learner's `backward` that returned or raised. `failed`: whether the node raised the exception that ended the pass.
    """

    kind: Literal["function", "sum"]
    node: Id
    label: Label
    output: Count = 0
    received: Annotated[list[Gradient | None], msgspec.Meta(max_length=STEP_GRADIENTS)] = []
    senders: Annotated[list[Id | None], msgspec.Meta(max_length=STEP_GRADIENTS)] = []
    sent: Annotated[list[Sent], msgspec.Meta(max_length=STEP_GRADIENTS)] = []
    grad: Gradient | None = None
    span: Span | None = None
    failed: bool = False


class ReplayResult(msgspec.Struct, kw_only=True):
    """What `autograd.grad` returned for one input: the tensor's id, and its gradient."""

    tensor: Id
    gradient: Gradient | None = None


class ReplayRecord(Record, tag="replay", kw_only=True):
    """One backward pass. `call`: by which function it was requested. `number`: its number among the program's `of` passes, from 1.

    `graph`: the id of the traced graph that has most nodes of the steps, if one has half of them. `results`: what `autograd.grad` returned.
    `raised`: whether an exception ended the pass. `note`: what is left out. "nodes" means all steps, because the graph has too many nodes;
    "steps", the later steps; "entries", the entries of some gradients. `partial`: whether the trace ended before the program; later passes
    are not counted in `of`.
    """

    call: Literal["backward", "grad"]
    number: Count
    of: Count
    graph: Id | None = None
    steps: Annotated[list[ReplayStep], msgspec.Meta(max_length=REPLAY_STEPS)] = []
    results: Annotated[list[ReplayResult], msgspec.Meta(max_length=STEP_GRADIENTS)] = []
    raised: bool = False
    note: ReplayNote | None = None
    partial: bool = False

    @property
    def spans(self) -> Iterable[Span | None]:
        return (step.span for step in self.steps)

    @property
    def introduces(self) -> Iterable[str]:
        yield from (step.node for step in self.steps)
        yield from (sent.node for step in self.steps for sent in step.sent if sent.node is not None)
        yield from (result.tensor for result in self.results)

    @property
    def references(self) -> Iterable[str]:
        yield from self.refs
        if self.graph is not None:
            yield self.graph
