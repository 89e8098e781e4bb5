"""The steps of each backward pass of a program, observed by hooks on the nodes. Runs in the child.

A pass begins and ends with a call of torch.autograd.graph._engine_run_backward, whose frame the trace function sees. A hook that is
registered last sees what a node really receives, after the learner's own hooks, and what it really sends.
"""

import threading
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FrameType
from typing import Any, Literal

import torch
from torch.autograd.graph import _engine_run_backward

from app.protocol.records.record import Span
from app.protocol.records.replay import STEP_GRADIENTS, Gradient, ReplayRecord, ReplayResult, ReplayStep, Sent
from app.runtimes.plain_text import type_name
from app.runtimes.positions import Sources
from app.runtimes.torch.identities import IDENTITIES, is_custom, sequence_of
from app.runtimes.torch.tensors import is_tensor, read_field
from app.runtimes.torch.tracing.node_lines import span_of
from app.runtimes.torch.tracing.observed import gradient_of

NODES = 2_000  # of a graph that is followed
STEPS = 4_000  # of one pass
ENTRIES = 60_000  # of all gradients of one pass
FIRST_PASSES = 3  # that are shown; of the others only the last is

ENGINE = _engine_run_backward.__code__
_CHECKING = torch.autograd.gradcheck.__code__.co_filename
_register_hook, _register_prehook = torch._C._FunctionBase.register_hook, torch._C._FunctionBase.register_prehook
_ident, _count_nodes = threading.get_ident, torch._C._autograd._get_sequence_nr


class Leaf:
    """A leaf. Its id is asked for at the end only, because tensors are numbered in the order in which their ids are asked for."""

    def __init__(self, variable: torch.Tensor) -> None:
        self._variable = weakref.ref(variable)
        self._id: str | None = None

    @property
    def tensor_id(self) -> str:
        if self._id is None:
            variable = self._variable()
            self._id = IDENTITIES.fresh("t") if variable is None else IDENTITIES.tensor(variable)
        return self._id

    @property
    def id(self) -> str:
        """Of the node that accumulates its gradient."""
        return f"{self.tensor_id}_grad"


Name = str | Leaf  # of a node
Term = tuple[Name | None, Gradient | None]  # from which node, and what


class PassStep:
    """One step, before its nodes have ids."""

    def __init__(self, name: Name, label: str, received: list[Gradient | None]) -> None:
        self.name, self.label, self.received = name, label, received
        self.senders: list[Name | None] = []
        self.output: int | None = None  # of the node, whose terms are added; None: the node runs
        self.sent: list[tuple[Name | None, int, Gradient | None]] = []
        self.grad: Gradient | None = None
        self.place: tuple[CodeType, int] | None = None
        self.has_ended = False

    def record(self, sources: Sources, *, failed: bool) -> ReplayStep:
        return ReplayStep(
            kind="function" if self.output is None else "sum",
            node=id_of(self.name),
            label=self.label,
            output=self.output or 0,
            received=self.received[:STEP_GRADIENTS],
            senders=[None if sender is None else id_of(sender) for sender in self.senders[:STEP_GRADIENTS]],
            sent=[
                Sent(node=None if name is None else id_of(name), output=output, gradient=gradient)
                for name, output, gradient in self.sent[:STEP_GRADIENTS]
            ],
            grad=self.grad,
            span=span_of(sources, *self.place) if self.place else None,
            failed=failed and not self.has_ended,
        )


