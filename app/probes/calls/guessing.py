"""Guesses arguments for a Function that was never called, so that it can be examined."""

import itertools
from collections.abc import Iterator
from typing import Any

import torch

from app.probes.calls.prepared_call import POSITIONAL, ApplyCall, forward_parameters

SHAPES = ((2, 3), (3,), (3, 3), ())
NUMBER = 2
MOST_PARAMETERS = 5
MOST_TRIES = 64


def guess_call(function: type[torch.autograd.Function]) -> ApplyCall | None:
    """Return a call that does not raise, with tensors of one shape and numbers in place of some; None if none is found.

    A tensor needs a gradient only if the Function returns one for it: whether an argument should have a gradient cannot be guessed.
    """
    parameters = forward_parameters(function)
    required = [each for each in parameters if each.default is each.empty]
    if not 0 < len(required) <= MOST_PARAMETERS or any(each.kind not in POSITIONAL for each in parameters):
        return None
    for arguments in itertools.islice(candidates(len(required)), MOST_TRIES):
        try:
            with torch.enable_grad():
                output = function.apply(*arguments)  # type: ignore[no-untyped-call]
                several = output if isinstance(output, tuple) else (output,)
                outputs = [each for each in several if torch.is_tensor(each) and each.requires_grad]
                tensors = [each for each in arguments if torch.is_tensor(each)]
                grads = torch.autograd.grad(outputs, tensors, [torch.ones_like(each) for each in outputs], allow_unused=True)
        except Exception:
            continue
        if not all(bool(torch.isfinite(each).all()) for each in outputs):
            continue
        given = {id(tensor) for tensor, grad in zip(tensors, grads, strict=True) if grad is not None}
        if given:
            copies = (each.detach().requires_grad_(id(each) in given) if torch.is_tensor(each) else each for each in arguments)
            return ApplyCall(function, tuple(copies))
    return None


def candidates(count: int) -> Iterator[tuple[Any, ...]]:
    """Yield arguments to try. Those with the most tensors come first."""
    generator = torch.Generator().manual_seed(0)
    for numbers in range(count):
        for places in itertools.combinations(range(count - 1, 0, -1), numbers):
            for shape in SHAPES:
                yield tuple(NUMBER if place in places else draw(shape, generator) for place in range(count))


def draw(shape: tuple[int, ...], generator: torch.Generator) -> torch.Tensor:
    """Return entries between 0.5 and 1.5, where most functions are defined and smooth."""
    return (torch.rand(shape, generator=generator, dtype=torch.double) + 0.5).requires_grad_()
