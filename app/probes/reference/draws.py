"""Draws the incoming gradients with which a Function is tested.

For a small output these are all one-hot gradients, for a large one a fixed selection of them, and dense gradients for both.
"""

from collections.abc import Iterator
from typing import NamedTuple

import torch

from app.probes.calls.prepared_call import Applied
from app.probes.reference.real_view import length, one_hot

MOST_ONE_HOT = 32
FEWER_ONE_HOT = 16
DENSE = 4
MOST_NUMBERS = 8_000_000  # the most numbers in the gradients of all draws


class IncomingDraw(NamedTuple):
    """Incoming gradients. `grads`: one for each output, None where it is not differentiable.

    `output`: the only output whose gradient is not zero; None if all are drawn.
    """

    grads: tuple[torch.Tensor | None, ...]
    output: int | None
    dense: bool


def dense_like(tensor: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    return torch.randn(tensor.shape, generator=generator, dtype=tensor.dtype).to(tensor.device)


def all_draws(applied: Applied) -> Iterator[IncomingDraw]:
    """Yield the draws for all outputs together, then for each alone. Dense ones come first, because they show most faults."""
    generator = torch.Generator().manual_seed(7)
    most = most_draws(applied)
    if len(applied.differentiable) > 1:
        yield from (dense_draw(applied, generator) for _ in range(min(DENSE, most)))
    for place in applied.differentiable:
        yield from (dense_draw(applied, generator, place) for _ in range(min(DENSE, most)))
        output = applied.outputs[place]
        for position in one_hot_positions(length(output))[:most]:
            yield IncomingDraw(only(applied, place, one_hot(position, output)), place, dense=False)


def most_draws(applied: Applied) -> int:
    """Return how many draws of each kind fit into memory."""
    numbers = sum(length(each) for each in (*applied.leaves.values(), *applied.differentiable_outputs()))
    return max(2, MOST_NUMBERS // (2 * (numbers + 1) * (len(applied.differentiable) + 1)))


def dense_draw(applied: Applied, generator: torch.Generator, place: int | None = None) -> IncomingDraw:
    if place is not None:
        return IncomingDraw(only(applied, place, dense_like(applied.outputs[place], generator)), place, dense=True)
    outputs = [output if each in applied.differentiable else None for each, output in enumerate(applied.outputs)]
    return IncomingDraw(tuple(None if each is None else dense_like(each, generator) for each in outputs), None, dense=True)


def only(applied: Applied, place: int, grad: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
    grads = applied.zeros()
    grads[place] = grad
    return tuple(grads)


def one_hot_positions(size: int) -> list[int]:
    if size <= MOST_ONE_HOT:
        return list(range(size))
    drawn = torch.randperm(size, generator=torch.Generator().manual_seed(size))[: FEWER_ONE_HOT - 2]
    return sorted({0, size - 1, *(int(each) for each in drawn)})
