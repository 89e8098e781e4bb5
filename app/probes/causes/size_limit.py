"""Stops a changed program before it makes a tensor that is much larger than those of the original program."""

import math
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

TIMES = 16
LEAST = 100_000  # numbers
NEW = {torch.Tensor.new_zeros, torch.Tensor.new_ones, torch.Tensor.new_empty}
FULL = {torch.full: 0, torch.Tensor.new_full: 1}
"""Functions that take a value beside the size, with the position of the size."""
SIZED = {
    *(torch.zeros, torch.ones, torch.empty, torch.rand, torch.randn, torch.eye, torch.arange, torch.tile, torch.outer, torch.kron),
    *(torch.Tensor.repeat, torch.Tensor.tile, torch.Tensor.outer, torch.Tensor.kron),
    *NEW,
    *FULL,
}


class OutsizedTensor(Exception):
    """A tensor would be larger than the limit."""


class SizeLimit(TorchFunctionMode):
    """Raises OutsizedTensor. `like`: tensors of the original program."""

    def __init__(self, like: Iterable[torch.Tensor]) -> None:
        super().__init__()
        self._most = max(LEAST, TIMES * max((each.numel() for each in like), default=0))

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func in SIZED and math.prod(factors([*sizes_in(func, args), kwargs.get("size")])) > self._most:
            raise OutsizedTensor
        returned = func(*args, **kwargs)
        if isinstance(returned, torch.Tensor) and returned.layout is torch.strided and returned.numel() > self._most:
            raise OutsizedTensor
        return returned


def sizes_in(func: Any, args: Any) -> Any:
    """Return the arguments that determine how many numbers a call makes."""
    if func in FULL:
        return args[FULL[func] : FULL[func] + 1]
    return args[1:] if func in NEW else args


def factors(values: Iterable[Any]) -> Iterator[int]:
    """Yield the sizes and the numbers in the tensors, whose product is an upper bound of how many numbers a call makes."""
    for each in values:
        match each:
            case torch.Tensor():
                yield max(each.numel(), 1)
            case int() | float() if not isinstance(each, bool):
                yield max(abs(int(each)), 1) if math.isfinite(each) else 1
            case list() | tuple():
                yield from factors(each)
