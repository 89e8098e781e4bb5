"""Finds out whether the gradient of an input lacks one of several uses of the input in forward."""

from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from app.probes.calls.copies import mapped
from app.probes.calls.prepared_call import PreparedCall
from app.probes.reference.real_view import real_vector
from app.probes.reference.reference import GradientReference
from app.probes.reference.shadow import Shadow
from app.probes.wrong_gradient import WrongGradient

MOST_USES = 12


def is_use_lost(reference: GradientReference, wrong: WrongGradient) -> bool:
    """Return whether the gradient is right for a forward in which one of several uses of the input is a constant."""
    if reference.shadow is None:
        return False
    number, count = 0, 1
    while number < count <= MOST_USES:
        try:
            shadow = ShadowWithoutUse(reference.prepared, wrong.input, number)
        except (Exception, SystemExit):  # forward may change its input in place
            return False
        count = shadow.count
        if count > 1 and gives(shadow, wrong):
            return True
        number += 1
    return False


def gives(shadow: Shadow, wrong: WrongGradient) -> bool:
    found = ((real_vector(shadow.gradients(draw.incoming)[wrong.input]), real_vector(draw.got)) for draw in wrong.draws)
    return any(bool(draw.got.any()) for draw in wrong.draws) and all(torch.allclose(*each, rtol=1e-6, atol=1e-9) for each in found)


class ShadowWithoutUse(Shadow):
    """A shadow in which one use of an input is detached. `count`: how often forward gives the input to a function of PyTorch."""

    def __init__(self, prepared: PreparedCall, place: int, number: int) -> None:
        self._place, self._number = place, number
        super().__init__(prepared)

    def run_forward(self, context: tuple[Any, ...]) -> Any:
        mode = UseMode(self.given[self._place], self._number)
        with mode:
            returned = super().run_forward(context)
        self.count = mode.count
        return returned


class UseMode(TorchFunctionMode):
    """Replaces the tensor by a detached one, only in its use with this number."""

    def __init__(self, tensor: torch.Tensor, number: int) -> None:
        super().__init__()
        self._tensor, self._number, self.count = tensor, number, 0

    def __torch_function__(self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        return func(*mapped(tuple(args), self._replaced), **mapped(dict(kwargs or {}), self._replaced))

    def _replaced(self, tensor: torch.Tensor) -> torch.Tensor:
        if tensor is not self._tensor:
            return tensor
        self.count += 1
        return tensor.detach() if self.count == self._number + 1 else tensor
