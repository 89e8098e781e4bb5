"""The names of a function's positional arguments, where they are cheaply known. Runs in the child.

inspect.signature would call what a learner's object defines; only real functions' code objects are read here.
"""

import functools
import inspect
from types import BuiltinMethodType, FunctionType, MethodType
from typing import Any

import torch
from torch.autograd.function import _SingleLevelFunction

from app.runtimes.plain_text import NAME_CHARACTERS, plain


def argument_names(function: Any, count: int) -> list[str | None]:
    """One name, or None, for each of `count` positional arguments."""
    try:
        names = _names(function)
    except Exception:
        names = []
    known: list[str | None] = [plain(name, NAME_CHARACTERS) for name in names[:count]]
    return known + [None] * (count - len(known))


def _names(function: Any) -> list[str]:
    kind = type(function)
    if kind is FunctionType:
        return _positional(function)
    if kind is functools.partial:
        return [name for name in _names(function.func)[len(function.args) :] if name not in function.keywords]
    if kind in (MethodType, BuiltinMethodType):
        owner = function.__self__
        if isinstance(owner, type) and issubclass(owner, torch.autograd.Function):  # F.apply
            return _forward_names(owner)
        return _positional(function.__func__)[1:] if kind is MethodType else []
    if issubclass(kind, torch.nn.Module):
        return _positional(kind.forward)[1:]
    return []


def _forward_names(function: type[torch.autograd.Function]) -> list[str]:
    """The names in `forward`, without ctx, which the style with setup_context does not have."""
    names = _positional(function.forward)
    return names if function.setup_context is not _SingleLevelFunction.setup_context else names[1:]


def _positional(function: Any) -> list[str]:
    """The positional parameters of a Python function; none when it takes *args in their place."""
    code = function.__code__
    names = list(code.co_varnames[: code.co_argcount])
    return [] if not names and code.co_flags & inspect.CO_VARARGS else names
