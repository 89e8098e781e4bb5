"""Finds out whether a gradcheck failed only because its inputs are at a kink, where the slopes on the two sides differ.

There, gradcheck's central difference is a mean of both slopes, which a right backward need not return.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch

from app.probes.calls.copies import tensors_of
from app.probes.calls.preserved import preserved
from app.probes.reference.real_view import index_of
from app.probes.reference.shadow import nodes

STEP = 1e-6  # gradcheck's default
MOST_ENTRIES = 128  # the most entries of the inputs, and of the outputs
RTOL, ATOL = 1e-3, 1e-5  # gradcheck's defaults
_NOISE = 1e-8  # the error of a slope, relative to the largest value: rounding errors divided by the step
_NODES = 1000  # the most nodes that are searched for Functions


class Kink(NamedTuple):
    """A kink. `function`: the only Function in the graph of the outputs. `input`: the number of the input. `entry`: the entry's index."""

    function: type
    input: int
    entry: list[int]


class Slopes(NamedTuple):
    """The slopes of all outputs with respect to one entry.

    `near`, `far`: to its left and right, at gradcheck's step and at four times the step. `analytical`: those of backward.
    """

    near: tuple[torch.Tensor, torch.Tensor]
    far: tuple[torch.Tensor, torch.Tensor]
    analytical: torch.Tensor
    noise: float

    @property
    def kinks(self) -> torch.Tensor:
        """Whether there is a kink: a bend that stays the same at a smaller step.

        That of a smooth function shrinks, that of a jump grows.
        """
        near, far = ((right - left).abs() for left, right in (self.near, self.far))
        size = torch.maximum(self.near[0].abs(), self.near[1].abs())
        return (near > RTOL * size + ATOL + self.noise) & (near > 0.5 * far) & (near < 2 * far)

    @property
    def mismatched(self) -> torch.Tensor:
        central = (self.near[0] + self.near[1]) / 2
        return (self.analytical - central).abs() > RTOL * central.abs() + ATOL + self.noise

    @property
    def between(self) -> torch.Tensor:
        """Whether backward's slope is one of the two or between them."""
        left, right = self.near
        tolerance = RTOL * torch.maximum(left.abs(), right.abs()) + ATOL + self.noise
        return (self.analytical >= torch.minimum(left, right) - tolerance) & (self.analytical <= torch.maximum(left, right) + tolerance)


def find_kink(function: Callable[..., Any], inputs: tuple[torch.Tensor, ...]) -> Kink | None:
    """Return the kink because of which gradcheck fails; None if there is none, or if gradcheck would fail without it, too.

    `inputs`: copies, which are not changed. Never raises what the function raises.
    """
    try:
        with preserved(), torch.enable_grad():
            return _find(function, inputs)
    except (Exception, SystemExit):
        return None


def _find(function: Callable[..., Any], inputs: tuple[torch.Tensor, ...]) -> Kink | None:
    leaves = tuple(each.detach().clone().requires_grad_(each.requires_grad) for each in inputs)
    wanted = [place for place, each in enumerate(leaves) if each.requires_grad]
    outputs = differentiable_outputs(function, leaves)
    functions = {node._forward_cls for node in nodes(outputs, most=_NODES) if hasattr(node, "_forward_cls")}
    sizes = [sum(leaves[place].numel() for place in wanted), sum(each.numel() for each in outputs)]
    is_double = all(each.dtype == torch.float64 for each in [*outputs, *(leaves[place] for place in wanted)])
    if len(functions) != 1 or not is_double or not all(0 < size <= MOST_ENTRIES for size in sizes):
        return None
    first: tuple[int, int] | None = None
    for place, position, slopes in _slopes(function, leaves, wanted, torch.cat([each.reshape(-1) for each in outputs])):
        kinks, mismatched = slopes.kinks, slopes.mismatched
        if bool((mismatched & ~(kinks & slopes.between)).any()):
            return None
        if first is None and bool(mismatched.any()):
            first = place, position
    if first is None:
        return None
    place, position = first
    return Kink(functions.pop(), place, index_of(position, leaves[place]))


def _slopes(
    function: Callable[..., Any], leaves: tuple[torch.Tensor, ...], wanted: list[int], values: torch.Tensor
) -> Iterator[tuple[int, int, Slopes]]:
    """Yield the slopes with respect to each entry of each wanted input.

    The number of the input and the position of the entry come first.
    """
    given = [leaves[place] for place in wanted]
    rows = [torch.autograd.grad(each, given, retain_graph=True, allow_unused=True) for each in values]
    base, noise = values.detach(), _NOISE * float(values.detach().abs().max())

    def moved(place: int, position: int, step: float) -> torch.Tensor:
        copies = [each.detach().clone().requires_grad_(each.requires_grad) for each in leaves]
        copies[place].data.view(-1)[position] += step
        return torch.cat([each.detach().reshape(-1) for each in differentiable_outputs(function, tuple(copies))])

    for number, place in enumerate(wanted):
        for position in range(leaves[place].numel()):
            near, far = (
                ((base - moved(place, position, -step)) / step, (moved(place, position, step) - base) / step) for step in (STEP, 4 * STEP)
            )
            column = [base.new_zeros(()) if row[number] is None else row[number].reshape(-1)[position] for row in rows]
            yield place, position, Slopes(near, far, torch.stack(column), noise)


def differentiable_outputs(function: Callable[..., Any], inputs: tuple[torch.Tensor, ...]) -> list[torch.Tensor]:
    result = function(*inputs)
    outputs = result if isinstance(result, tuple | list) else [result]
    return [tensor for each in outputs for tensor in tensors_of(each) if tensor.requires_grad]
