"""Finds the name that somebody may have meant: an existing one that differs from what they wrote in one letter, or only in capitals."""

import builtins
import re
import sys
from collections.abc import Iterable

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_LEAST_CHARACTERS = 3  # shorter names all differ in one letter
_PROGRAM_CHARACTERS = 65_536  # of a program, from its end, that are searched for names
# those that lessons import; the child knows what else there is
_MODULES = [
    *("torch", "torch.autograd", "torch.func", "torch.nn", "torch.nn.functional", "torch.optim", "torch.utils.data", "torchviz"),
    *("numpy", "numpy.linalg", "matplotlib", "matplotlib.pyplot", "tensorflow", "jax", "jax.numpy"),
]


def close_module(name: str) -> str | None:
    """Return a module of Python's library, or one that lessons import, whose name is close to `name`; None if there is none."""
    return _closest(name, [*_MODULES, *sys.stdlib_module_names])


def close_name(name: str, program: str) -> str | None:
    """Return a name in the program, or a builtin, that is close to `name`; None if there is none."""
    return _closest(name, [*_IDENTIFIER.findall(program[-_PROGRAM_CHARACTERS:]), *dir(builtins)])


def _closest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the first close candidate. The time is linear in their length, because they may be a learner's."""
    if len(name) < _LEAST_CHARACTERS:
        return None
    return next((other for other in dict.fromkeys(candidates) if other != name and _is_close(name, other)), None)


def _is_close(name: str, other: str) -> bool:
    """Return whether one letter was left out, added, replaced or swapped with the next, or only capitals differ."""
    if abs(len(name) - len(other)) > 1 or len(other) < _LEAST_CHARACTERS:
        return False
    if name.lower() == other.lower():
        return True
    start = 0
    while start < min(len(name), len(other)) and name[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(name), len(other)) - start and name[-1 - end] == other[-1 - end]:
        end += 1
    mine, theirs = name[start : len(name) - end], other[start : len(other) - end]
    return (len(mine) <= 1 and len(theirs) <= 1) or (len(mine) == 2 and mine == theirs[::-1])
