"""Finds the name that somebody may have meant: an existing one that is close to what they wrote.

Two names are close if they differ in one letter, in two neighbouring letters that are swapped, or only in capitals.
"""

import builtins
import re
import sys
from collections.abc import Iterable

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_LEAST_CHARACTERS = 3  # shorter names all differ in one letter
_PROGRAM_CHARACTERS = 65_536  # how many characters at the end of a program are searched for names
# the modules that lessons import
_MODULES = [
    *("torch", "torch.autograd", "torch.func", "torch.nn", "torch.nn.functional", "torch.optim", "torch.utils.data", "torchviz"),
    *("numpy", "numpy.linalg", "matplotlib", "matplotlib.pyplot", "tensorflow", "jax", "jax.numpy"),
]


def close_module(name: str) -> str | None:
    """Return the name of a module that is close to `name`: one that lessons import, or one of Python's library. None if there is none."""
    return _closest(name, [*_MODULES, *sys.stdlib_module_names])


def close_name(name: str, program: str) -> str | None:
    """Return an identifier near the end of the program, or a builtin, that is close to `name`; None if there is none."""
    return _closest(name, [*_IDENTIFIER.findall(program[-_PROGRAM_CHARACTERS:]), *dir(builtins)])


def _closest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the first candidate that is close to `name`; None if there is none, or if `name` is too short.

    The time is linear in the length of the candidates, because a learner may have chosen them.
    """
    if len(name) < _LEAST_CHARACTERS:
        return None
    return next((other for other in dict.fromkeys(candidates) if other != name and _is_close(name, other)), None)


def _is_close(name: str, other: str) -> bool:
    """Return whether one letter was left out, added or replaced, two neighbours were swapped, or only capitals differ."""
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
