"""The steps of one backward pass, observed by hooks on the nodes. Runs in the child.

A hook that is registered last sees what a node really receives, after the learner's own hooks, and what it really sends.
"""

import sys
import threading
import weakref
from collections import defaultdict
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any, Literal

import torch

from app.protocol.records.record import Span
from app.protocol.records.replay import STEP_GRADIENTS, Gradient, ReplayNote, ReplayRecord, ReplayResult, ReplayStep, Sent
from app.runtimes.plain_text import type_name
from app.runtimes.positions import Sources
from app.runtimes.torch.identities import IDENTITIES, is_custom
from app.runtimes.torch.tensors import is_tensor, read_field
from app.runtimes.torch.tracing.node_names import NODES, Leaf, Name, id_of, name_of, reachable
from app.runtimes.torch.tracing.observed import gradient_of
from app.runtimes.torch.tracing.passes.pass_graph import PassGraph

STEPS = 4_000  # the most steps of one pass
ENTRIES = 60_000  # the most entries of all gradients of one pass

_register_hook, _register_prehook = torch._C._FunctionBase.register_hook, torch._C._FunctionBase.register_prehook
_ident = threading.get_ident

Term = tuple[Name | None, Gradient | None]  # the node that sent a gradient, and the gradient


class PassStep:
    """A node that runs, or the addition of the gradients that met at an output of a node.

    `output`: the number of that output. `place`: the instruction of the learner's `backward` that returned or raised. `has_ended`: whether
    the node ended without raising.
    """

    def __init__(self, name: Name, label: str, received: list[Gradient | None]) -> None:
        self.name, self.label, self.received = name, label, received
        self.senders: list[Name | None] = []
        self.output: int | None = None  # None if the node runs
        self.sent: list[tuple[Name | None, int, Gradient | None]] = []
        self.grad: Gradient | None = None
        self.place: tuple[CodeType, int] | None = None
        self.has_ended = False

    def record(self, sources: Sources, *, failed: bool) -> ReplayStep:
        """Return the record. `failed`: whether the pass has raised; if so, a node that has not ended failed."""
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
            span=sources.span_of(*self.place) if self.place else None,
            failed=failed and not self.has_ended,
        )


class BackwardPass:
    """One call of the engine, in the thread that makes it. `graph`: None if it is too large."""

    def __init__(self, call: Literal["backward", "grad"], span: Span | None, inputs: tuple[Any, ...]) -> None:
        self.call: Literal["backward", "grad"] = call
        self.span = span
        self.steps: list[PassStep] = []
        self.raised = False
        self.note: ReplayNote | None = None
        self.fault: Exception | None = None
        self.number = 0
        self.graph: PassGraph | None = None
        self._inputs = [weakref.ref(each) if is_tensor(each) else None for each in inputs]
        self._results: list[Gradient | None] = []
        self._terms: defaultdict[tuple[Name, int], list[Term]] = defaultdict(list)
        self.nodes: dict[Any, Name] = {}  # with their names; this keeps the nodes alive until the pass has ended
        self._leaves: list[Leaf] = []
        self._handles: list[Any] = []
        self._running: list[PassStep] = []
        self._entries = 0
        self._thread = _ident()

    def begin(self, roots: list[tuple[Any, int, Any]], outputs: tuple[Any, ...], variables: Mapping[int, str]) -> None:
        """Register the hooks. `roots`: nodes, the number of their output, and the gradient that the pass begins with.

        `outputs`: the tensors that the roots made. `variables`: names of tensors, by identity.
        """
        nodes = list(reachable(node for node, _, _ in roots))
        if len(nodes) > NODES:
            self.note = "nodes"
            return
        self.nodes = {node: name_of(node) for node in nodes}
        self._leaves = [name for name in self.nodes.values() if isinstance(name, Leaf)]
        self.graph = PassGraph(self.nodes, outputs, variables)
        for node in nodes:
            self._observe(node)
        for node, output, grad in roots:
            self._terms[self.nodes[node], output].append((None, self._seen(grad)))

    def _observe(self, node: Any) -> None:
        name, label = self.nodes[node], type_name(node)
        following = [(None if after is None else self.nodes[after], output) for after, output in node.next_functions]
        variable = weakref.ref(node.variable) if isinstance(name, Leaf) else None

        def before(grad_outputs: tuple[Any, ...]) -> None:
            if self._counts_here():
                self._untraced(lambda: self._receive(name, label, grad_outputs))

        def after(grad_inputs: tuple[Any, ...], _: tuple[Any, ...]) -> None:
            if self._counts_here() and self._running:
                step = self._running.pop()
                self._untraced(lambda: self._send(step, following, grad_inputs, variable() if variable else None))

        custom = is_custom(node)
        self._handles.append(_register_prehook(node, before) if custom else node.register_prehook(before))
        self._handles.append(_register_hook(node, after) if custom else node.register_hook(after))

    def _counts_here(self) -> bool:
        if _ident() != self._thread:
            return False
        if len(self.steps) >= STEPS:
            self.note = "steps"
        return self.note not in ("nodes", "steps") and self.fault is None

    def _untraced(self, observe: Callable[[], None]) -> None:
        """Call a function of ours from a hook. No trace function sees its frames, and the program does not see its exceptions."""
        trace = sys.gettrace()
        sys.settrace(None)
        try:
            observe()
        except Exception as error:
            self.note, self.fault = "steps", error
        finally:
            sys.settrace(trace)

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
                gradient.values, self.note = None, self.note or "entries"
        return gradient

    def returned_from(self, code: CodeType, instruction: int) -> None:
        """Record that a `backward` of the learner's has returned or raised at this instruction."""
        if self._running:
            self._running[-1].place = code, instruction

    def end(self, results: Any) -> None:
        """Remove the hooks and the references to the graph, because the engine has returned `results` or has raised."""
        for handle in self._handles:
            handle.remove()
        if self.call == "grad" and type(results) is tuple:
            self._results = [self._seen(result) for result in results]
        self._handles.clear()
        self.nodes.clear()
        self._terms.clear()

    def look_up_leaves(self) -> None:
        for leaf in self._leaves:
            leaf.look_up()

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
