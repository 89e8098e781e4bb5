"""Derivatives of a call by central differences in double precision.

Two step sizes give two estimates and, by Richardson's extrapolation, a better third. Where the two disagree, or the one-sided
differences do not approach each other, there is a kink or a jump: such entries are not trusted.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch

from app.probes.calls.prepared_call import PreparedCall
from app.probes.reference.real_view import from_real_vector, real_vector

STEP = 1e-5  # the step, relative to the size of what is moved
AGREE = 1e-3  # the most by which the two estimates may differ, relative to them
ROUGH_STEP = 1e-7  # relative to an input's size; for finding out whether values are rounded to less than double precision
ROUGH = 1e-10  # relative to the largest value; that step bends smooth values by about 1e-14, and single precision by 1e-8
NOISE = 1e-15  # the rounding error of a value in double precision, relative to the largest

Values = Callable[[torch.Tensor], torch.Tensor]


class Derivative(NamedTuple):
    """How each real number of the outputs changes along a direction. `error`: an estimate; infinite at a kink."""

    value: torch.Tensor
    error: torch.Tensor

    def times(self, weights: torch.Tensor) -> tuple[float, float]:
        """Return the weighted sum of the changes, and its error. At a kink the weight must be 0, or the error is infinite."""
        used = weights != 0
        value = (self.value[used] * weights[used]).sum()
        return float(value), float((self.error[used] * weights[used].abs()).sum())


def derivative(values: Values, at: torch.Tensor, direction: torch.Tensor, base: torch.Tensor) -> Derivative:
    """Return the derivative of `values` at the real vector `at` along `direction`. `base`: the values there."""
    step = step_of(at, direction)
    far = sides(values, at, direction, step)
    near = sides(values, at, direction, step / 2)
    coarse, fine = ((after - before) / (2 * size) for (before, after), size in ((far, step), (near, step / 2)))
    bend_far = ((far[1] - base) - (base - far[0])) / step
    bend_near = ((near[1] - base) - (base - near[0])) / (step / 2)
    noise = 10 * NOISE * torch.maximum(base.abs(), base.abs().max() if base.numel() else base) / step
    value = (4 * fine - coarse) / 3
    error = (fine - coarse).abs() + noise
    has_kink = (bend_near.abs() > 0.75 * bend_far.abs()) & (bend_near.abs() > 1e-3 * value.abs() + 10 * noise)
    differs = (fine - coarse).abs() > AGREE * fine.abs() + 10 * noise
    return Derivative(value, torch.where(has_kink | differs | ~value.isfinite(), torch.inf, error))


def step_of(at: torch.Tensor, direction: torch.Tensor) -> float:
    moved = direction != 0
    typical = float(at.square().mean().sqrt())
    size = float(at[moved].abs().max()) if bool(moved.any()) else 0.0
    return STEP * (max(size, 0.01 * typical) or 1.0) / float(direction.abs().max())


def sides(values: Values, at: torch.Tensor, direction: torch.Tensor, step: float) -> tuple[torch.Tensor, torch.Tensor]:
    return values(at - step * direction), values(at + step * direction)


class Differences:
    """The derivatives of a call's differentiable outputs with respect to one of its inputs."""

    def __init__(self, prepared: PreparedCall, place: int) -> None:
        self._prepared, self._place = prepared, place
        self._like = prepared.arguments[place]
        self._at = real_vector(self._like)
        self._base = self._values(self._at)
        self._columns: dict[int, Derivative] = {}

    def _values(self, at: torch.Tensor) -> torch.Tensor:
        applied = self._prepared.with_value(self._place, from_real_vector(at, self._like)).apply()
        return torch.cat([real_vector(each) for each in applied.differentiable_outputs()])

    def column(self, position: int) -> Derivative:
        """Return the derivative with respect to one real number of the input. Raises what the Function raises."""
        if position not in self._columns:
            direction = torch.zeros_like(self._at)
            direction[position] = 1
            self._columns[position] = derivative(self._values, self._at, direction, self._base)
        return self._columns[position]

    def along(self, direction: torch.Tensor) -> Derivative:
        return derivative(self._values, self._at, direction, self._base)

    def is_rough(self) -> bool:
        """Return whether most values have larger errors than double precision, which means that they are computed in a lower one.

        At four times the step, a smooth bend is sixteen times as large, but noise is not.
        """
        bends = ((self._bend(ROUGH_STEP, seed), self._bend(4 * ROUGH_STEP, seed)) for seed in range(3))
        return any(near > ROUGH * float(self._base.abs().max()) and not 11 * near < far < 22 * near for near, far in bends)

    def _bend(self, part: float, seed: int) -> float:
        """Return the median of the second differences of all values, at steps of `part` times the input's size."""
        direction = torch.randn(self._at.shape, generator=torch.Generator().manual_seed(seed), dtype=self._at.dtype)
        step = part * (float(self._at.abs().max()) or 1.0) * direction
        near, far = self._values(self._at + step), self._values(self._at + 2 * step)
        return float((far - 2 * near + self._base).abs().median())

    def moves(self, amount: float) -> torch.Tensor:
        """Return how far the outputs move when all entries of the input move by a share of its size, in directions drawn at random."""
        generator = torch.Generator().manual_seed(1)
        size = float(self._at.square().mean().sqrt()) or 1.0
        moved = self._at + amount * size * torch.randn(self._at.shape, generator=generator, dtype=self._at.dtype)
        values = self._values(moved)
        return (values - self._base).abs().where(values != self._base, 0.0)  # what stays infinite does not move
