"""Finds passes that add to the gradients of an earlier step: a leaf was changed, but its `.grad` was not reset. Runs in the child."""

import weakref
from collections.abc import Iterable

import torch

from app.runtimes.torch.tensors import read_field


class Accumulation:
    """The leaves whose `.grad` the passes until now have filled."""

    def __init__(self) -> None:
        self._filled: dict[int, tuple[weakref.ref[torch.Tensor], int, int]] = {}  # by the leaf: itself, its version, that of its grad

    def adds_to_earlier(self, leaves: Iterable[torch.Tensor]) -> bool:
        """Return whether a leaf has changed in place since a pass filled its `.grad`, but this `.grad` has not changed."""
        return any(self._is_left(leaf) for leaf in leaves)

    def _is_left(self, leaf: torch.Tensor) -> bool:
        reference, version, grad_version = self._filled.get(id(leaf), (None, 0, 0))
        grad = read_field(leaf, "grad")
        if reference is None or reference() is not leaf or grad is None:
            return False
        return bool(read_field(leaf, "_version") > version and read_field(grad, "_version") == grad_version)

    def fill(self, leaves: Iterable[torch.Tensor]) -> None:
        """Record that a pass has filled the `.grad` of these leaves."""
        for leaf in leaves:
            if (grad := read_field(leaf, "grad")) is not None:
                self._filled[id(leaf)] = weakref.ref(leaf), read_field(leaf, "_version"), read_field(grad, "_version")
