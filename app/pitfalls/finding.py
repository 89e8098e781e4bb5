"""What is found in a program: a pitfall and its place."""

from typing import NamedTuple

Value = int | float | bool | str | list[int]


class Place(NamedTuple):
    """A piece of source, as `ast` counts: lines from 1, columns from 0 in UTF-8 bytes, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Finding(NamedTuple):
    """A pitfall at a place. `code`: the pitfall. `place`: what is to be underlined.

    `values`: what its words mention. `places`: what its edits work on.
    """

    code: str
    place: Place
    values: dict[str, Value] = {}
    places: dict[str, Place] = {}
