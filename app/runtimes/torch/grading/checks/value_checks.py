"""Checks of what a function returns: its values, in other dtypes, of odd shapes, at other scales. Runs in the grader's child."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from app.runtimes.torch.calls.remote_graph import Layout, RemoteGraph
from app.runtimes.torch.grading.checks.agreement import compare_gradients, compare_outputs, name_kind
from app.runtimes.torch.grading.checks.function_pair import FunctionPair
from app.runtimes.torch.grading.checks.gradient_checks import compare_second
from app.runtimes.torch.grading.not_passed import AuthorFault, NotPassed, shown_apart

_SCALES = (1e-4, 1e3)
_ODD_SHAPES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "zero-dimensional": lambda tensor: tensor.reshape(-1)[:1].reshape(()),
    "empty": lambda tensor: tensor.reshape(-1)[:0],
}
ROUNDING = 1e-14  # the absolute error that a sum with 1 may make, as in log(1 + x**2) at a small x
TINY = 1e-30  # an absolute tolerance that is negligible even at the smallest scale


def check_values(pair: FunctionPair, times: int = 3) -> None:
    """Compare the outputs for `times` drawn lists of arguments."""
    for _ in range(times):
        args = pair.drawn()
        compare_outputs(pair.theirs.call(args), pair.ours.call(args), function=pair.name, arguments=args)


def check_dtypes(pair: FunctionPair, absolute: float | None = None) -> None:
    """Compare outputs and gradients for arguments in single precision.

    `absolute` is an additional tolerance, for outputs that are truly zero and come out as rounding errors.
    """
    args = of_tensors(pair.drawn(), lambda tensor: tensor.float() if tensor.dtype == torch.float64 else tensor)
    compare_both(pair, args, absolute=absolute, function=pair.name, arguments=args, case="float32")


def check_scalars(pair: FunctionPair) -> None:
    """Compare for tensors without axes, for tensors without entries, and for arguments that are not leaves.

    The first two cases are skipped if the reference raises.
    """
    args = pair.drawn()
    shapes = {value.shape for value in args if isinstance(value, torch.Tensor)}
    if len(shapes) == 1:
        for case, reshape in _ODD_SHAPES.items():
            odd = of_tensors(args, reshape)
            compare_both(pair, odd, optional=True, function=pair.name, arguments=odd, case=case)
    compare_both(pair, args, leaf=False, function=pair.name, arguments=args, case="non-leaf")


def compare_both(
    pair: FunctionPair,
    args: list[Any],
    *,
    optional: bool = False,
    finite: bool = False,
    gradients: bool = True,
    second: bool = False,
    leaf: bool = True,
    layout: Layout | None = None,
    absolute: float | None = None,
    **case: Any,
) -> None:
    """Raise NotPassed if the outputs for `args` differ or, with `gradients`, if their gradients differ, or with `second` those of these.

    `case` is added to the values of the message. With `optional`, nothing is compared if the reference raises for `args`. With `finite`,
    nothing is compared if the reference's outputs are not finite, and no second derivative if the reference's is not. `leaf` and `layout`
    say how the arguments arrive (Asker.call). `absolute` is the absolute tolerance.
    """
    try:
        ours = pair.ours.call(args, leaf=leaf)
    except AuthorFault:
        if optional:
            return
        raise
    if finite and not all_finite(ours.outputs):
        return
    theirs = pair.theirs.call(args, leaf=leaf, layout=layout)
    compare_outputs(theirs, ours, absolute=absolute, **case)
    if gradients and any(ours.differentiable):
        if second:
            compare_second(pair, theirs, ours, absolute=absolute, **case)
            return
        grads = pair.incoming(ours)
        compare_gradients("gradient-value", *pair.pull_both(theirs, ours, grads), absolute=absolute, **case, incoming=grads)


def check_scale(pair: FunctionPair) -> None:
    """Compare for arguments at several scales, and then for incoming gradients at these scales, with relative tolerances alone."""
    for scale in _SCALES:
        args = of_tensors(pair.drawn(), partial(torch.mul, other=scale))
        case = {"function": pair.name, "scale": scale, "arguments": args}
        ours = pair.ours.call(args)
        if not all_finite(ours.outputs):
            continue
        theirs = pair.theirs.call(args)
        compare_outputs(theirs, ours, absolute=ROUNDING, **case)
        _compare_scaled(pair, theirs, ours, 1.0, case)
    args = pair.drawn()
    ours, theirs = pair.ours.call(args), pair.theirs.call(args)
    compare_outputs(theirs, ours, function=pair.name, arguments=args)
    for scale in _SCALES:
        _compare_scaled(pair, theirs, ours, scale, {"function": pair.name, "scale": scale, "arguments": args})


def _compare_scaled(pair: FunctionPair, theirs: RemoteGraph, ours: RemoteGraph, scale: float, case: dict[str, Any]) -> None:
    grads = pair.incoming(ours, scale)
    if not any(ours.differentiable):
        return
    got, expected = pair.pull_both(theirs, ours, grads)
    if all_finite(expected):
        compare_gradients("scale-gradient", got, expected, absolute=TINY, **case, incoming=grads)


def all_finite(values: list[Any]) -> bool:
    """Return whether all tensors among the values are finite."""
    return all(bool(value.isfinite().all()) for value in values if isinstance(value, torch.Tensor))


def check_close(pair: FunctionPair, target: Callable[..., torch.Tensor], atol: float, times: int = 3) -> None:
    """Compare the first output with `target(*args)` for `times` drawn lists of arguments. This check is for functions that were trained.

    `atol` is the largest absolute error that passes.
    """
    for _ in range(times):
        args = pair.drawn()
        got, expected = next(iter(pair.theirs.call(args).outputs), None), torch.as_tensor(target(*args)).detach()
        case = {"function": pair.name, "arguments": args, "output": 1}
        if not isinstance(got, torch.Tensor):
            raise NotPassed("output-kind", expected=name_kind(expected), got=name_kind(got), **case)
        if got.shape != expected.shape:
            raise NotPassed("output-shape", expected=list(expected.shape), got=list(got.shape), **case)
        far = ~((got.double() - expected.double()).abs() <= atol)
        if far.any():
            wanted, given = shown_apart(expected, got, far)
            raise NotPassed("not-close", function=pair.name, arguments=args, expected=wanted, got=given, atol=atol)


def of_tensors(args: list[Any], change: Callable[[torch.Tensor], torch.Tensor]) -> list[Any]:
    """Return the arguments with `change` applied to each tensor of real numbers; the changed tensors are new leaves."""
    return [
        change(value.detach()).clone().requires_grad_(value.requires_grad)
        if isinstance(value, torch.Tensor) and value.dtype.is_floating_point
        else value
        for value in args
    ]
