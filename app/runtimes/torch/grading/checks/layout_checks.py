"""Checks with tensors that are not contiguous in memory: transposed, with gaps, expanded. Runs in the grader's child."""

import itertools
from collections.abc import Callable
from typing import Any

import torch

from app.runtimes.torch.calls.remote_graph import Layout, RaisedThere, RemoteGraph
from app.runtimes.torch.grading.checks.agreement import compare_gradients, compare_outputs
from app.runtimes.torch.grading.checks.function_pair import FunctionPair
from app.runtimes.torch.grading.checks.value_checks import compare_both, of_tensors
from app.runtimes.torch.grading.not_passed import NotPassed, first_line

_TRIES = 5


def _packed(shape: torch.Size) -> list[int]:
    """Return the strides, in entries, of a contiguous tensor of this shape."""
    return list(itertools.accumulate(reversed(shape[1:]), lambda span, length: span * max(length, 1), initial=1))[::-1][: len(shape)]


def transposed(tensor: torch.Tensor) -> list[int]:
    """Return the strides of a tensor whose first axis varies fastest."""
    return _packed(torch.Size(reversed(tensor.shape)))[::-1]


def with_gaps(tensor: torch.Tensor) -> list[int]:
    """Return strides that leave one place free after each entry."""
    return [2 * stride for stride in _packed(tensor.shape)]


def expanded(tensor: torch.Tensor) -> list[int]:
    """Return strides with which entries along one axis share one place in memory. It is the first axis longer than 1.

    These entries must be equal: `repeated` makes them so.
    """
    axis = _long_axis(tensor)
    shape = torch.Size(1 if index == axis else length for index, length in enumerate(tensor.shape))
    return [0 if index == axis else stride for index, stride in enumerate(_packed(shape))]


def repeated(tensor: torch.Tensor) -> torch.Tensor:
    """Return the tensor made constant along its first axis longer than 1."""
    axis = _long_axis(tensor)
    return tensor if axis is None else tensor.narrow(axis, 0, 1).expand(tensor.shape).contiguous()


def _long_axis(tensor: torch.Tensor) -> int | None:
    return next((axis for axis, length in enumerate(tensor.shape) if length > 1), None)


def _long_axes(args: list[Any]) -> int:
    """Return the largest number of axes longer than 1 that a tensor argument has."""
    return max((sum(length > 1 for length in value.shape) for value in args if isinstance(value, torch.Tensor)), default=0)


def _unchanged(tensor: torch.Tensor) -> torch.Tensor:
    return tensor


_LAYOUTS: tuple[tuple[str, Layout, Callable[[torch.Tensor], torch.Tensor]], ...] = (
    ("transposed", transposed, _unchanged),
    ("gaps", with_gaps, _unchanged),
    ("expanded", expanded, repeated),
)


def check_strides(pair: FunctionPair) -> None:
    """Compare with incoming gradients in each layout, then with arguments in each layout.

    If the result is wrong in the contiguous layout too, the message does not name the layout.
    """
    args = max((pair.drawn() for _ in range(_TRIES)), key=_long_axes)  # with a single long axis the layouts hardly differ
    theirs, ours = pair.call_both(args)
    for name, layout, change in _LAYOUTS:
        grads = [None if grad is None else change(grad) for grad in pair.incoming(ours)]
        try:
            _compare_pulled(pair, theirs, ours, grads, layout, "layout-gradient", layout=name)
        except NotPassed:
            got, expected = pair.pull_both(theirs, ours, grads)
            compare_gradients("gradient-value", got, expected, function=pair.name, arguments=args, incoming=grads)
            raise
    for name, layout, change in _LAYOUTS:
        changed = of_tensors(args, change)
        try:
            _compare_called(pair, changed, layout, name)
        except NotPassed:
            compare_both(pair, changed, function=pair.name, arguments=changed)
            raise


def _compare_called(pair: FunctionPair, args: list[Any], layout: Layout, name: str) -> None:
    ours = pair.ours.call(args)
    try:
        theirs = pair.theirs.call(args, layout=layout)
    except RaisedThere as error:
        raise _failed("layout-argument", error, pair, name) from None
    try:
        compare_outputs(theirs, ours)
    except NotPassed as failed:
        raise NotPassed("layout-argument", function=pair.name, layout=name, got=failed.values.get("got", "")) from None
    _compare_pulled(pair, theirs, ours, pair.incoming(ours), None, "layout-argument", layout=name)


def _compare_pulled(
    pair: FunctionPair,
    theirs: RemoteGraph,
    ours: RemoteGraph,
    grads: list[torch.Tensor | None],
    strides: Layout | None,
    code: str,
    *,
    layout: str,
) -> None:
    expected = pair.ours.pull(ours, grads).outputs
    try:
        got: list[Any] = pair.theirs.pull(theirs, grads, layout=strides).outputs
    except RaisedThere as error:
        raise _failed(code, error, pair, layout) from None
    compare_gradients(code, got, expected, function=pair.name, layout=layout)


def _failed(code: str, error: RaisedThere, pair: FunctionPair, layout: str) -> NotPassed:
    first = first_line(error.raised.message)
    return NotPassed(code, function=pair.name, layout=layout, got=f"{error.raised.type}: {first}")
