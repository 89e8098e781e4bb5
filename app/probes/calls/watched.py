"""A subclass of a Function that records what its backward gets, changes and returns."""

from typing import Any

import torch
from torch.autograd import Function

from app.probes.calls.copies import tensors_of


class Snapshot:
    """The state of a tensor before something runs that may change it."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor, self._values, self._version = tensor, tensor.detach().clone(), tensor._version

    @property
    def has_new_version(self) -> bool:
        return self.tensor._version != self._version

    @property
    def has_new_values(self) -> bool:
        return self.tensor.shape != self._values.shape or not bool(
            torch.isclose(self.tensor.detach(), self._values, rtol=0, atol=0, equal_nan=True).all()
        )


class BackwardRun:
    """One run of a backward. `returned`: the gradients by position."""

    def __init__(self, ctx: Any, incoming: tuple[Any, ...]) -> None:
        self.incoming = [Snapshot(each) if isinstance(each, torch.Tensor) else None for each in incoming]
        self.saved = [Snapshot(each) for each in saved_on(ctx)]
        self.returned: tuple[Any, ...] = ()


def saved_on(ctx: Any) -> list[torch.Tensor]:
    """Return the tensors that forward saved or set as attributes of ctx."""
    return [each for each in (*ctx.saved_tensors, *tensors_of(dict(vars(ctx)))) if isinstance(each, torch.Tensor)]


def watched(function: type[Function], runs: list[BackwardRun]) -> type[Function]:
    """Return the Function with a backward that adds each of its runs to `runs`."""
    name = "backward" if function.vjp is Function.vjp else "vjp"
    method = getattr(function, name)

    def backward(ctx: Any, *incoming: Any) -> Any:
        run = BackwardRun(ctx, incoming)
        returned = method(ctx, *incoming)
        run.returned = returned if isinstance(returned, tuple) else (returned,)
        runs.append(run)
        return returned

    return type(function.__name__, (function,), {name: staticmethod(backward)})
