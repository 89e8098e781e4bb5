"""Draws random arguments; the seed is chosen after the submission has arrived. Runs in the grader's child."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import torch

Item = TypeVar("Item")
_AXIS = 4  # the length of the longest axis of a drawn shape


class Draws:
    """The object `draw` of a checks.py: one random generator, seeded once."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._generator = torch.Generator().manual_seed(seed % 2**63)
        self._entries = _AXIS * _AXIS

    @contextmanager
    def small(self, entries: int) -> Iterator[None]:
        """Within the block, draw shapes of at most `entries` entries: for checks that send a request for each entry."""
        before, self._entries = self._entries, entries
        try:
            yield
        finally:
            self._entries = before

    def shape(self) -> tuple[int, ...]:
        """Return a random shape with one or two axes, lengths from 1 to 4, and at least two entries."""
        shapes: list[tuple[int, ...]] = [(rows,) for rows in range(2, _AXIS + 1)]
        shapes += [(rows, columns) for rows in range(1, _AXIS + 1) for columns in range(1, _AXIS + 1) if rows * columns > 1]
        return self._random.choice([shape for shape in shapes if torch.Size(shape).numel() <= self._entries])

    def number(self, low: float = -2.0, high: float = 2.0) -> float:
        return self._random.uniform(low, high)

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        return self._random.randint(low, high)

    def choice(self, items: Sequence[Item]) -> Item:
        return self._random.choice(items)

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        return self._random.sample(items, len(items))

    def tensor(
        self,
        shape: Sequence[int] | None = None,
        low: float = -2.0,
        high: float = 2.0,
        dtype: torch.dtype = torch.float64,
        grad: bool = True,
    ) -> torch.Tensor:
        """Return a tensor with entries between `low` and `high`, both included if `dtype` is of whole numbers.

        `shape` is drawn if it is None; `grad` says whether the tensor requires grad.
        """
        size = self.shape() if shape is None else tuple(shape)
        if not dtype.is_floating_point:
            return torch.randint(int(low), int(high) + 1, size, generator=self._generator).to(dtype)
        entries = torch.rand(size, generator=self._generator, dtype=torch.float64) * (high - low) + low
        return entries.to(dtype).requires_grad_(grad)

    def apart(self, tensor: torch.Tensor, from_: float = 0.0, by: float = 0.1) -> torch.Tensor:
        """Return the tensor with entries that are too near to `from_`, such as a kink, moved away from it.

        Each is then at least `by` away.
        """
        with torch.no_grad():
            away = tensor - from_
            side = torch.where(away < 0, -torch.ones_like(away), torch.ones_like(away))
            moved = from_ + torch.where(away.abs() < by, side * (by + away.abs()), away)
        return moved.requires_grad_(tensor.requires_grad)

    def like(self, tensor: torch.Tensor, scale: float = 1.0) -> torch.Tensor:
        """Return an incoming gradient of the shape and dtype of `tensor`: random entries of either sign, none near zero, times `scale`."""
        return (self.apart(self.tensor(tensor.shape, -3.0, 3.0, grad=False), by=0.2) * scale).to(tensor.dtype)


def as_list(value: Any) -> list[Any]:
    """Return the items of a list or tuple, or a list of the one value: an author's function may return one value or several."""
    return list(value) if isinstance(value, (list, tuple)) else [value]
