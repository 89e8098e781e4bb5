"""Repeats a call of a learner's Function with everything recorded, to see which paths the program's own run lacks. Runs in the child.

`forward` and `backward` are called with copies of the arguments and a ctx of ours, under enable_grad. So autograd records what it does not
record in the program, where `forward` runs without a graph.
"""

import time
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import Any, NamedTuple

import torch

from app.probes.calls.prepared_call import can_need, has_setup_context
from app.probes.calls.stub_context import StubContext
from app.protocol.records.record import Span
from app.runtimes.instruments.argument_names import positional
from app.runtimes.plain_text import NAME_CHARACTERS, plain, type_name
from app.runtimes.positions import Sources
from app.runtimes.torch.identities import sequence_of
from app.runtimes.torch.tensors import is_tensor
from app.runtimes.torch.tracing.functions.cut_watch import CutWatch, is_once_differentiable
from app.runtimes.torch.tracing.functions.function_call import FunctionCall
from app.runtimes.torch.tracing.functions.saving_places import decorator_span
from app.runtimes.torch.tracing.functions.tensor_search import attribute_values, tensors_in
from app.runtimes.torch.tracing.node_lines import NodeLines
from app.runtimes.torch.tracing.node_names import reachable
from app.runtimes.torch.tracing.observed import storage_of
from app.runtimes.torch.tracing.program_trace import ProgramTrace

LONGEST_SECONDS = 0.5  # the most processor and waiting time of both methods together
MOST_INSTRUCTIONS = 100_000  # the most instructions of both methods together; a trace sees at most twice as many

_count_nodes = torch._C._autograd._get_sequence_nr
Used = tuple[Span | None, str]  # a node: the span that recorded it, and its type's name


class Path(NamedTuple):
    """A path that the program lacks: from an argument through a saved tensor to the gradient of an argument.

    `source`, `gradient_of`: the indices of the two arguments. `key`: what the tensor was saved as. `made`: where it was computed. `used`:
    the nodes of `backward` from the first that takes the saved tensor up to the gradient.
    """

    key: int | str
    source: int
    gradient_of: int
    made: Span | None
    used: list[Used]


class TookTooLong(BaseException):
    """The methods took too long. This is no Exception, so that a learner's `except Exception` does not catch it."""


class StubTrace(ProgramTrace):
    """Traces the methods. Raises TookTooLong in the learner's frames after some time."""

    def __init__(self, sources: Sources, lines: NodeLines) -> None:
        super().__init__(sources, lines, watched={})
        self._end = time.monotonic() + LONGEST_SECONDS
        self._left = MOST_INSTRUCTIONS

    def _in_learner(self, frame: FrameType, event: str, arg: Any) -> Any:
        self._left -= 1
        if self._left < 0 or time.monotonic() > self._end:
            self.stop()
            raise TookTooLong
        return super()._in_learner(frame, event, arg)


