"""Finds out whether a program defines a function that returns nothing. It reads lines, because the program may not be valid Python.

Python's own parser is not used, because a program made for this purpose can crash it. The time is linear in the length of the program.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_DEFINITION = re.compile(r"\s*(?:async\s+)?def\s+(\w+)\s*\(")
_RETURN = re.compile(
    r"\b(?:return|yield|raise\s+NotImplementedError)\b"
)  # a function that only raises NotImplementedError is still to be written
_QUOTES = re.compile(r"\"\"\"|'''")


@dataclass
class _Definition:
    """A function whose body is being read. The body is what is indented further than the `def`."""

    name: str
    indent: int
    returns: bool = False


def returns_nothing(program: str, name: str) -> bool:
    """Return whether the program has a function of this name without a `return` of its own."""
    around: list[_Definition] = []  # the innermost comes last
    for line in _list_lines(program):
        code = line.lstrip()
        while around and around[-1].indent >= len(line) - len(code) and not code.startswith(")"):  # a line that only ends the parameters
            if _is_such(around.pop(), name):
                return True
        if found := _DEFINITION.match(line):
            around.append(_Definition(found[1], len(line) - len(code)))
        if around and _RETURN.search(code):
            around[-1].returns = True
    return any(_is_such(one, name) for one in around)


def _is_such(one: _Definition, name: str) -> bool:
    return one.name == name and not one.returns


def _list_lines(program: str) -> Iterator[str]:
    """Yield the lines that are not blank, without comments and without strings of several lines."""
    in_text = False
    for line in program.splitlines():
        if not in_text and (code := line.split("#")[0]).strip():
            yield code
        in_text ^= len(_QUOTES.findall(line)) % 2 == 1
