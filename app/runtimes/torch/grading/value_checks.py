"""What a function returns: against the reference, in other dtypes, of odd shapes, at other scales. Runs in the grader's child."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import torch

from app.runtimes.torch.calls.remote_graph import Layout, RemoteGraph
from app.runtimes.torch.grading.agreement import compare_gradients, compare_outputs, name_kind
from app.runtimes.torch.grading.failing import AuthorFault, NotPassed, shown_apart

if TYPE_CHECKING:
    from app.runtimes.torch.grading.subject import Subject

_SCALES = (1e-4, 1e3)
TINY = 1e-30  # what is next to nothing even at the smallest scale


def check_values(subject: "Subject", times: int) -> None:
    for _ in range(times):
        args = subject.drawn()
        compare_outputs(subject.theirs.call(args), subject.ours.call(args), function=subject.name, arguments=args)


def check_dtypes(subject: "Subject", absolute: float | None = None) -> None:
    """Arguments in single precision, and gradients through them."""
    args = of_tensors(subject.drawn(), lambda tensor: tensor.float() if tensor.dtype == torch.float64 else tensor)
    compare_both(subject, args, absolute=absolute, function=subject.name, arguments=args, case="float32")


def check_scalars(subject: "Subject") -> None:
    """Tensors without axes and without entries, where the reference takes them, and arguments that are no leaves."""
    args = subject.drawn()
    shapes = {value.shape for value in args if isinstance(value, torch.Tensor)}
    if len(shapes) == 1:
        for shape, case in (((), "zero-dimensional"), ((0,), "empty")):
            odd = of_tensors(args, partial(_reshaped, shape=shape))
            compare_both(subject, odd, optional=True, function=subject.name, arguments=odd, case=case)
    compare_both(subject, args, leaf=False, function=subject.name, arguments=args, case="non-leaf")


def _reshaped(tensor: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    return tensor.reshape(-1)[:1].reshape(shape) if shape == () else tensor.reshape(-1)[:0]


def compare_both(
    subject: "Subject",
    args: list[Any],
    *,
    optional: bool = False,
    finite: bool = False,
    gradients: bool = True,
    leaf: bool = True,
    layout: Layout | None = None,
    absolute: float | None = None,
    **case: Any,
) -> None:
    """Compare outputs and, unless told otherwise, gradients. Raises NotPassed.

    `optional`: nothing is asked where the reference does not accept these arguments; `finite`: nor where its outputs are not finite.
    """
    try:
        ours = subject.ours.call(args, leaf=leaf)
    except AuthorFault:
        if optional:
            return
        raise
    if finite and not _all_finite(ours.outputs):
        return
    theirs = subject.theirs.call(args, leaf=leaf, layout=layout)
    compare_outputs(theirs, ours, absolute=absolute, **case)
    if gradients and any(ours.differentiable):
        grads = subject.incoming(ours)
        compare_gradients("gradient-value", *_pulled(subject, theirs, ours, grads), absolute=absolute, **case, incoming=grads)


def check_scale(subject: "Subject") -> None:
    """Inputs of several sizes with gradients of size 1, then the other way round: errors count relative to what is compared."""
    for scale in _SCALES:
        args = of_tensors(subject.drawn(), partial(torch.mul, other=scale))
        case = {"function": subject.name, "scale": scale, "arguments": args}
        ours = subject.ours.call(args)
        if not _all_finite(ours.outputs):
            continue
        theirs = subject.theirs.call(args)
        compare_outputs(theirs, ours, absolute=TINY, **case)
        _compare_scaled(subject, theirs, ours, 1.0, case)
    args = subject.drawn()
    ours, theirs = subject.ours.call(args), subject.theirs.call(args)
    compare_outputs(theirs, ours, function=subject.name, arguments=args)
    for scale in _SCALES:
        _compare_scaled(subject, theirs, ours, scale, {"function": subject.name, "scale": scale, "arguments": args})


def _compare_scaled(subject: "Subject", theirs: RemoteGraph, ours: RemoteGraph, scale: float, case: dict[str, Any]) -> None:
    grads = subject.incoming(ours, scale)
    if not any(ours.differentiable):
        return
    got, expected = _pulled(subject, theirs, ours, grads)
    if _all_finite(expected):
        compare_gradients("scale-gradient", got, expected, absolute=TINY, **case, incoming=grads)


def _pulled(subject: "Subject", theirs: RemoteGraph, ours: RemoteGraph, grads: list[torch.Tensor | None]) -> tuple[list[Any], list[Any]]:
    return subject.theirs.pull(theirs, grads).outputs, subject.ours.pull(ours, grads).outputs


def _all_finite(values: list[Any]) -> bool:
    return all(bool(value.isfinite().all()) for value in values if isinstance(value, torch.Tensor))


def check_close(subject: "Subject", target: Callable[..., torch.Tensor], atol: float, times: int) -> None:
    """What was trained: outputs near those of `target(*args)`, which may broadcast."""
    for _ in range(times):
        args = subject.drawn()
        got, expected = next(iter(subject.theirs.call(args).outputs), None), torch.as_tensor(target(*args)).detach()
        case = {"function": subject.name, "arguments": args, "output": 1}
        if not isinstance(got, torch.Tensor):
            raise NotPassed("output-kind", expected=name_kind(expected), got=name_kind(got), **case)
        if got.shape != expected.shape:
            raise NotPassed("output-shape", expected=list(expected.shape), got=list(got.shape), **case)
        far = ~((got.double() - expected.double()).abs() <= atol)
        if far.any():
            wanted, given = shown_apart(expected, got, far)
            raise NotPassed("not-close", function=subject.name, arguments=args, expected=wanted, got=given, atol=atol)


def of_tensors(args: list[Any], change: Callable[[torch.Tensor], torch.Tensor]) -> list[Any]:
    """The arguments with each tensor of real numbers changed, as new leaves."""
    return list(_changed(args, change))


def _changed(args: list[Any], change: Callable[[torch.Tensor], torch.Tensor]) -> Iterator[Any]:
    for value in args:
        if isinstance(value, torch.Tensor) and value.dtype.is_floating_point:
            yield change(value.detach()).clone().requires_grad_(value.requires_grad)
        else:
            yield value