class StubRun:
    """One call of a Function, repeated. `outputs`: None until `forward` has returned."""

    def __init__(self, sources: Sources, call: FunctionCall, arguments: tuple[Any, ...]) -> None:
        self._sources, self._function, self._call = sources, call.function, call
        self._lines = NodeLines(sources)
        self.watch = CutWatch(sources, call.function)
        needs = tuple(is_tensor(each) and each.requires_grad for each in arguments)
        # a leaf that needs a gradient cannot be changed in place, as a forward may do with its inputs
        self._arguments = tuple(each.clone() if need else each for each, need in zip(arguments, needs, strict=True))
        self._ctx: Any = StubContext(needs)
        self.outputs: list[torch.Tensor] | None = None
        self._grads: tuple[Any, ...] = ()
        self._first_of_backward = 0  # the number of the first node that `backward` recorded

    def run(self) -> None:
        """Run `forward` and `backward`. Raises what they raise, and TookTooLong."""
        trace = StubTrace(self._sources, self._lines)
        trace.start()
        try:
            with torch.enable_grad(), self.watch:
                self.outputs = list(tensors_in(self._forward()))
                self._grads = self._backward(self.outputs)
        finally:
            trace.stop()

    def _forward(self) -> Any:
        if not has_setup_context(self._function):
            return self._function.forward(self._ctx, *self._arguments)
        output = self._function.forward(*self._arguments)
        self._function.setup_context(self._ctx, self._arguments, output)
        return output

    def _backward(self, outputs: list[torch.Tensor]) -> tuple[Any, ...]:
        self.watch.method = "backward"
        self._first_of_backward = _count_nodes()
        if is_once_differentiable(self._function.backward):
            self.watch.add("once_differentiable", decorator_span(self._sources, self._function, "backward", "once_differentiable"))
        incoming = [torch.randn_like(output) if can_need(output) else None for output in outputs]
        grads = self._function.backward(self._ctx, *(None if each is None else each.requires_grad_() for each in incoming))
        return grads if type(grads) is tuple else (grads,)

    def paths(self) -> Iterator[Path]:
        """Yield the paths through intermediates, which the program computed without recording them.

        There are none if `backward` is differentiable only once: then its gradients lead to an error.
        """
        if is_once_differentiable(self._function.backward):
            return
        intermediates = {each.key for each in self._call.stored if each.role == "intermediate"}
        for key, saved in self._saved():
            if key in intermediates and saved.requires_grad and saved.grad_fn is not None:
                sources = [place for place, argument in enumerate(self._arguments) if depends(saved, argument)]
                for place, grad in enumerate(self._grads):
                    if sources and depends(grad, saved):
                        made, used = self._lines.span_of(sequence_of(saved.grad_fn)), list(self._users(grad.grad_fn, saved))
                        yield from (Path(key, source, place, made, used) for source in sources)

    def _saved(self) -> Iterator[tuple[int | str, torch.Tensor]]:
        yield from ((index, each) for index, each in enumerate(self._ctx.to_save or ()) if is_tensor(each))
        yield from attribute_values(self._ctx, without=("needs_input_grad", "to_save"))

    def _users(self, root: Any, saved: torch.Tensor) -> Iterator[Used]:
        """Yield the nodes of `backward` behind `root` that depend on `saved`, in the order in which they were recorded.

        Nodes before the first one that takes `saved` itself are left out: they depend on it through something else that was saved.
        """
        nodes = sorted((node for node in reachable([root]) if sequence_of(node) is not None), key=lambda node: sequence_of(node) or 0)
        on_path, users = {saved.grad_fn}, list[Any]()
        for node in nodes:
            if node is not saved.grad_fn and any(following in on_path for following, _ in node.next_functions):
                on_path.add(node)
                if (sequence_of(node) or 0) >= self._first_of_backward:
                    users.append(node)
        takes_it = [saved.grad_fn in (following for following, _ in node.next_functions) for node in users]
        for node in users[takes_it.index(True) if True in takes_it else 0 :]:
            yield self._lines.span_of(sequence_of(node)), type_name(node)

    def builtin_bytes(self) -> int | None:
        """Return how many bytes PyTorch's own operations would save in place of the Function.

        None if that cannot be known: `forward` cut the path, or ran a backward of its own, which freed what was saved.
        """
        if self.outputs is None or any(method == "forward" for _, method, _ in self.watch.cuts):
            return None
        try:
            return saved_bytes(self.outputs)
        except RuntimeError:
            return None

    def argument_name(self, place: int) -> str:
        names = positional(self._function.forward)[0 if len(self._arguments) == len(positional(self._function.forward)) else 1 :]
        return plain(names[place], NAME_CHARACTERS) if place < len(names) else f"{place + 1}"


def depends(value: Any, on: Any) -> bool:
    """Return whether the derivative of `value` by `on` is anywhere other than zero, in a direction drawn at random."""
    if not (is_tensor(value) and is_tensor(on) and value.requires_grad and on.requires_grad and value.grad_fn is not None):
        return False
    (grad,) = torch.autograd.grad(value, on, torch.randn_like(value), retain_graph=True, allow_unused=True)
    return grad is not None and bool((grad != 0).any())


def saved_bytes(outputs: Iterable[torch.Tensor]) -> int:
    """Return the bytes of all storages behind the outputs. Raises RuntimeError if some were freed."""
    storages = {}
    for node in reachable(output.grad_fn for output in outputs if output.grad_fn is not None):
        for name in dir(node):
            if name.startswith("_saved_") or name == "saved_tensors":
                for tensor in tensors_in(getattr(node, name)):
                    if (tensor.dim() or tensor.requires_grad) and (storage := storage_of(tensor)) is not None:
                        storages[storage[0]] = storage[1]
    return sum(storages.values())
