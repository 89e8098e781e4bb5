"""Finds the names of the arrays with respect to which jax.vjp differentiates. Runs in the child.

Calls nothing that a learner may have defined.
"""

from collections.abc import Iterator
from types import FunctionType
from typing import Any

from jax._src import api_util

from app.runtimes.instruments.argument_names import argument_names
from app.runtimes.plain_text import NAME_CHARACTERS, plain


def input_names(function: Any, arguments: tuple[Any, ...], count: int) -> list[str | None]:
    """Return the names of the `count` arrays in the arguments, such as `x` or `params['w']`.

    All are None if an argument has an unknown type.
    """
    names = argument_names_of(function, len(arguments))
    found = [each for name, argument in zip(names, arguments, strict=True) for each in leaves_of(name, argument)]
    return found if len(found) == count else [None] * count


def argument_names_of(function: Any, count: int) -> list[str | None]:
    """Return the names of the arguments. For a function that jax.grad made, they are those of the arguments that it differentiates."""
    if type(function) is FunctionType and function.__module__ == api_util.__name__:
        free = {name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)}
        if "f" in free and "dyn_argnums" in free:
            places = free["dyn_argnums"]
            names = argument_names(free["f"], max(places, default=-1) + 1)
            return [names[place] for place in places]
    return argument_names(function, count)


def leaves_of(name: str | None, value: Any) -> Iterator[str | None]:
    """Yield the names of the arrays in an argument, in the order in which JAX flattens it."""
    parts: list[tuple[Any, Any]]
    if type(value) is dict and all(type(key) is str for key in value):
        parts = sorted(value.items(), key=lambda item: item[0])
    elif type(value) in (list, tuple):
        parts = list(enumerate(value))
    elif value is None:
        return
    else:
        yield name
        return
    for key, part in parts:
        yield from leaves_of(name and plain(f"{name}[{key!r}]", NAME_CHARACTERS), part)
