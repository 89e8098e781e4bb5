"""Finds the names of the arguments of `F.apply` and of a Module: those of its forward. Runs in the child."""

from types import BuiltinMethodType, MethodType
from typing import Any

import torch

from app.probes.calls.prepared_call import has_setup_context
from app.runtimes.instruments.argument_names import positional


def forward_names(function: Any) -> list[str] | None:
    """Return the names of the arguments; None if `function` is neither an `apply` nor a Module."""
    kind = type(function)
    if kind in (MethodType, BuiltinMethodType):
        owner = function.__self__
        return _names_in(owner) if isinstance(owner, type) and issubclass(owner, torch.autograd.Function) else None
    return positional(kind.forward)[1:] if issubclass(kind, torch.nn.Module) else None


def _names_in(function: type[torch.autograd.Function]) -> list[str]:
    """Return the names of `forward`'s parameters without ctx. If the class has a setup_context, `forward` has no ctx."""
    names = positional(function.forward)
    return names if has_setup_context(function) else names[1:]
