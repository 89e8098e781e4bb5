"""What a Function owes its surroundings: it changes nothing but what it says, keeps its state on ctx, raises what it must.

Runs in the grader's child. Mutation and state are seen in values, never in what the learner's process says of itself.
"""

from typing import TYPE_CHECKING, Any

import torch

from app.protocol.calls import Raised
from app.runtimes.torch.calls.remote_graph import RaisedThere, RemoteGraph
from app.runtimes.torch.calls.tensor_data import tensors_in
from app.runtimes.torch.grading.agreement import agree, compare_gradients, needs_grad
from app.runtimes.torch.grading.failing import AuthorFault, NotPassed, first_line, shown_apart
from app.runtimes.torch.grading.gradient_checks import called

if TYPE_CHECKING:
    from app.runtimes.torch.grading.subject import Subject


def check_untouched(subject: "Subject") -> None:
    """Neither the arguments nor the incoming gradients are changed, and a second backward gives what the first gave.

    Where no argument requires grad, only the arguments are looked at.
    """
    args = subject.drawn()
    graph = subject.theirs.call(args, siblings=True)
    tensors = list(tensors_in(args))
    for index, (before, after) in enumerate(zip(tensors, graph.after, strict=True), start=1):
        if after is None or not _same(after, before):
            raise NotPassed("argument-changed", function=subject.name, input=index, **_told_apart(before, after))
    if not any(tensor.requires_grad for tensor in tensors):
        return
    grads = subject.incoming(graph)
    if all(grad is None for grad in grads):
        raise NotPassed("no-graph", function=subject.name, output=1, arguments=args)
    first = subject.theirs.pull(graph, grads).outputs
    inputs = sum(tensor.requires_grad for tensor in tensors)
    for grad, sibling in zip(grads, first[inputs:], strict=True):
        if grad is not None and (sibling is None or not _same(sibling, grad)):
            raise NotPassed("grad-output-changed", function=subject.name, **_told_apart(grad, sibling))
    again = subject.theirs.pull(graph, grads).outputs
    compare_gradients("second-pull", again[:inputs], first[:inputs], function=subject.name, arguments=args)


def _told_apart(before: torch.Tensor, after: Any) -> dict[str, Any]:
    """Both as a message has them, with the digits in which they differ."""
    before = before.detach()
    if not isinstance(after, torch.Tensor) or (after.shape, after.dtype) != (before.shape, before.dtype):
        return {"expected": before, "got": after}
    expected, got = shown_apart(before, after, (before != after) & ~(before.isnan() & after.isnan()))
    return {"expected": expected, "got": got}


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    other = other.detach()
    return one.shape == other.shape and one.dtype == other.dtype and torch.allclose(one, other, rtol=0, atol=0, equal_nan=True)


def check_interleaved(subject: "Subject") -> None:
    """Two calls are open at once: each backward is its own call's."""
    drawn = [subject.drawn(), subject.drawn()]
    calls = [called(subject, args) for args in drawn]
    for args, (theirs, ours) in zip(drawn, calls, strict=True):
        grads = subject.incoming(ours)
        got, expected = subject.theirs.pull(theirs, grads).outputs, subject.ours.pull(ours, grads).outputs
        case: dict[str, Any] = {"function": subject.name, "arguments": args, "incoming": grads}
        try:
            compare_gradients("interleaved", got, expected, **case)
        except NotPassed:  # is it as wrong when nothing comes between?
            alone = subject.theirs.pull(subject.theirs.call(args), grads).outputs
            compare_gradients("gradient-value", alone, expected, **case)
            raise


def check_dirty(subject: "Subject", index: int) -> None:
    """The argument itself holds the result afterwards, and its gradient is that of the result."""
    args = subject.drawn()
    place = sum(isinstance(value, torch.Tensor) for value in args[:index])
    needing = sum(map(needs_grad, args[:index]))
    ours, theirs = (side.call(args, leaf=False, arguments=True) for side in (subject.ours, subject.theirs))
    expected, got = ours.after[place], theirs.after[place]
    if expected is None or _same(expected, args[index]):
        raise AuthorFault(f"the reference {subject.name} leaves argument {index + 1} as it was")
    if got is None or not agree(got, expected):
        raise NotPassed("not-changed", function=subject.name, input=index + 1, expected=expected, got=got)
    if len(ours.outputs) != len(theirs.outputs):
        raise NotPassed("outputs-number", function=subject.name, expected=len(ours.outputs), got=len(theirs.outputs), arguments=args)
    inputs = sum(map(needs_grad, args))
    output = len(ours.outputs) - inputs + needing
    grads = [subject.draws.like(expected) if position == output else None for position in range(len(ours.outputs))]
    pulled = subject.theirs.pull(theirs, grads).outputs, subject.ours.pull(ours, grads).outputs
    compare_gradients("dirty-graph", *pulled, function=subject.name, arguments=args, incoming=grads)


def check_raises(subject: "Subject", kind: str, contains: str, order: int, *, incoming: bool) -> None:
    """The call (0), its backward (1) or a backward of that (2) raises `kind`, with `contains` in the message; what precedes does not."""
    args = subject.drawn()
    graph, grads = None, []
    if order:
        graph = subject.theirs.call(args)
        grads = subject.incoming(graph, grad=order > 1 and incoming)
    if order > 1 and graph is not None:
        subject.theirs.pull(graph, grads)
    try:
        _reach(subject, args, graph, grads, order)
    except RaisedThere as error:
        raised = error.raised
        if _is_a(raised, kind) and contains in raised.message:
            return
        first = first_line(raised.message)
        raise NotPassed("raised-other", function=subject.name, expected=kind, contains=contains, type=raised.type, message=first) from None
    raise NotPassed(("call-not-raised", "backward-not-raised", "second-not-raised")[order], function=subject.name, expected=kind)


def _reach(subject: "Subject", args: list[Any], graph: RemoteGraph | None, grads: list[torch.Tensor | None], order: int) -> None:
    if graph is None:
        subject.theirs.call(args)
        return
    pulled = subject.theirs.pull(graph, grads, keep=order > 1, whole=True)
    if order > 1:
        subject.theirs.pull(pulled, subject.incoming_gradients(pulled), whole=True)


def _is_a(raised: Raised, kind: str) -> bool:
    return kind == raised.type or kind in raised.bases
