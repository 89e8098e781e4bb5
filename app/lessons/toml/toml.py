"""TOML with line numbers. tomllib reads the values; a second pass finds the lines of the keys."""

import re
import tomllib
from collections.abc import Iterator
from functools import cached_property
from typing import Any

KeyPath = tuple[str | int, ...]

SYNTAX_ERROR = re.compile(r"^(.*?) \(at (?:line (\d+), column \d+|end of document)\)$", re.DOTALL)


class TomlError(Exception):
    """The text is not TOML. `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


class Toml:
    """A parsed document."""

    def __init__(self, data: dict[str, Any], text: str) -> None:
        self.data = data
        self._text = text

    @cached_property
    def lines(self) -> dict[KeyPath, int]:
        """The lines, by path, of every table, of every key, and of every element of a list that runs over several lines."""
        return _find_lines(self._text)

    def line(self, path: KeyPath) -> int:
        """Return the line of `path`, or else of the innermost list or table around it. A list of tables has the line of its first table."""
        while path and path not in self.lines and (*path, 0) not in self.lines:
            path = path[:-1]
        return self.lines.get(path) or self.lines.get((*path, 0), 1)


def parse_toml(text: str) -> Toml:
    """Return the parsed text. Raises TomlError with the line of the first error."""
    try:
        return Toml(tomllib.loads(text), text)
    except tomllib.TOMLDecodeError as error:
        match = SYNTAX_ERROR.match(str(error))
        message, line = match.groups() if match else (str(error), 1)
        raise TomlError(int(line or max(1, len(text.splitlines()))), message) from None


def _statements(text: str) -> Iterator[tuple[int, list[str], dict[str, Any]]]:
    """Yield the first line's number, the lines and the value of each statement: the shortest run of lines that is TOML by itself."""
    lines: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        lines.append(line)
        try:
            data = tomllib.loads("\n".join(lines))
        except tomllib.TOMLDecodeError:
            continue
        if data:
            yield number - len(lines) + 1, lines, data
        lines = []


def _find_lines(text: str) -> dict[KeyPath, int]:
    found: dict[KeyPath, int] = {}
    counts: dict[KeyPath, int] = {}
    table: KeyPath = ()
    for number, lines, data in _statements(text):
        if lines[0].lstrip().startswith("["):
            table = _enter(_only_value(data)[0], counts, repeats=lines[0].lstrip().startswith("[["))
            found.setdefault(table, number)
        else:
            _note_keys(data, table, number, found)
            _note_elements(data, table, (number, lines), found)
    return found


def _enter(keys: tuple[str, ...], counts: dict[KeyPath, int], *, repeats: bool) -> KeyPath:
    """Return the path of the table that a header opens.

    If `repeats` is true, the header is `[[…]]` and begins a new table of its list. Other lists in `keys` stand for their last table.
    """
    path: KeyPath = ()
    for position, key in enumerate(keys, 1):
        path += (key,)
        if repeats and position == len(keys):
            counts[path] = counts.get(path, 0) + 1
        if path in counts:
            path += (counts[path] - 1,)
    return path


def _note_keys(data: Any, path: KeyPath, number: int, found: dict[KeyPath, int]) -> None:
    if path:
        found.setdefault(path, number)
    if isinstance(data, dict):
        for key, value in data.items():
            _note_keys(value, (*path, key), number, found)
    elif isinstance(data, list):
        for index, value in enumerate(data):
            _note_keys(value, (*path, index), number, found)


def _note_elements(data: Any, path: KeyPath, statement: tuple[int, list[str]], found: dict[KeyPath, int]) -> None:
    """Record the line of each element of a list that runs over several lines.

    For each line, parse the list as if it ended there. Elements that no shorter list has are on this line.
    """
    number, lines = statement
    seen = 0
    for count in range(1, len(lines) if len(lines) > 1 else 1):
        try:
            shorter = tomllib.loads("\n".join([*lines[:count], "]"]))
        except tomllib.TOMLDecodeError:
            continue
        keys, value = _only_value(shorter)
        for index in range(seen, len(value)):
            found[(*path, *keys, index)] = number + count - 1
        seen = len(value)


def _only_value(data: Any) -> tuple[tuple[str, ...], Any]:
    """Return the only value in nested tables, and its keys: for `a.b = 1` they are a and b. An empty table counts as a value."""
    keys: tuple[str, ...] = ()
    while isinstance(data, dict) and data:
        [(key, data)] = data.items()
        keys += (key,)
    return keys, data
