"""Recognises gradients with respect to a small motion on a Lie group, such as that of rotations, instead of the stored numbers.

A unit quaternion has four numbers and moves in three directions: libraries of rotations put these three into the gradient, and then a zero.
Such gradients are not judged.
"""

import torch

from app.probes.gradients.gradient import DrawComparison
from app.probes.reference.real_view import index_of, real_vector
from app.probes.reference.reference import GradientReference

SIZES = 2, 3, 4  # how many numbers may have the norm one
LEAST_ROWS = 2  # a single row may have this norm by chance


def is_tangent(reference: GradientReference, comparison: DrawComparison) -> bool:
    """Return whether an input, or an output, stores elements of such a group, and the last place of its gradient has no meaning."""
    if not any(bool(each.got.any()) for each in comparison.draws):
        return False
    if has_unit_part(reference.prepared.arguments[comparison.input]) and is_last_zero(comparison):
        return True
    return any(is_last_ignored(reference, comparison, place) for place in reference.applied.differentiable)


def is_last_zero(comparison: DrawComparison) -> bool:
    """Return whether the last place of the gradient is always zero, and the first place is not."""
    got = torch.stack([draw.got for draw in comparison.draws]).flatten(0, -2)
    return not bool(got[:, -1].any()) and bool(got[:, 0].any())


def has_unit_part(tensor: torch.Tensor) -> bool:
    """Return whether some neighbours in the last dimension have the norm one in all rows, and are not only zeros and ones."""
    if tensor.dim() < 2 or tensor.is_complex() or tensor.shape[:-1].numel() < LEAST_ROWS:
        return False
    rows = tensor.detach().reshape(-1, tensor.shape[-1])
    parts = [rows[:, start : start + size] for size in SIZES for start in range(tensor.shape[-1] - size + 1)]
    return any(is_unit(each) for each in parts)


def is_unit(rows: torch.Tensor) -> bool:
    is_mixed = bool(((rows.abs() > 1e-3).sum(1) > 1).all())
    return is_mixed and torch.allclose(rows.square().sum(1), torch.ones_like(rows[:, 0]), rtol=0, atol=1e-5)


def is_last_ignored(reference: GradientReference, comparison: DrawComparison, place: int) -> bool:
    """Return whether an output stores elements of such a group, and backward ignores the last place of its incoming gradient."""
    output = reference.applied.outputs[place]
    if not has_unit_part(output):
        return False
    of_last = [
        draw
        for drawn, draw in zip(comparison.drawn, comparison.draws, strict=True)
        if drawn.output == place and not drawn.dense and is_at_last(draw.incoming[place])
    ]
    return bool(of_last) and all(not bool(each.got.any()) for each in of_last)


def is_at_last(grad: torch.Tensor | None) -> bool:
    return grad is not None and index_of(int(real_vector(grad).abs().argmax()), grad)[-1] == grad.shape[-1] - 1
