"""Checks of gradients of any order: against the reference, against numerical gradients, and for linearity. Runs in the grader's child."""

import itertools
from typing import Any, Literal

import torch

from app.runtimes.runtime import Gone
from app.runtimes.silence import ignored_warnings
from app.runtimes.torch.calls.remote_graph import RaisedThere, RemoteGraph, UnreadableReply
from app.runtimes.torch.grading.checks.agreement import agree, compare_gradients, list_differentiable, needs_grad
from app.runtimes.torch.grading.checks.function_pair import FunctionPair
from app.runtimes.torch.grading.checks.mismatch import find_mismatch
from app.runtimes.torch.grading.not_passed import AuthorFault, NotPassed, shown

_ENTRIES = {"gradcheck": 4, "gradgradcheck": 3}  # the most entries of a drawn tensor: each costs two questions or more
_TRIES = 5  # how often arguments are drawn; the smallest are checked numerically
_SUBSETS = 15
_ORDERS = {2: "second-value", 3: "third-value"}


def check_gradients(pair: FunctionPair) -> None:
    """Compare the vector–Jacobian products of each output alone, then of all outputs together."""
    args = pair.drawn()
    theirs, ours = pair.call_both(args)
    grads = pair.incoming(ours)
    places = [index for index, grad in enumerate(grads) if grad is not None]
    chosen: list[list[int]] = [[index] for index in places] + ([places] if len(places) > 1 else [])
    for indices in chosen:
        given = [grad if index in indices else None for index, grad in enumerate(grads)]
        got, expected = pair.pull_both(theirs, ours, given)
        compare_gradients("gradient-value", got, expected, function=pair.name, arguments=args, incoming=given)


def check_order(pair: FunctionPair, order: int) -> None:
    """Compare the gradients of all orders up to this one.

    Those of order 2 are the derivatives of the vector–Jacobian products with respect to the inputs and the incoming gradients.
    """
    args = pair.drawn()
    theirs, ours = pair.call_both(args)
    case: dict[str, Any] = {"function": pair.name, "arguments": args}
    grads = pair.incoming(ours, grad=True)
    for current in range(1, order + 1):
        keep = current < order
        theirs, ours = pair.theirs.pull(theirs, grads, keep=keep), pair.ours.pull(ours, grads, keep=keep)
        case["incoming"] = grads
        compare_gradients(_ORDERS.get(current, "gradient-value"), theirs.outputs, ours.outputs, **case)
        grads = pair.incoming_gradients(ours)
        if keep:
            _require_graph(pair, theirs, ours, grads, current)


def compare_second(pair: FunctionPair, theirs: RemoteGraph, ours: RemoteGraph, *, absolute: float | None = None, **case: Any) -> None:
    """Compare the gradients of two calls, and then their derivatives if the reference has some that are finite."""
    grads = pair.incoming(ours, grad=True)
    case["incoming"] = grads
    pulled, expected = pair.theirs.pull(theirs, grads, keep=True), pair.ours.pull(ours, grads, keep=True)
    compare_gradients("gradient-value", pulled.outputs, expected.outputs, absolute=absolute, **case)
    if not any(expected.differentiable):
        return
    given = pair.incoming_gradients(expected)
    wanted = pair.ours.pull(expected, given).outputs
    if not all(bool(value.isfinite().all()) for value in (*expected.outputs, *wanted) if value is not None):
        return
    _require_graph(pair, pulled, expected, given, 1)
    got = pair.theirs.pull(pulled, given).outputs if any(pulled.differentiable) else [None] * len(wanted)
    compare_gradients("second-value", got, wanted, absolute=absolute, **case)


def _require_graph(pair: FunctionPair, theirs: RemoteGraph, ours: RemoteGraph, grads: list[torch.Tensor | None], order: int) -> None:
    """Raise NotPassed if a gradient cannot be differentiated again, although the reference has a derivative there that is not zero."""
    cut = [index for index, able in enumerate(ours.differentiable) if able and not theirs.differentiable[index]]
    for index in cut:
        alone = [grad if place == index else None for place, grad in enumerate(grads)]
        if any(not agree(value, None) for value in pair.ours.pull(ours, alone).outputs):
            raise NotPassed("gradient-cut", function=pair.name, input=index + 1, order=order + 1)


def check_linear(pair: FunctionPair) -> None:
    """Check that backward(3a − 2b) equals 3 backward(a) − 2 backward(b)."""
    args = pair.drawn()
    graph = pair.theirs.call(args)
    first, second = pair.incoming(graph), pair.incoming(graph)
    if all(grad is None for grad in first):
        raise NotPassed("no-graph", function=pair.name, output=1, arguments=args)
    both = [None if a is None or b is None else 3 * a - 2 * b for a, b in zip(first, second, strict=True)]
    of_first, of_second, of_both = (pair.theirs.pull(graph, grads).outputs for grads in (first, second, both))
    expected = [None if a is None or b is None else 3 * a - 2 * b for a, b in zip(of_first, of_second, strict=True)]
    compare_gradients("nonlinear", of_both, expected, function=pair.name, arguments=args, incoming=both)


def check_needs(pair: FunctionPair) -> None:
    """Compare the gradients while only some tensor arguments require grad. Tries every such subset, but at most _SUBSETS."""
    args = pair.drawn()
    places = list_differentiable(args)
    subsets = [subset for size in range(1, len(places) + 1) for subset in itertools.combinations(places, size)]
    for subset in pair.draws.shuffled(subsets)[:_SUBSETS]:
        some = [value.detach().requires_grad_(place in subset) if place in places else value for place, value in enumerate(args, 1)]
        theirs, ours = pair.call_both(some)
        grads = pair.incoming(ours)
        got, expected = pair.pull_both(theirs, ours, grads)
        needed = ", ".join(map(str, subset))
        compare_gradients("needs", got, expected, function=pair.name, arguments=some, incoming=grads, needed=needed)


def check_numerically(pair: FunctionPair, name: Literal["gradcheck", "gradgradcheck"], **options: Any) -> None:
    """Call the function of torch.autograd of this name, with these options, on arguments with few entries."""
    check = getattr(torch.autograd, name)
    with pair.draws.small(_ENTRIES[name]):
        args = min((pair.drawn() for _ in range(_TRIES)), key=_entries_of)
    if not any(map(needs_grad, args)):
        raise AuthorFault(f"{name} of {pair.name}: no argument that is drawn requires grad")
    arguments = shown(args)  # before the check perturbs them
    try:
        with ignored_warnings():
            check(pair.theirs.function, tuple(args), **options)
    except (RaisedThere, UnreadableReply, Gone, NotPassed):
        raise
    except Exception as error:  # GradcheckError, or what the check raises if shapes or numbers change from one call to the next
        case = {"function": pair.name, "arguments": arguments}
        if found := find_mismatch(error, args, 1 if name == "gradcheck" else 2, pair.argument_names(len(args))):
            values, record = found
            record.title = f"{name}({pair.name})"
            raise NotPassed(f"{name}-incoming" if "incoming" in values else f"{name}-mismatch", record, **case, **values) from None
        raise NotPassed(name, **case, said=str(error).partition("\n")[0].rstrip(",")) from None


def _entries_of(args: list[Any]) -> int:
    return sum(value.numel() for value in args if needs_grad(value))
