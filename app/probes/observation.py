"""What a probe observed about a Function."""

from typing import NamedTuple

Value = int | float | bool | str | list[int]


class FilePlace(NamedTuple):
    """A piece of the source file `file`, as `ast` counts: lines from 1, columns from 0 in UTF-8 bytes, the end exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


class Observation(NamedTuple):
    """An observation. `code`: the pitfall. `place`: what is to be underlined; None if it is not known.

    `values`: numbers, names and shapes that show it. `places`: pieces of the source on which a change works.
    """

    code: str
    place: FilePlace | None
    values: dict[str, Value] = {}
    places: dict[str, FilePlace] = {}
