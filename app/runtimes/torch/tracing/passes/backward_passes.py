"""The backward passes of a program. Runs in the child.

A pass begins and ends with a call of torch.autograd.graph._engine_run_backward, whose frame the trace function sees.
"""

import weakref
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any

import torch
from torch.autograd.graph import _engine_run_backward

from app.protocol.records.record import Span
from app.protocol.records.replay import ReplayRecord
from app.runtimes.positions import Sources
from app.runtimes.torch.identities import sequence_of
from app.runtimes.torch.tensors import is_tensor, read_field
from app.runtimes.torch.tracing.passes.backward_pass import BackwardPass
from app.runtimes.torch.tracing.variable_names import variable_names

FIRST_PASSES = 3  # so many passes are shown, and in addition the last one

ENGINE = _engine_run_backward.__code__
_CHECKING = torch.autograd.gradcheck.__code__.co_filename
_count_nodes = torch._C._autograd._get_sequence_nr


class BackwardPasses:
    """The passes of a program, except those of gradcheck and those within another pass."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._current: BackwardPass | None = None
        self._shown: list[BackwardPass] = []
        self._second_order: list[tuple[int, int]] = []  # numbers of the nodes that passes with create_graph recorded
        self._count = 0
        self._accumulation = Accumulation()
        self.adding: list[Span] = []  # where a pass is called that adds to the gradients of an earlier step
        self.has_second_order = False  # whether a pass goes through what a pass with create_graph recorded
        self.faults: list[Exception] = []

    def forget(self) -> None:
        """Show none of the passes until now."""
        self._shown.clear()
        self._count = 0

    def begin(self, frame: FrameType) -> Callable[[FrameType, Any, bool], None] | None:
        """Observe a call of the engine that begins.

        Return the function to call when its frame ends; None if the pass is not to be shown.
        """
        if self._current is not None or is_of_gradcheck(frame):
            return None
        options = (*frame.f_locals["args"], None, None, None, None)
        grads, creates_graph, inputs = options[0], options[2], options[3]
        accumulates = bool(frame.f_locals["kwargs"].get("accumulate_grad"))
        current = BackwardPass("backward" if accumulates else "grad", self._sources.caller_of(frame), tuple(inputs or ()))
        started = _count_nodes()
        self._current = current
        outputs = tuple(frame.f_locals["t_outputs"])
        current.begin(list(roots_of(outputs, grads)), outputs, variable_names(self._sources, frame))
        self.has_second_order |= any(self.is_second_order(sequence_of(node)) for node in current.nodes)
        leaves = list(leaves_of(current.nodes)) if accumulates else []
        if current.span is not None and any(map(self._accumulation.is_left, leaves)):
            self.adding.append(current.span)

        def end(_: FrameType, results: Any, raised: bool) -> None:
            current.raised = raised
            self._accumulation.fill(leaves)
            self._end(current, results)
            if creates_graph:
                self._second_order.append((started, _count_nodes()))

        return end

    def _end(self, current: BackwardPass, results: Any) -> None:
        self._current = None
        current.end(results)
        if current.fault is not None and not isinstance(current.fault, RecursionError | MemoryError):
            self.faults.append(current.fault)
        self._count += 1
        current.number = self._count
        if len(self._shown) > FIRST_PASSES:
            self._shown.pop()
        self._shown.append(current)

    def returned_from(self, frame: FrameType) -> None:
        """Record that a `backward` of the learner's has returned or raised."""
        if self._current is not None:
            self._current.returned_from(frame.f_code, frame.f_lasti)

    def is_second_order(self, number: int | None) -> bool:
        """Return whether a backward pass recorded the node of this number."""
        return number is not None and any(start <= number < end for start, end in self._second_order)

    def look_up_leaves(self) -> None:
        """Look up the ids that other records have given to the leaves."""
        for each in self._shown:
            each.look_up_leaves()

    def records(self) -> Iterator[tuple[BackwardPass, ReplayRecord]]:
        """Yield the first passes and the last, in order, each with its record."""
        for each in self._shown:
            yield each, each.record(self._sources, self._count)


def roots_of(outputs: Any, grads: Any) -> Iterator[tuple[Any, int, Any]]:
    """Yield the nodes at which a pass begins, each with the number of its output and the gradient of that output.

    A leaf has no such node.
    """
    for output, grad in zip(outputs, grads, strict=False):
        if is_tensor(output):
            node, number = read_field(output, "grad_fn"), read_field(output, "output_nr")
        else:
            node, number = output.node, output.output_nr
        if node is not None:
            yield node, number, grad


def leaves_of(nodes: Iterable[Any]) -> Iterator[torch.Tensor]:
    """Yield the leaves in whose `.grad` a pass adds up gradients."""
    for node in nodes:
        if sequence_of(node) is None and is_tensor(variable := getattr(node, "variable", None)):
            yield variable


def is_of_gradcheck(frame: FrameType | None) -> bool:
    """Return whether torch.autograd.gradcheck requested this pass."""
    while frame is not None:
        if frame.f_code.co_filename == _CHECKING:
            return True
        frame = frame.f_back
    return False


class Accumulation:
    """The leaves whose `.grad` the passes until now have filled."""

    def __init__(self) -> None:
        self._filled: dict[int, tuple[weakref.ref[torch.Tensor], int, int]] = {}  # by the leaf's id: the leaf, its version, its grad's

    def is_left(self, leaf: torch.Tensor) -> bool:
        """Return whether a leaf has changed in place since a pass filled its `.grad`, but this `.grad` has not changed."""
        reference, version, grad_version = self._filled.get(id(leaf), (None, 0, 0))
        grad = read_field(leaf, "grad")
        if reference is None or reference() is not leaf or grad is None:
            return False
        return bool(read_field(leaf, "_version") > version and read_field(grad, "_version") == grad_version)

    def fill(self, leaves: Iterable[torch.Tensor]) -> None:
        """Record that a pass has filled the `.grad` of these leaves."""
        for leaf in leaves:
            if (grad := read_field(leaf, "grad")) is not None:
                self._filled[id(leaf)] = weakref.ref(leaf), read_field(leaf, "_version"), read_field(grad, "_version")
