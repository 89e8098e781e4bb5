"""Tensors that lie in memory otherwise than usual: transposed, with gaps, expanded. Runs in the grader's child."""

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from app.runtimes.torch.calls.remote_graph import Layout, RaisedThere, RemoteGraph
from app.runtimes.torch.grading.agreement import compare_gradients, compare_outputs
from app.runtimes.torch.grading.failing import NotPassed, first_line
from app.runtimes.torch.grading.gradient_checks import called
from app.runtimes.torch.grading.value_checks import compare_both, of_tensors

if TYPE_CHECKING:
    from app.runtimes.torch.grading.subject import Subject

_TRIES = 5


def _packed(shape: torch.Size) -> list[int]:
    """The strides of a contiguous tensor."""
    return list(itertools.accumulate(reversed(shape[1:]), lambda span, length: span * max(length, 1), initial=1))[::-1][: len(shape)]


def transposed(tensor: torch.Tensor) -> list[int]:
    return _packed(torch.Size(reversed(tensor.shape)))[::-1]


def with_gaps(tensor: torch.Tensor) -> list[int]:
    return [2 * stride for stride in _packed(tensor.shape)]


def expanded(tensor: torch.Tensor) -> list[int]:
    """The entries along the first axis that is longer than 1 share their place; see `repeated`."""
    axis = _long_axis(tensor)
    shape = torch.Size(1 if index == axis else length for index, length in enumerate(tensor.shape))
    return [0 if index == axis else stride for index, stride in enumerate(_packed(shape))]


def repeated(tensor: torch.Tensor) -> torch.Tensor:
    """The same, but constant along that axis."""
    axis = _long_axis(tensor)
    return tensor if axis is None else tensor.narrow(axis, 0, 1).expand(tensor.shape).contiguous()


def _long_axis(tensor: torch.Tensor) -> int | None:
    return next((axis for axis, length in enumerate(tensor.shape) if length > 1), None)


def _long_axes(args: list[Any]) -> int:
    """The most axes longer than 1 that a tensor among the arguments has."""
    return max((sum(length > 1 for length in value.shape) for value in args if isinstance(value, torch.Tensor)), default=0)


def _unchanged(tensor: torch.Tensor) -> torch.Tensor:
    return tensor


_LAYOUTS: tuple[tuple[str, Layout, Callable[[torch.Tensor], torch.Tensor]], ...] = (
    ("transposed", transposed, _unchanged),
    ("gaps", with_gaps, _unchanged),
    ("expanded", expanded, repeated),
)


def check_strides(subject: "Subject") -> None:
    """Incoming gradients laid out in each way, then arguments. What is wrong in the usual layout, too, is not put down to the layout."""
    args = max((subject.drawn() for _ in range(_TRIES)), key=_long_axes)  # along one axis alone little can be laid out otherwise
    theirs, ours = called(subject, args)
    for name, layout, change in _LAYOUTS:
        grads = [None if grad is None else change(grad) for grad in subject.incoming(ours)]
        try:
            _compare_pulled(subject, theirs, ours, grads, layout, "layout-gradient", layout=name)
        except NotPassed:
            expected, got = subject.ours.pull(ours, grads).outputs, subject.theirs.pull(theirs, grads).outputs
            compare_gradients("gradient-value", got, expected, function=subject.name, arguments=args, incoming=grads)
            raise
    for name, layout, change in _LAYOUTS:
        changed = of_tensors(args, change)
        try:
            _compare_called(subject, changed, layout, name)
        except NotPassed:
            compare_both(subject, changed, function=subject.name, arguments=changed)
            raise


def _compare_called(subject: "Subject", args: list[Any], layout: Layout, name: str) -> None:
    ours = subject.ours.call(args)
    try:
        theirs = subject.theirs.call(args, layout=layout)
    except RaisedThere as error:
        raise _failed("layout-argument", error, subject, name) from None
    try:
        compare_outputs(theirs, ours)
    except NotPassed as failed:
        raise NotPassed("layout-argument", function=subject.name, layout=name, got=failed.values.get("got", "")) from None
    _compare_pulled(subject, theirs, ours, subject.incoming(ours), None, "layout-argument", layout=name)


def _compare_pulled(
    subject: "Subject",
    theirs: RemoteGraph,
    ours: RemoteGraph,
    grads: list[torch.Tensor | None],
    strides: Layout | None,
    code: str,
    *,
    layout: str,
) -> None:
    expected = subject.ours.pull(ours, grads).outputs
    try:
        got: list[Any] = subject.theirs.pull(theirs, grads, layout=strides).outputs
    except RaisedThere as error:
        raise _failed(code, error, subject, layout) from None
    compare_gradients(code, got, expected, function=subject.name, layout=layout)


def _failed(code: str, error: RaisedThere, subject: "Subject", layout: str) -> NotPassed:
    first = first_line(error.raised.message)
    return NotPassed(code, function=subject.name, layout=layout, got=f"{error.raised.type}: {first}")
