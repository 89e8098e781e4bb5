"""A first-order gradient that is wrong, with all measurements of it."""

from dataclasses import dataclass
from typing import NamedTuple

import torch


class Draw(NamedTuple):
    """One backward pass: its incoming gradients and the gradient of one input.

    There is one incoming gradient for each output of `apply`; None if it has no gradient. `got` is zero where the Function returned None.
    Complex gradients follow PyTorch's convention.
    """

    incoming: tuple[torch.Tensor | None, ...]
    expected: torch.Tensor
    got: torch.Tensor


@dataclass(frozen=True)
class Entry:
    """The entry that shows the fault best. For a complex gradient, the numbers are its real or its imaginary part, whichever is wrong."""

    index: list[int]
    expected: float
    got: float


class WrongGradient(NamedTuple):
    """A wrong gradient. `input`: the position among the arguments of `apply`.

    `output`: that among its outputs, None if no output alone shows it.

    `draws`: all draws of all outputs. `draws[shown]`: the one with the entry `worst`. Everything is in double precision.
    """

    input: int
    output: int | None
    draws: list[Draw]
    shown: int
    worst: Entry
