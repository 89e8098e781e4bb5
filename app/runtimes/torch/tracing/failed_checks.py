"""The calls of gradcheck in a program that failed. Runs in the child."""

import math
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

import torch
from torch._C import DisableTorchFunctionSubclass

from app.protocol.records.record import Span
from app.runtimes.positions import Sources
from app.runtimes.torch.tensors import is_tensor, read_field
from app.runtimes.torch.tracing.observed import copy_of
from app.runtimes.torch.tracing.passes.backward_passes import is_of_gradcheck
from app.runtimes.torch.tracing.variable_names import variable_names

CHECK = sys.modules["torch.autograd.gradcheck"].gradcheck.__code__
_CHECKS = 8  # the most checks that are stored
_COPIED_NUMBERS = 4096  # the most numbers in the inputs of a check; larger inputs are not copied
_OVERLAP_NUMBERS = 4096  # the largest tensor whose places in memory are listed one by one


class FailedCheck(NamedTuple):
    """A call of gradcheck that failed. `inputs`: copies of its inputs; None if they are large or not all are tensors.

    `names`: the names of the inputs, "" for one without a name. `overlapping`: the positions of inputs that need a gradient and of which
    several entries share a place in memory.
    """

    span: Span | None
    function: Callable[..., Any]
    inputs: tuple[torch.Tensor, ...] | None
    names: list[str]
    overlapping: list[int]


class FailedChecks:
    """The first calls of gradcheck that raised or returned False, except those within gradgradcheck."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self.failed: list[FailedCheck] = []

    def in_check(self, frame: FrameType) -> Callable[[FrameType, Any, bool], None] | None:
        """Observe a call of gradcheck that begins. Return the function to call when its frame ends."""
        if len(self.failed) == _CHECKS or is_of_gradcheck(frame.f_back):
            return None
        given = frame.f_locals["inputs"]
        inputs = tuple(given) if type(given) in (tuple, list) else (given,)
        names = variable_names(self._sources, frame)
        check = FailedCheck(
            self._sources.caller_of(frame),
            frame.f_locals["func"],
            copies_of(inputs),
            [names.get(id(each), "") for each in inputs],
            [place for place, each in enumerate(inputs) if is_tensor(each) and read_field(each, "requires_grad") and overlaps(each)],
        )

        def end(_: FrameType, passed: Any, raised: bool) -> None:
            if passed is not True:
                self.failed.append(check)

        return end


def copies_of(inputs: tuple[Any, ...]) -> tuple[torch.Tensor, ...] | None:
    """Return copies of tensors; None if something else is among them, or they are large."""
    if not all(is_tensor(each) for each in inputs) or sum(math.prod(read_field(each, "shape")) for each in inputs) > _COPIED_NUMBERS:
        return None
    copies = [copy for each in inputs if (copy := copy_of(each)) is not None]
    return tuple(copies) if len(copies) == len(inputs) else None


def overlaps(tensor: torch.Tensor) -> bool:
    """Return whether several entries of a tensor certainly share one place in memory."""
    if read_field(tensor, "layout") is not torch.strided:
        return False
    shape = read_field(tensor, "shape")
    if 0 in shape:  # such a tensor has no entries, however long its other dimensions are
        return False
    with DisableTorchFunctionSubclass():
        strides = torch.Tensor.stride(tensor)
    dimensions = list(zip(shape, strides, strict=True))
    is_expanded = any(stride == 0 for size, stride in dimensions if size > 1)
    if is_expanded or math.prod(shape) > _OVERLAP_NUMBERS:
        return is_expanded
    places = [0]
    for size, stride in dimensions:
        places = [place + step * stride for place in places for step in range(size)]
    return len(set(places)) < len(places)
