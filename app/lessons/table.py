"""A TOML table that is asked for its keys one by one, and reports at their line those that are missing, of a wrong type, or unknown."""

import re
from collections.abc import Collection
from math import inf, isfinite
from typing import Any, TypeVar

from app.lessons.model import LANGS
from app.lessons.problem import suggest
from app.lessons.source import Reader
from app.lessons.toml import KeyPath, Toml
from app.protocol.run import Lang

IDENTIFIER = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
IDENTIFIER_LENGTH = 64
Name = TypeVar("Name", bound=str)
TYPE_NAMES = {bool: "a boolean", int: "a whole number", float: "a number", str: "text", list: "a list", dict: "a table"}


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
        value = self._get(key, expected, required)
        if value is None:
            return None
        if isinstance(value, str) and value.strip():
            return value
        self._wrong(expected, value, key)
        return None

    def one_of(self, key: str, known: Collection[Name], *, required: bool = False) -> Name | None:
        expected = "one of " + ", ".join(f'"{name}"' for name in known)
        value = self._get(key, expected, required)
        if value is None:
            return None
        found = next((name for name in known if name == value), None)
        if found is None:
            self._wrong(expected, value, key)
        return found

    def whole(self, key: str, least: int, most: int, *, required: bool = False) -> int | None:
        expected = f"a whole number from {least} to {most}"
        value = self._get(key, expected, required)
        if value is None or (type(value) is int and least <= value <= most):
            return value
        self._wrong(expected, value, key)
        return None

    def number(self, key: str, over: float, most: float) -> float | None:
        expected = f"a number over {over:g} and up to {most:g}"
        value = self._get(key, expected, required=False)
        if value is None:
            return None
        if type(value) in (int, float) and over < value <= most:
            return float(value)
        self._wrong(expected, value, key)
        return None

    def real(self, key: str, *, least: float = -inf, required: bool = False) -> float | None:
        expected = "a number" if least == -inf else f"a number, {least:g} or more"
        value = self._get(key, expected, required)
        if value is None:
            return None
        if type(value) in (int, float) and isfinite(value) and value >= least:
            return float(value)
        self._wrong(expected, value, key)
        return None

    def wholes(self, key: str, least: int, most: int, *, required: bool = False) -> tuple[int, ...] | None:
        expected = f"a list of whole numbers from {least} to {most}"
        value = self._get(key, expected, required)
        if value is None:
            return None
        if isinstance(value, list) and all(type(item) is int and least <= item <= most for item in value):
            return tuple(value)
        self._wrong(expected, value, key)
        return None

    def flag(self, key: str) -> bool:
        """False if the key is not there."""
        value = self._get(key, "true or false", required=False)
        if value is None or isinstance(value, bool):
            return bool(value)
        self._wrong("true or false", value, key)
        return False

    def texts(self, key: str, expected: str = "a list of texts", *, required: bool = False) -> tuple[str, ...] | None:
        value = self._get(key, expected, required)
        if value is None:
            return None
        if not isinstance(value, list):
            self._wrong(expected, value, key)
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
            self.report(f"{key}: expected as many in each language, got {counts}", key)
        return lists

    def table(self, key: str, expected: str = "a table", *, required: bool = False) -> "Table | None":
        value = self._get(key, expected, required)
        if value is None:
            return None
        if isinstance(value, dict):
            return Table(self.reader, self.file, self.toml, (*self.path, key))
        self._wrong(expected, value, key)
        return None

    def tables(self, key: str) -> list["Table"]:
        value = self._get(key, f"tables, [[{key}]]", required=False)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self._wrong(f"tables, [[{key}]]", value, key)
            return []
        return [Table(self.reader, self.file, self.toml, (*self.path, key, index)) for index in range(len(value))]

    def _get(self, key: str, expected: str, required: bool) -> Any:
        self.asked.add(key)
        if key not in self.data and required:
            self.report(f'expected the key "{key}", {expected}')
        return self.data.get(key)

    def _wrong(self, expected: str, value: Any, *path: str | int) -> None:
        got = f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool | int | float) else None
        self.report(f"{path[0]}: expected {expected}, got {got or TYPE_NAMES.get(type(value), 'a date or time')}", *path)

    def _check_identifier(self, value: str, *path: str | int) -> bool:
        good = IDENTIFIER.fullmatch(value) is not None and len(value) <= IDENTIFIER_LENGTH
        if not good:
            self.report(f'"{value}" is no id: expected small letters, digits and single hyphens, at most {IDENTIFIER_LENGTH}', *path)
        return good
