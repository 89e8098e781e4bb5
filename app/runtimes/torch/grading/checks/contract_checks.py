"""Checks what callers rely on: a Function changes no argument, keeps its state on ctx, and raises the errors that it must raise.

Runs in the grader's child. Changes and state are found by comparing values, never by what the learner's process reports of itself.
"""

from functools import partial
from itertools import zip_longest
from typing import Any

import torch

from app.runtimes.torch.calls.remote_graph import RaisedThere, RemoteGraph
from app.runtimes.torch.calls.tensor_data import tensors_in
from app.runtimes.torch.grading.checks.agreement import agree, compare_gradients, needs_grad
from app.runtimes.torch.grading.checks.function_pair import FunctionPair
from app.runtimes.torch.grading.not_passed import AuthorFault, NotPassed, first_line, shown_apart

_DRAWS = 8  # lengths that are drawn from four values are all the same once in 65,000 times


def check_untouched(pair: FunctionPair) -> None:
    """Check that neither arguments nor incoming gradients are changed, and that a second backward returns the same gradients as the first.

    If no argument requires grad, only the arguments are checked.
    """
    args = pair.drawn()
    graph = pair.theirs.call(args, siblings=True)
    tensors = list(tensors_in(args))
    for index, (before, after) in enumerate(zip(tensors, graph.after, strict=True), start=1):
        if after is None or not _same(after, before):
            raise NotPassed("argument-changed", function=pair.name, input=index, **_message_values(before, after))
    if not any(tensor.requires_grad for tensor in tensors):
        return
    grads = pair.incoming(graph)
    if all(grad is None for grad in grads):
        raise NotPassed("no-graph", function=pair.name, output=1, arguments=args)
    first = pair.theirs.pull(graph, grads).outputs
    inputs = sum(tensor.requires_grad for tensor in tensors)
    for grad, sibling in zip(grads, first[inputs:], strict=True):
        if grad is not None and (sibling is None or not _same(sibling, grad)):
            raise NotPassed("grad-output-changed", function=pair.name, **_message_values(grad, sibling))
    again = pair.theirs.pull(graph, grads).outputs
    compare_gradients("second-pull", again[:inputs], first[:inputs], function=pair.name, arguments=args)


def _message_values(before: torch.Tensor, after: Any) -> dict[str, Any]:
    """Return both tensors as values of a message, with enough digits to see that they differ."""
    before = before.detach()
    if not isinstance(after, torch.Tensor) or (after.shape, after.dtype) != (before.shape, before.dtype):
        return {"expected": before, "got": after}
    expected, got = shown_apart(before, after, (before != after) & ~(before.isnan() & after.isnan()))
    return {"expected": expected, "got": got}


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    other = other.detach()
    return one.shape == other.shape and one.dtype == other.dtype and torch.allclose(one, other, rtol=0, atol=0, equal_nan=True)


def check_interleaved(pair: FunctionPair) -> None:
    """Call the function twice before both backward passes. Check that each pass returns the gradients of its own call.

    Of several draws, the second call is given the one whose shapes and numbers differ most from those of the first.
    """
    first = pair.drawn()
    drawn = [first, max((pair.drawn() for _ in range(_DRAWS)), key=partial(_count_differences, first))]
    calls = [pair.call_both(args) for args in drawn]
    for args, (theirs, ours) in zip(drawn, calls, strict=True):
        grads = pair.incoming(ours)
        got, expected = pair.pull_both(theirs, ours, grads)
        case: dict[str, Any] = {"function": pair.name, "arguments": args, "incoming": grads}
        try:
            compare_gradients("interleaved", got, expected, **case)
        except NotPassed:  # if a single call gives the same wrong gradient, the message says that
            alone = pair.theirs.pull(pair.theirs.call(args), grads).outputs
            compare_gradients("gradient-value", alone, expected, **case)
            raise


def _count_differences(args: list[Any], other: list[Any]) -> int:
    """Return the number of positions at which two lists of arguments differ. Of tensors, only the shapes are compared."""
    return sum(_outline(one) != _outline(another) for one, another in zip_longest(args, other))


def _outline(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_outline(one) for one in value]
    return value.shape if isinstance(value, torch.Tensor) else value


def check_dirty(pair: FunctionPair, index: int = 0) -> None:
    """Check an in-place function: after the call, the argument at `index` must hold the result, and have the result's gradient."""
    args = pair.drawn()
    place = sum(isinstance(value, torch.Tensor) for value in args[:index])
    needing = sum(map(needs_grad, args[:index]))
    ours, theirs = (side.call(args, leaf=False, arguments=True) for side in (pair.ours, pair.theirs))
    expected, got = ours.after[place], theirs.after[place]
    if expected is None or _same(expected, args[index]):
        raise AuthorFault(f"the reference {pair.name} leaves argument {index + 1} as it was")
    if got is None or not agree(got, expected):
        raise NotPassed("not-changed", function=pair.name, input=index + 1, expected=expected, got=got)
    if len(ours.outputs) != len(theirs.outputs):
        raise NotPassed("outputs-number", function=pair.name, expected=len(ours.outputs), got=len(theirs.outputs), arguments=args)
    inputs = sum(map(needs_grad, args))
    output = len(ours.outputs) - inputs + needing
    grads = [pair.draws.like(expected) if position == output else None for position in range(len(ours.outputs))]
    compare_gradients("dirty-graph", *pair.pull_both(theirs, ours, grads), function=pair.name, arguments=args, incoming=grads)


def check_raises(pair: FunctionPair, kind: type[BaseException] | str, contains: str = "", order: int = 1, *, incoming: bool = True) -> None:
    """Check that one step raises and the steps before it do not. `order` 0 is the call, 1 its backward, 2 the backward of this backward.

    `kind` is the exception's type or the type's name, `contains` a part of its message. With `incoming` false, the incoming gradients in
    order 2 do not require grad, although the graph is kept.
    """
    expected = kind if isinstance(kind, str) else kind.__name__
    args = pair.drawn()
    graph, grads = None, []
    if order:
        graph = pair.theirs.call(args)
        grads = pair.incoming(graph, grad=order > 1 and incoming)
    if order > 1 and graph is not None:
        pair.theirs.pull(graph, grads)
    try:
        _reach(pair, args, graph, grads, order)
    except RaisedThere as error:
        raised = error.raised
        if expected in (raised.type, *raised.bases) and contains in raised.message:
            return
        first = first_line(raised.message)
        raise NotPassed("raised-other", function=pair.name, expected=expected, contains=contains, type=raised.type, message=first) from None
    raise NotPassed(("call-not-raised", "backward-not-raised", "second-not-raised")[order], function=pair.name, expected=expected)


def _reach(pair: FunctionPair, args: list[Any], graph: RemoteGraph | None, grads: list[torch.Tensor | None], order: int) -> None:
    if graph is None:
        pair.theirs.call(args)
        return
    pulled = pair.theirs.pull(graph, grads, keep=order > 1, whole=True)
    if order > 1:
        pair.theirs.pull(pulled, pair.incoming_gradients(pulled), whole=True)