class BackwardPass:
    """One call of the engine, in the thread that makes it."""

    def __init__(self, call: Literal["backward", "grad"], span: Span | None, inputs: tuple[Any, ...]) -> None:
        self.call: Literal["backward", "grad"] = call
        self.span = span
        self.steps: list[PassStep] = []
        self.raised = False
        self.note: Literal["nodes", "steps"] | None = None
        self.number = 0
        self._inputs = [weakref.ref(each) if is_tensor(each) else None for each in inputs]
        self._results: list[Gradient | None] = []
        self._terms: defaultdict[tuple[Name, int], list[Term]] = defaultdict(list)
        self._names: dict[Any, Name] = {}  # of the nodes, which it keeps alive until the pass has ended
        self._handles: list[Any] = []
        self._running: list[PassStep] = []
        self._entries = 0
        self._thread = _ident()

    def begin(self, roots: list[tuple[Any, int, Any]]) -> None:
        """Register the hooks. `roots`: nodes, the number of their output, and the gradient that the pass begins with."""
        nodes = list(reachable(node for node, _, _ in roots))
        if len(nodes) > NODES:
            self.note = "nodes"
            return
        self._names = {node: name_of(node) for node in nodes}
        for node in nodes:
            self._observe(node)
        for node, output, grad in roots:
            self._terms[self._names[node], output].append((None, self._seen(grad)))

    def _observe(self, node: Any) -> None:
        name, label = self._names[node], type_name(node)
        following = [(None if after is None else self._names[after], output) for after, output in node.next_functions]
        variable = weakref.ref(node.variable) if isinstance(name, Leaf) else None

        def before(grad_outputs: tuple[Any, ...]) -> None:
            if self._counts_here():
                self._receive(name, label, grad_outputs)

        def after(grad_inputs: tuple[Any, ...], _: tuple[Any, ...]) -> None:
            if self._counts_here() and self._running:
                self._send(self._running.pop(), following, grad_inputs, variable() if variable else None)

        custom = is_custom(node)
        self._handles.append(_register_prehook(node, before) if custom else node.register_prehook(before))
        self._handles.append(_register_hook(node, after) if custom else node.register_hook(after))

    def _counts_here(self) -> bool:
        if _ident() != self._thread:
            return False
        if len(self.steps) >= STEPS:
            self.note = "steps"
        return self.note is None

    def _receive(self, name: Name, label: str, grad_outputs: tuple[Any, ...]) -> None:
        received = [self._seen(grad) for grad in grad_outputs]
        for output, total in enumerate(received):
            terms = self._terms.pop((name, output), [])
            if len(terms) > 1:
                addition = PassStep(name, label, [gradient for _, gradient in terms])
                addition.senders, addition.output, addition.sent = [sender for sender, _ in terms], output, [(name, output, total)]
                addition.has_ended = True
                self.steps.append(addition)
        self._running.append(PassStep(name, label, received))
        self.steps.append(self._running[-1])

    def _send(self, step: PassStep, following: list[tuple[Name | None, int]], grad_inputs: tuple[Any, ...], variable: Any) -> None:
        step.has_ended = True
        for (name, output), grad in zip(following, grad_inputs, strict=False):
            gradient = self._seen(grad)
            step.sent.append((name, output, gradient))
            if name is not None and gradient is not None:
                self._terms[name, output].append((step.name, gradient))
        if variable is not None:
            step.grad = self._seen(read_field(variable, "grad"))

    def _seen(self, grad: Any) -> Gradient | None:
        gradient = gradient_of(grad)
        if gradient is not None and gradient.values is not None:
            self._entries += torch.Size(gradient.shape or ()).numel()
            if self._entries > ENTRIES:
                gradient.values = None
        return gradient

    def returned_from(self, code: CodeType, instruction: int) -> None:
        """A `backward` of the learner's has returned, or raised, at this instruction."""
        if self._running:
            self._running[-1].place = code, instruction

    def end(self, results: Any) -> None:
        """The engine has returned `results`, or raised. Takes the hooks back, and lets go of the graph."""
        for handle in self._handles:
            handle.remove()
        if self.call == "grad" and type(results) is tuple:
            self._results = [self._seen(result) for result in results]
        self._handles.clear()
        self._names.clear()
        self._terms.clear()

    def record(self, sources: Sources, of: int) -> ReplayRecord:
        tensors = [reference() if reference else None for reference in self._inputs]
        return ReplayRecord(
            call=self.call,
            number=self.number,
            of=of,
            steps=[step.record(sources, failed=self.raised) for step in self.steps],
            results=[
                ReplayResult(tensor=IDENTITIES.tensor(tensor), gradient=gradient)
                for tensor, gradient in zip(tensors, self._results, strict=False)
                if tensor is not None
            ][:STEP_GRADIENTS],
            raised=self.raised,
            note=self.note,
        )


