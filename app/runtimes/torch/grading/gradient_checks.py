"""Gradients of any order: against the reference, numerically, linear in what comes in. Runs in the grader's child."""

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from app.runtimes.runtime import Gone
from app.runtimes.silence import ignored_warnings
from app.runtimes.torch.calls.remote_graph import RaisedThere, RemoteGraph, UnreadableReply
from app.runtimes.torch.grading.agreement import agree, compare_gradients, compare_outputs, list_differentiable, needs_grad
from app.runtimes.torch.grading.failing import AuthorFault, NotPassed, shown
from app.runtimes.torch.grading.mismatch import find_mismatch

if TYPE_CHECKING:
    from app.runtimes.torch.grading.subject import Subject

_ENTRIES = {"gradcheck": 4, "gradgradcheck": 3}  # of a drawn shape: each is asked for twice and more
_TRIES = 5  # draws, of which the smallest arguments are checked numerically
_SUBSETS = 15
_ORDERS = {2: "second-value", 3: "third-value"}


def check_gradients(subject: "Subject") -> None:
    """Vector–Jacobian products: of each output alone, then of all together."""
    args = subject.drawn()
    theirs, ours = called(subject, args)
    grads = subject.incoming(ours)
    places = [index for index, grad in enumerate(grads) if grad is not None]
    chosen: list[list[int]] = [[index] for index in places] + ([places] if len(places) > 1 else [])
    for indices in chosen:
        given = [grad if index in indices else None for index, grad in enumerate(grads)]
        got, expected = subject.theirs.pull(theirs, given).outputs, subject.ours.pull(ours, given).outputs
        compare_gradients("gradient-value", got, expected, function=subject.name, arguments=args, incoming=given)


def called(subject: "Subject", args: list[Any]) -> tuple[RemoteGraph, RemoteGraph]:
    """Both, called with the same; their outputs agree, and can be pulled through alike. Raises NotPassed."""
    ours, theirs = subject.ours.call(args), subject.theirs.call(args)
    compare_outputs(theirs, ours, function=subject.name, arguments=args)
    for index, (able, expected) in enumerate(zip(theirs.differentiable, ours.differentiable, strict=True), start=1):
        if expected and not able:
            raise NotPassed("no-graph", function=subject.name, output=index, arguments=args)
    if not any(ours.differentiable):
        raise AuthorFault(f"no output of the reference {subject.name} has a gradient")
    return theirs, ours


def check_order(subject: "Subject", order: int) -> None:
    """Vector–Jacobian products of vector–Jacobian products: of the inputs and of what came in."""
    args = subject.drawn()
    theirs, ours = called(subject, args)
    case: dict[str, Any] = {"function": subject.name, "arguments": args}
    grads = subject.incoming(ours, grad=True)
    for current in range(1, order + 1):
        keep = current < order
        theirs, ours = subject.theirs.pull(theirs, grads, keep=keep), subject.ours.pull(ours, grads, keep=keep)
        case["incoming"] = grads
        compare_gradients(_ORDERS.get(current, "gradient-value"), theirs.outputs, ours.outputs, **case)
        grads = subject.incoming_gradients(ours)
        if keep:
            _require_graph(subject, theirs, ours, grads, current)


def _require_graph(subject: "Subject", theirs: RemoteGraph, ours: RemoteGraph, grads: list[torch.Tensor | None], order: int) -> None:
    """A gradient that is cut off from the graph where the reference's own has another derivative that is not zero."""
    cut = [index for index, able in enumerate(ours.differentiable) if able and not theirs.differentiable[index]]
    for index in cut:
        alone = [grad if place == index else None for place, grad in enumerate(grads)]
        if any(not agree(value, None) for value in subject.ours.pull(ours, alone).outputs):
            raise NotPassed("gradient-cut", function=subject.name, input=index + 1, order=order + 1)


def check_linear(subject: "Subject") -> None:
    """backward(3a − 2b) is 3 backward(a) − 2 backward(b)."""
    args = subject.drawn()
    graph = subject.theirs.call(args)
    first, second = subject.incoming(graph), subject.incoming(graph)
    if all(grad is None for grad in first):
        raise NotPassed("no-graph", function=subject.name, output=1, arguments=args)
    both = [None if a is None or b is None else 3 * a - 2 * b for a, b in zip(first, second, strict=True)]
    of_first, of_second, of_both = (subject.theirs.pull(graph, grads).outputs for grads in (first, second, both))
    expected = [None if a is None or b is None else 3 * a - 2 * b for a, b in zip(of_first, of_second, strict=True)]
    compare_gradients("nonlinear", of_both, expected, function=subject.name, arguments=args, incoming=both)


def check_needs(subject: "Subject") -> None:
    """Every subset of the tensor arguments that require grad, as far as they are not too many."""
    args = subject.drawn()
    places = list_differentiable(args)
    subsets = [subset for size in range(1, len(places) + 1) for subset in itertools.combinations(places, size)]
    for subset in subject.draws.shuffled(subsets)[:_SUBSETS]:
        some = [value.detach().requires_grad_(place in subset) if place in places else value for place, value in enumerate(args, 1)]
        theirs, ours = called(subject, some)
        grads = subject.incoming(ours)
        got, expected = subject.theirs.pull(theirs, grads).outputs, subject.ours.pull(ours, grads).outputs
        needed = ", ".join(map(str, subset))
        compare_gradients("needs", got, expected, function=subject.name, arguments=some, incoming=grads, needed=needed)


def check_numerically(subject: "Subject", check: Callable[..., bool], options: dict[str, Any]) -> None:
    """torch's own gradcheck or gradgradcheck, on arguments with few entries."""
    name = check.__name__
    with subject.draws.small(_ENTRIES[name]):
        args = min((subject.drawn() for _ in range(_TRIES)), key=_entries_of)
    if not any(map(needs_grad, args)):
        raise AuthorFault(f"{name} of {subject.name}: no argument that is drawn requires grad")
    arguments = shown(args)  # before they are perturbed
    try:
        with ignored_warnings():
            check(subject.theirs.function, tuple(args), **options)
    except (RaisedThere, UnreadableReply, Gone, NotPassed):
        raise
    except Exception as error:  # besides its own GradcheckError, what it meets when shapes or numbers change from one call to the next
        case = {"function": subject.name, "arguments": arguments}
        if found := find_mismatch(error, args, 1 if name == "gradcheck" else 2, subject.argument_names(len(args))):
            values, record = found
            record.title = f"{name}({subject.name})"
            raise NotPassed(f"{name}-incoming" if "incoming" in values else f"{name}-mismatch", record, **case, **values) from None
        raise NotPassed(name, **case, said=str(error).partition("\n")[0].rstrip(",")) from None


def _entries_of(args: list[Any]) -> int:
    return sum(value.numel() for value in args if needs_grad(value))
