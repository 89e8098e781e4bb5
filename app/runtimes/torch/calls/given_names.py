"""The names that an author's source in the learner's process can use, besides the program's names. Runs in the learner's child.

Functions of Python and PyTorch are looked up at import, in the zygote, before a learner can replace them.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import torch

_vjp = torch.autograd.Function.vjp
_getattr, _setattr, _delattr, _vars = getattr, setattr, delattr, vars
Result = TypeVar("Result")


def with_scaled(kind: type[torch.autograd.Function], factor: float, call: Callable[[], Result]) -> Result:
    """Return `call()`. During the call, the backward (or vjp) of the Function `kind` returns its gradients times `factor`."""
    name = "backward" if kind.vjp is _vjp else "vjp"
    own, before = _getattr(kind, name), _vars(kind).get(name)

    def scaled(ctx: Any, *grads: Any) -> Any:
        found = own(ctx, *grads)
        return tuple(None if one is None else factor * one for one in found) if isinstance(found, tuple) else factor * found

    _setattr(kind, name, staticmethod(scaled))
    try:
        return call()
    finally:
        if before is None:
            _delattr(kind, name)
        else:
            _setattr(kind, name, before)


GIVEN_NAMES: dict[str, Any] = {"with_scaled": with_scaled}
