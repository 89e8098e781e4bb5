"""Compares what the learner's function returns with what the reference returns. Runs in the grader's child."""

from collections.abc import Sequence
from typing import Any

import torch

from app.runtimes.torch.calls.remote_graph import RemoteGraph
from app.runtimes.torch.grading.not_passed import NotPassed, shown_apart, values_apart

RELATIVE = {torch.float64: 1e-6, torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 5e-2}
ABSOLUTE = {torch.float64: 1e-9, torch.float32: 1e-6, torch.float16: 1e-3, torch.bfloat16: 1e-2}
_LEAST_SCALE = {
    torch.float64: 1e-3
}  # for tensors whose largest entry is below 1, the absolute tolerance shrinks with it, to this share of it
_OF_LARGEST = 1e-3  # the share of the largest entry's tolerance that each entry may use in addition to its own


def wrong_entries(got: torch.Tensor, expected: torch.Tensor, *, absolute: float | None = None) -> torch.Tensor:
    """Return a tensor that is true where two tensors of the same shape and dtype do not agree.

    `absolute` is the absolute tolerance. By default it is that of the dtype, or less in proportion if all entries are below 1: tiny
    derivatives are compared, too. It is never as small as the rounding errors of numbers of about 1.
    """
    if not (expected.dtype.is_floating_point or expected.dtype.is_complex):
        return got != expected
    relative = RELATIVE.get(expected.dtype, 1e-4)
    size = expected.abs()
    finite = size[size.isfinite()]
    largest = float(finite.max()) if finite.numel() else 0.0
    if absolute is None:
        absolute = ABSOLUTE.get(expected.dtype, 1e-6) * min(1.0, max(largest, _LEAST_SCALE.get(expected.dtype, 1.0)))
    near = (got - expected).abs() <= relative * (size + _OF_LARGEST * largest) + absolute
    same = (got == expected) | (got.isnan() & expected.isnan())
    return ~(torch.where(expected.isfinite(), near, False) | same)


def agree(got: Any, expected: Any, *, absolute: float | None = None) -> bool:
    """Return whether two gradients agree; None counts as a gradient of zeros."""
    if got is None or expected is None:
        given = expected if got is None else got
        return given is None or not wrong_entries(torch.zeros_like(given), given.detach(), absolute=absolute).any()
    return bool(got.shape == expected.shape and not wrong_entries(got, expected, absolute=absolute).any())


def compare_outputs(theirs: RemoteGraph, ours: RemoteGraph, *, absolute: float | None = None, **case: Any) -> None:
    """Raise NotPassed if the outputs of two calls differ in number, kind, shape, dtype or entries.

    `case` is added to the values of the message.
    """
    if theirs.is_sequence != ours.is_sequence:
        raise _sequence_error(theirs, ours, case)
    if len(theirs.outputs) != len(ours.outputs):
        raise NotPassed("outputs-number", expected=len(ours.outputs), got=len(theirs.outputs), **case)
    outputs = {"outputs": len(ours.outputs)} if ours.is_sequence else {}
    for index, (got, expected) in enumerate(zip(theirs.outputs, ours.outputs, strict=True), start=1):
        _compare_output(got, expected, absolute, output=index, **outputs, **case)


def _sequence_error(theirs: RemoteGraph, ours: RemoteGraph, case: dict[str, Any]) -> NotPassed:
    """Return the error for two calls of which only one returned a tuple or list."""
    if ours.is_sequence:
        return NotPassed("output-no-sequence", expected=len(ours.outputs), got=name_kind(theirs.outputs[0]), **case)
    if len(theirs.outputs) == 1 and isinstance(ours.outputs[0], torch.Tensor):
        return NotPassed("output-in-tuple", **case)
    return NotPassed("output-sequence", expected=name_kind(ours.outputs[0]), got=len(theirs.outputs), **case)


def _not_equal(expected: str, got: str, case: dict[str, Any]) -> NotPassed:
    return NotPassed("outputs-value" if "outputs" in case else "output-value", expected=expected, got=got, **case)


def _compare_output(got: Any, expected: Any, absolute: float | None, **case: Any) -> None:
    if not isinstance(expected, torch.Tensor) or not isinstance(got, torch.Tensor):
        if type(got) is not type(expected):
            raise NotPassed("output-kind", expected=name_kind(expected), got=name_kind(got), **case)
        if isinstance(expected, float) and agree(torch.tensor(got).double(), torch.tensor(expected).double()):
            return
        if isinstance(expected, list) and len(expected) == len(got):
            for item, wanted in zip(got, expected, strict=True):
                _compare_output(item, wanted, absolute, **case)
            return
        if got != expected:
            raise _not_equal(*values_apart(expected, got), case)
        return
    if got.shape != expected.shape:
        raise NotPassed("output-shape", expected=list(expected.shape), got=list(got.shape), **case)
    if got.dtype != expected.dtype:
        raise NotPassed("output-dtype", expected=str(expected.dtype), got=str(got.dtype), **case)
    wrong = wrong_entries(got, expected, absolute=absolute)
    if wrong.any():
        raise _not_equal(*shown_apart(expected, got, wrong), case)


def name_kind(value: Any) -> str:
    """Return the kind of a value in words for a message, such as "a tensor" or "None"."""
    return "a tensor" if isinstance(value, torch.Tensor) else "None" if value is None else f"a value of type {type(value).__name__}"


def needs_grad(value: Any) -> bool:
    """Return whether this argument is a tensor that requires grad."""
    return isinstance(value, torch.Tensor) and value.requires_grad


def list_differentiable(arguments: Sequence[Any]) -> list[int]:
    """Return the positions of the tensors that require grad, counted from 1."""
    return [place for place, value in enumerate(arguments, 1) if needs_grad(value)]


def compare_gradients(code: str, got: Sequence[Any], expected: Sequence[Any], *, absolute: float | None = None, **case: Any) -> None:
    """Raise NotPassed for the first gradient that differs. None counts as a gradient of zeros.

    The message has the code `code`, and `case` is added to its values. If `code` is "gradient-value" and the learner's gradient is None,
    the code is "gradient-missing" instead. The message gives the number of the input. Inputs are counted among all `arguments` of the case
    if each argument that requires grad has one gradient.
    """
    places = list_differentiable(case.get("arguments", ()))
    for index, gradient, wanted in zip(places if len(places) == len(got) else range(1, len(got) + 1), got, expected, strict=True):
        if agree(gradient, wanted, absolute=absolute):
            continue
        if gradient is None:
            raise NotPassed("gradient-missing" if code == "gradient-value" else code, input=index, expected=wanted, got="None", **case)
        wanted = torch.zeros_like(gradient) if wanted is None else wanted
        texts = shown_apart(wanted, gradient, wrong_entries(gradient, wanted, absolute=absolute))
        raise NotPassed(code, input=index, expected=texts[0], got=texts[1], **case)
