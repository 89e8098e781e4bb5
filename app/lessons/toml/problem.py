"""A problem in a course: what is wrong, and where. The loader reports all faults in this form."""

import difflib
from collections.abc import Iterable
from typing import NamedTuple


class Problem(NamedTuple):
    """A problem in a course.

    `file` is relative to the course's folder, with forward slashes. `line` counts from 1. `message` says what was expected.
    """

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


def suggest(word: str, known: Iterable[str]) -> str:
    """Return ` (did you mean "…"?)` with the nearest of `known`. If none is near, return a list of all of them if they are few."""
    names = sorted(known)
    near = difflib.get_close_matches(word, names, n=1)
    if near:
        return f' (did you mean "{near[0]}"?)'
    return f" (there is {', '.join(names)})" if 0 < len(names) <= 12 else ""
