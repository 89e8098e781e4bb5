"""A TOML table that is asked for its keys one by one, and reports at their line those that are missing, of a wrong type, or unknown."""

import re
from collections.abc import Callable, Sequence
from math import inf, isfinite
from typing import Any, Protocol, TypeVar

from app.lessons.model.model import LANGS
from app.lessons.toml.problem import suggest
from app.lessons.toml.source import Reader
from app.lessons.toml.toml import KeyPath, Toml
from app.protocol.run import Lang

IDENTIFIER = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
IDENTIFIER_LENGTH = 64
Name = TypeVar("Name", bound=str)
Entry = TypeVar("Entry", bound="Identified")
TYPE_NAMES = {bool: "a boolean", int: "a whole number", float: "a number", str: "text", list: "a list", dict: "a table"}


class Identified(Protocol):
    @property
    def id(self) -> str: ...


class Table:
    """Each getter answers None (or what its name says) after reporting a problem, so that one reading finds all of them."""

    def __init__(self, reader: Reader, file: str, toml: Toml, path: KeyPath = ()) -> None:
        self.reader = reader
        self.file = file
        self.toml = toml
        self.path = path
        self.asked: set[str] = set()
        data: Any = toml.data
        for step in path:
            data = data[step]
        self.data: dict[str, Any] = data

    def line(self, *path: str | int) -> int:
        return self.toml.line((*self.path, *path))

    def lines_below(self) -> dict[str, int]:
        """The line of everything in this table by its dotted path; "" is the table itself."""
        depth = len(self.path)
        below = {path[depth:]: line for path, line in self.toml.lines.items() if path[:depth] == self.path}
        return {"": self.line()} | {".".join(map(str, path)): line for path, line in below.items()}

    def report(self, message: str, *path: str | int) -> None:
        self.reader.report(self.file, self.line(*path), message)

    def finish(self) -> None:
        """Report the keys that nobody asked for."""
        for key in self.data:
            if key not in self.asked:
                self.report(f'unknown key "{key}"{suggest(key, self.asked)}', key)

    def text(self, key: str, expected: str = "text", *, required: bool = False) -> str | None:
        value: str | None = self._get(key, expected, lambda value: isinstance(value, str) and value.strip() != "", required=required)
        return value

    def one_of(self, key: str, known: Sequence[Name], *, required: bool = False) -> Name | None:
        expected = "one of " + ", ".join(f'"{name}"' for name in known)
        value: Name | None = self._get(key, expected, lambda value: value in known, required=required)
        return value

    def whole(self, key: str, least: int, most: int, *, required: bool = False) -> int | None:
        expected = f"a whole number from {least} to {most}"
        value: int | None = self._get(key, expected, lambda value: type(value) is int and least <= value <= most, required=required)
        return value

    def number(self, key: str, over: float, most: float) -> float | None:
        expected = f"a number over {over:g} and up to {most:g}"
        value = self._get(key, expected, lambda value: type(value) in (int, float) and over < value <= most)
        return None if value is None else float(value)

    def real(self, key: str, *, least: float = -inf, required: bool = False) -> float | None:
        expected = "a number" if least == -inf else f"a number, {least:g} or more"
        value = self._get(
            key, expected, lambda value: type(value) in (int, float) and least <= value and isfinite(value), required=required
        )
        return None if value is None else float(value)

    def wholes(self, key: str, least: int, most: int, *, required: bool = False) -> tuple[int, ...] | None:
        def fits(value: Any) -> bool:
            return isinstance(value, list) and all(type(item) is int and least <= item <= most for item in value)

        value = self._get(key, f"a list of whole numbers from {least} to {most}", fits, required=required)
        return None if value is None else tuple(value)

    def flag(self, key: str) -> bool:
        """False if the key is not there."""
        return bool(self._get(key, "true or false", lambda value: isinstance(value, bool)))

    def texts(self, key: str, expected: str = "a list of texts", *, required: bool = False) -> tuple[str, ...] | None:
        value = self._get(key, expected, lambda value: isinstance(value, list), required=required)
        if value is None:
            return None
        bad = [index for index, item in enumerate(value) if not isinstance(item, str) or not item]
        for index in bad:
            self._wrong("text", value[index], key, index)
        return None if bad else tuple(value)

    def identifier(self, key: str, expected: str = "an id", *, required: bool = True) -> str | None:
        value = self.text(key, expected, required=required)
        return value if value is not None and self._check_identifier(value, key) else None

    def identifiers(self, key: str, *, required: bool = False) -> tuple[str, ...]:
        """The well-formed ids of a list, each once."""
        found: list[str] = []
        for index, value in enumerate(self.texts(key, "a list of ids", required=required) or ()):
            if value in found:
                self.report(f'"{value}" is listed twice', key, index)
            elif self._check_identifier(value, key, index):
                found.append(value)
        return tuple(found)

    def words(self, key: str, expected: str, *, required: bool = False) -> dict[Lang, str]:
        """A text in every language, `key.en = …`."""
        table = self.table(key, expected, required=required)
        if table is None:
            return {}
        words = {lang: table.text(lang, f"the {key}", required=True) or "" for lang in LANGS}
        table.finish()
        return words

    def word_lists(self, key: str, expected: str) -> dict[Lang, tuple[str, ...]]:
        """A list of texts in every language, `key.en = […]`, as many in each; {} if the key is not there."""
        table = self.table(key, expected)
        if table is None:
            return {}
        lists = {lang: table.texts(lang, f"the {key}", required=True) or () for lang in LANGS}
        table.finish()
        if len({len(texts) for texts in lists.values()}) > 1:
            counts = ", ".join(f"{len(texts)} in {lang}" for lang, texts in lists.items())
            self.report(f"{key}: expected equally many in each language, got {counts}", key)
        return lists

    def table(self, key: str, expected: str = "a table", *, required: bool = False) -> "Table | None":
        value = self._get(key, expected, lambda value: isinstance(value, dict), required=required)
        return None if value is None else Table(self.reader, self.file, self.toml, (*self.path, key))

    def tables(self, key: str) -> list["Table"]:
        def fits(value: Any) -> bool:
            return isinstance(value, list) and all(isinstance(item, dict) for item in value)

        value = self._get(key, f"tables, [[{key}]]", fits) or []
        return [Table(self.reader, self.file, self.toml, (*self.path, key, index)) for index in range(len(value))]

    def _get(self, key: str, expected: str, fits: Callable[[Any], bool], *, required: bool = False) -> Any:
        """The value, if it is there and fits."""
        self.asked.add(key)
        value = self.data.get(key)
        if value is None and required:
            self.report(f'expected the key "{key}", {expected}')
        if value is None or fits(value):
            return value
        self._wrong(expected, value, key)
        return None

    def _wrong(self, expected: str, value: Any, *path: str | int) -> None:
        got = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool | int | float) else None
        self.report(f"{path[0]}: expected {expected}, got {got or TYPE_NAMES.get(type(value), 'a date or time')}", *path)

    def _check_identifier(self, value: str, *path: str | int) -> bool:
        good = IDENTIFIER.fullmatch(value) is not None and len(value) <= IDENTIFIER_LENGTH
        if not good:
            self.report(f'"{value}" is not an id: expected small letters, digits and single hyphens, at most {IDENTIFIER_LENGTH}', *path)
        return good


def load_each(tables: Sequence[Table], load: Callable[[Table], Entry | None], plural: str) -> tuple[Entry, ...]:
    """What `load` makes of each table, in order. A second one with the same id is left out, and reported."""
    loaded: dict[str, Entry] = {}
    for table in tables:
        entry = load(table)
        if entry is not None and entry.id in loaded:
            table.report(f'there are two {plural} "{entry.id}"', "id")
        elif entry is not None:
            loaded[entry.id] = entry
    return tuple(loaded.values())
