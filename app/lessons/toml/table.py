"""Reads the tables of a TOML file as values of a type. A problem is reported on the line of the key that is wrong."""

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from app.lessons.toml.form import describe_fault, find_faults, schema_of
from app.lessons.toml.source import Reader
from app.lessons.toml.toml import KeyPath, Toml

Form = TypeVar("Form")
Entry = TypeVar("Entry", bound="Identified")


class Identified(Protocol):
    @property
    def id(self) -> str: ...


class Table:
    """The table at `path` of a file. It reports problems of its keys with their lines."""

    def __init__(self, reader: Reader, file: str, toml: Toml, path: KeyPath = ()) -> None:
        self.reader = reader
        self.file = file
        self.toml = toml
        self.path = path

    def below(self, *path: str | int) -> "Table":
        """Return the table at `path` within this table."""
        return Table(self.reader, self.file, self.toml, (*self.path, *path))

    def line(self, *path: str | int) -> int:
        return self.toml.line((*self.path, *path))

    def lines_below(self) -> dict[str, int]:
        """Return the lines of all keys and elements in this table, by dotted path. The path "" is the table itself."""
        depth = len(self.path)
        below = {path[depth:]: line for path, line in self.toml.lines.items() if path[:depth] == self.path}
        return {"": self.line()} | {".".join(map(str, path)): line for path, line in below.items()}

    def report(self, message: str, *path: str | int) -> None:
        """Report a problem on the line of the key or element at `path` within this table."""
        self.reader.report(self.file, self.line(*path), message)

    def report_value(self, expected: str, value: Any, *path: str | int) -> None:
        """Report that the key at `path` has `value` and not what was `expected`."""
        self.report(describe_fault(expected, value, path), *path)

    def read(self, form: Any) -> Any:
        """Return the table as a value of the type `form`, or None if a required key is missing or wrong.

        A wrong key or element is reported and then left out, so that its neighbours can still be checked.
        """
        faults = list(find_faults(self._find(self.path), schema_of(form), self.path))
        for path, message in faults:
            self.reader.report(self.file, self.toml.line(path), message)
        for path, _ in reversed(faults):  # an element of a list that is taken out moves those after it
            with contextlib.suppress(LookupError):
                del self._find(path[:-1])[path[-1]]
        try:
            return msgspec.convert(self._find(self.path), form)
        except msgspec.ValidationError:
            if not faults:
                raise
        return None

    def _find(self, path: KeyPath) -> Any:
        whole: Any = self.toml.data
        return functools.reduce(lambda data, step: data[step], path, whole)


def read_table(reader: Reader, file: str, expected: str, form: type[Form]) -> tuple[Table, Form] | None:
    """Return the table of a whole file, and its value of the type `form`. If the file is not of this type, report why and return None.

    Reports call the file `expected`.
    """
    toml = reader.read_toml(file, expected)
    if toml is None:
        return None
    table = Table(reader, file, toml)
    read = table.read(form)
    return None if read is None else (table, read)


def load_each(owner: Table, key: str, forms: Sequence[Form], load: Callable[[Table, Form], Entry | None]) -> tuple[Entry, ...]:
    """Return the entries that `load` makes from the tables in the list `key` of `owner`, in order. `forms` are the tables' values.

    An entry is left out and reported if an earlier one has the same id.
    """
    loaded: dict[str, Entry] = {}
    for index, form in enumerate(forms):
        table = owner.below(key, index)
        entry = load(table, form)
        if entry is not None and entry.id in loaded:
            table.report(f'there are two {"tries" if key == "try" else f"{key}s"} "{entry.id}"', "id")
        elif entry is not None:
            loaded[entry.id] = entry
    return tuple(loaded.values())
