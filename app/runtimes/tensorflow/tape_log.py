"""The operations and watched tensors that a gradient tape recorded, and the graph of these operations. Runs in the child.

Tensors are identified by the numbers that TensorFlow's tapes use, so no tensor is kept alive.
"""

from typing import Literal, NamedTuple

from app.protocol.records.graph import GraphEdge, GraphNode
from app.protocol.records.record import Span
from app.runtimes.instruments.tracing.pass_graphs import tensor_node

ENTRIES = 5_000  # the most entries of all tapes that exist at a time


class TapeTensor(NamedTuple):
    """A tensor or variable, as a tape knows it. `trains`: whether a tape follows the dtype, which it does not for integers.

    `number`: for a variable, that of its handle.
    """

    number: int
    shape: tuple[int, ...] | None
    dtype: str
    trains: bool = True
    name: str | None = None


class Operation(NamedTuple):
    """One executed operation. `is_custom`: whether it has a learner's gradient function.

    `order`: 2 if a backward pass executed it, else 1.
    """

    number: int
    label: str
    inputs: tuple[TapeTensor, ...]
    outputs: tuple[TapeTensor, ...]
    span: Span | None
    is_custom: bool
    order: Literal[1, 2]


# All operations that were executed while the tape was recording, and the tensors that were given to its `watch`, in order.
TapeLog = list[Operation | TapeTensor]


class TapeGraph:
    """The graph of what a tape recorded for its targets. Edges lead from inputs to outputs, so gradients flow against them.

    Follows the rule of TensorFlow's tapes: an operation is recorded if one of its inputs is watched, or made by a recorded one.
    """

    def __init__(self, log: TapeLog, targets: list[TapeTensor], names: dict[int, str]) -> None:
        self.nodes: list[GraphNode] = []
        self.edges: list[GraphEdge] = []
        self._names = names
        # what is on the tape, by the number of the tensor: the operation that made it, or the tensor itself if it is a leaf
        self._known: dict[int, Operation | TapeTensor] = {}
        for entry in log:
            if isinstance(entry, TapeTensor):
                self._known.setdefault(entry.number, entry)
            elif any(self._is_on_tape(each) for each in entry.inputs):
                self._known.update((output.number, entry) for output in entry.outputs)
        self._draw(targets)

    def _draw(self, targets: list[TapeTensor]) -> None:
        """Add the nodes on which the targets depend, in the order in which they were recorded."""
        reached: dict[int, Operation] = {}
        leaves: dict[int, TapeTensor] = {}
        to_visit = [self._known[each.number] for each in targets if each.number in self._known]
        while to_visit:
            one = to_visit.pop()
            if isinstance(one, TapeTensor):
                leaves[one.number] = one
            elif one.number not in reached:
                reached[one.number] = one
                to_visit += [self._known[each.number] for each in one.inputs if self._is_on_tape(each)]
        self.nodes += [self._node(leaf, "leaf") for _, leaf in sorted(leaves.items())]
        for place, (_, operation) in enumerate(sorted(reached.items())):
            self._add_operation(place, operation)
        for number, target in {each.number: each for each in targets}.items():
            maker = self._known.get(number)
            if isinstance(maker, Operation):
                self.nodes.append(self._node(target, "output"))
                self.edges.append(GraphEdge(source=id_of(maker), target=id_of(target)))

    def _add_operation(self, place: int, operation: Operation) -> None:
        self.nodes.append(
            GraphNode(
                id=id_of(operation),
                kind="custom_function" if operation.is_custom else "function",
                label=operation.label,
                sequence=place,
                span=operation.span,
                order=operation.order,
            )
        )
        makers = [self._known[each.number] for each in operation.inputs if self._is_on_tape(each)]
        self.edges += [GraphEdge(source=id_of(maker), target=id_of(operation)) for maker in makers]

    def _is_on_tape(self, tensor: TapeTensor) -> bool:
        return tensor.trains and tensor.number in self._known

    def _node(self, tensor: TapeTensor, kind: Literal["leaf", "output"]) -> GraphNode:
        name = self._names.get(tensor.number) or tensor.name
        return tensor_node(id_of(tensor), kind, name, tensor.shape, tensor.dtype)


def id_of(one: Operation | TapeTensor) -> str:
    return f"op{one.number}" if isinstance(one, Operation) else f"t{one.number}"
