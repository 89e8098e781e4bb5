"""What an author's source in the learner's process finds defined besides the program's names. Runs in both children of a submission.

Taken at import, in the zygote, before a learner can replace anything.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import torch

_vjp = torch.autograd.Function.vjp
_getattr, _setattr, _delattr, _vars = getattr, setattr, delattr, vars
Result = TypeVar("Result")


def with_scaled(kind: type[torch.autograd.Function], factor: float, call: Callable[[], Result]) -> Result:
    """What `call()` returns while each gradient that the backward (or vjp) of `kind` returns is `factor` times what it was."""
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