class BackwardPasses:
    """The passes of a program, but for those of gradcheck and those within another pass."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._current: BackwardPass | None = None
        self._shown: list[BackwardPass] = []
        self._second_order: list[tuple[int, int]] = []  # numbers of the nodes that passes with create_graph recorded
        self._count = 0

    def forget(self) -> None:
        """What follows is to be seen; the passes until now are not."""
        self._shown.clear()
        self._count = 0

    def begin(self, frame: FrameType) -> Callable[[FrameType, Any, bool], None] | None:
        """The engine is about to run. Return what to call as its frame ends; None if the pass is not to be shown."""
        if self._current is not None or is_of_gradcheck(frame):
            return None
        options = (*frame.f_locals["args"], None, None, None, None)
        grads, creates_graph, inputs = options[0], options[2], options[3]
        accumulates = bool(frame.f_locals["kwargs"].get("accumulate_grad"))
        current = BackwardPass("backward" if accumulates else "grad", self._sources.caller_of(frame), tuple(inputs or ()))
        started = _count_nodes()
        self._current = current
        current.begin(list(roots_of(frame.f_locals["t_outputs"], grads)))

        def end(_: FrameType, results: Any, raised: bool) -> None:
            current.raised = raised
            self._end(current, results)
            if creates_graph:
                self._second_order.append((started, _count_nodes()))

        return end

    def _end(self, current: BackwardPass, results: Any) -> None:
        self._current = None
        current.end(results)
        self._count += 1
        current.number = self._count
        if len(self._shown) > FIRST_PASSES:
            self._shown.pop()
        self._shown.append(current)

    def returned_from(self, frame: FrameType) -> None:
        """A `backward` of the learner's has returned, or raised."""
        if self._current is not None:
            self._current.returned_from(frame.f_code, frame.f_lasti)

    def is_second_order(self, number: int) -> bool:
        """Whether a backward pass recorded the node of this number."""
        return any(start <= number < end for start, end in self._second_order)

    def records(self) -> Iterator[tuple[ReplayRecord, Span | None]]:
        """The first passes and the last, in order, each with the span of its call."""
        for each in self._shown:
            yield each.record(self._sources, self._count), each.span


def reachable(roots: Iterable[Any]) -> Iterator[Any]:
    """The nodes of a graph, one more than `NODES` at most."""
    waiting, seen = list(roots), set[Any]()
    while waiting and len(seen) <= NODES:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            yield node
            waiting += [following for following, _ in node.next_functions if following is not None]


def roots_of(outputs: Any, grads: Any) -> Iterator[tuple[Any, int, Any]]:
    """Where a pass begins: each node with the number of its output, and the gradient of that. Outputs that are leaves have no node yet."""
    for output, grad in zip(outputs, grads, strict=False):
        if is_tensor(output):
            node, number = read_field(output, "grad_fn"), read_field(output, "output_nr")
        else:
            node, number = output.node, output.output_nr
        if node is not None:
            yield node, number, grad


def name_of(node: Any) -> Name:
    if sequence_of(node) is None and is_tensor(variable := getattr(node, "variable", None)):
        return Leaf(variable)
    return IDENTITIES.node(node)


def id_of(name: Name) -> str:
    return name.id if isinstance(name, Leaf) else name


def is_of_gradcheck(frame: FrameType | None) -> bool:
    """Whether torch.autograd.gradcheck asks for this pass."""
    while frame is not None:
        if frame.f_code.co_filename == _CHECKING:
            return True
        frame = frame.f_back
    return False
