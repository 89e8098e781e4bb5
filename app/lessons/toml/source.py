"""Reads a course's files as UTF-8 text. A file that cannot be read is reported as a problem of the course."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.lessons.toml.problem import Problem
from app.lessons.toml.toml import Toml, TomlError, parse_toml
from app.protocol.limits import SOURCE_BYTES

CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")  # all but tab, line feed and form feed, which Python allows


class Reader:
    """Reads files below one folder and collects their problems."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problems: list[Problem] = []

    def report(self, file: str, line: int, message: str) -> None:
        self.problems.append(Problem(file, line, message))

    def reporter(self, file: str, first: int = 1) -> Callable[[int, str], None]:
        """Return a function that reports a problem of one file. The line that it is given is counted from the line `first` of the file."""
        return lambda line, message: self.report(file, first + line - 1, message)

    @contextmanager
    def section(self) -> Iterator[list[Problem]]:
        """Yield a list that collects the problems reported within the `with` block. They are in `problems` afterwards too."""
        found: list[Problem] = []
        outer, self.problems = self.problems, found
        try:
            yield found
        finally:
            self.problems = outer
            outer.extend(found)

    def read(self, file: str, expected: str) -> str | None:
        """Return the text of `file` with plain newlines. If that fails, report why and return None. Reports call the file `expected`."""
        try:
            data = (self.folder / file).read_bytes()
        except OSError as error:
            missing = isinstance(error, FileNotFoundError | NotADirectoryError)
            self.report(file, 1, f"expected {expected}, {'the file is missing' if missing else error.strerror}")
            return None
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self.report(file, line, f"expected UTF-8 text, got the byte 0x{data[error.start]:02x}")
            return None
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if control := CONTROL.search(text):
            line = text.count("\n", 0, control.start()) + 1
            self.report(file, line, f"expected plain text, got the control character 0x{ord(control[0]):02x}")
            return None
        return text

    def read_source(self, file: str, expected: str) -> str | None:
        """Return the Python source in `file`. If it cannot be read, report why and return None.

        Source that is too long to be sent with a run is reported, but still returned.
        """
        source = self.read(file, expected)
        size = len((source or "").encode())
        if size > SOURCE_BYTES:
            self.report(file, 1, f"expected at most {SOURCE_BYTES:,} bytes, got {size:,}")
        return source

    def read_toml(self, file: str, expected: str) -> Toml | None:
        """Return the parsed file. If it cannot be read or parsed, report why and return None. `expected` is that of `read`."""
        text = self.read(file, expected)
        if text is None:
            return None
        try:
            return parse_toml(text)
        except TomlError as error:
            self.report(file, error.line, f"this is not TOML: {error.message}")
            return None
