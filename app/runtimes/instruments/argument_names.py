"""Finds the names of a function's positional arguments. Runs in the child.

inspect.signature would call methods that a learner's object defines, so only the code objects of functions are read.
"""

import functools
import inspect
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from app.runtimes.plain_text import NAME_CHARACTERS, plain

Names = Callable[[Any], list[str] | None]


def argument_names(function: Any, count: int, of_framework: Names = lambda _: None) -> list[str | None]:
    """Return the names of the first `count` positional arguments, None for each name that is not known.

    If a framework defines the callable, `of_framework` returns its argument names, otherwise None.
    """
    try:
        names = _names(function, of_framework)
    except Exception:
        names = []
    known: list[str | None] = [plain(name, NAME_CHARACTERS) for name in names[:count]]
    return known + [None] * (count - len(known))


def _names(function: Any, of_framework: Names) -> list[str]:
    kind = type(function)
    if (known := of_framework(function)) is not None:
        return known
    if kind is functools.partial:
        return [name for name in _names(function.func, of_framework)[len(function.args) :] if name not in function.keywords]
    if kind is MethodType:
        return positional(function.__func__)[1:]
    own = positional(function) if kind is FunctionType else []
    wrapped = inspect.getattr_static(function, "__wrapped__", None)
    return own or ([] if wrapped is None else _names(wrapped, of_framework))


def positional(function: Any) -> list[str]:
    """Return the names of a Python function's positional parameters."""
    code = function.__code__
    names = list(code.co_varnames[: code.co_argcount])
    return [] if not names and code.co_flags & inspect.CO_VARARGS else names
