"""Finds the cell, line and column of the learner's sources at which something happened. Runs in the child.

A source is compiled under the filename `<cell-id>` (or `<source>`) and registered in linecache under it, so that
tracebacks and inspect.getsource find its text. Columns are counted from 0 in Unicode code points; CPython counts
UTF-8 bytes (`co_positions`) or characters from 1 (SyntaxError).
"""

import itertools
import linecache
import sys
from collections.abc import Iterator
from types import CodeType, FrameType, TracebackType
from typing import Any

from app.protocol.records.record import Span
from app.protocol.run import Frame, Source
from app.runtimes.plain_text import NAME_CHARACTERS, plain

LINE_CHARACTERS = 500
HEAD_FRAMES, TAIL_FRAMES = 15, 35
VARIABLES = 10_000  # the most variables that are read


class Sources:
    """The sources of one run, by the filename that each is compiled under."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}
        self._cells: dict[str, str | None] = {}

    def register(self, source: Source) -> str:
        """Add a source, and register it with linecache. Return the filename under which to compile it."""
        filename = f"<{source.cell}>" if source.cell else "<source>"
        lines = source.lines()
        self._lines[filename] = lines
        self._cells[filename] = source.cell
        linecache.cache[filename] = (len(source.text), None, lines, filename)
        return filename

    def forget(self) -> None:
        """Remove all sources, from linecache too."""
        for filename in self._lines:
            linecache.cache.pop(filename, None)
        self._lines.clear()
        self._cells.clear()

    def __contains__(self, filename: str) -> bool:
        return filename in self._lines

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield the filename and text of each source, the last one first."""
        for filename in reversed(self._lines):
            yield filename, "".join(self._lines[filename])

    def cell(self, filename: str) -> str | None:
        return self._cells.get(filename)

    def line_text(self, filename: str, line: int | None) -> str:
        lines = self._lines.get(filename, [])
        return lines[line - 1].rstrip("\r\n") if line is not None and 1 <= line <= len(lines) else ""

    def line_count(self, filename: str) -> int:
        return len(self._lines.get(filename, []))

    def existing(self, filename: str, line: int | None) -> int | None:
        """Return `line` if the source has such a line, else None. A learner's code compiled under the same filename may have more lines."""
        return line if line is not None and 1 <= line <= max(self.line_count(filename), 1) else None

    def column(self, filename: str, line: int | None, byte_offset: int | None) -> int | None:
        """Return a UTF-8 byte offset within a line as a number of code points, at most the length of the line."""
        if byte_offset is None or line is None:
            return None
        text = self.line_text(filename, line)
        if text.isascii():
            return min(byte_offset, len(text))
        return len(text.encode("utf-8", "surrogatepass")[:byte_offset].decode("utf-8", "ignore"))

    def frame(self, code: CodeType, last_instruction: int) -> Frame:
        """Return a frame of a traceback: the position of one instruction of a learner's code object."""
        filename = code.co_filename
        line, _, byte_offset, _ = positions_of(code, last_instruction)
        line = self.existing(filename, line)
        return Frame(
            cell=self.cell(filename),
            line=line,
            column=self.column(filename, line, byte_offset),
            function=plain(code.co_name, NAME_CHARACTERS),
            source=plain(self.line_text(filename, line).strip(), LINE_CHARACTERS),
        )

    def traceback(self, trace: TracebackType | None) -> list[Frame]:
        """Return the learner's own frames of a traceback, outermost first. A long one keeps its first HEAD_FRAMES and last TAIL_FRAMES."""
        steps = []
        while trace is not None:
            if trace.tb_frame.f_code.co_filename in self._lines:
                steps.append((trace.tb_frame.f_code, trace.tb_lasti))
            trace = trace.tb_next
        if len(steps) > HEAD_FRAMES + TAIL_FRAMES:
            steps = steps[:HEAD_FRAMES] + steps[-TAIL_FRAMES:]
        return [self.frame(code, last_instruction) for code, last_instruction in steps]

    def span(self, filename: str, line: int | None, column: int | None, end_line: int | None, end_column: int | None) -> Span | None:
        """Return the part of a source between two positions, whose columns are UTF-8 byte offsets; None if the source has no such line."""
        line, end_line = self.existing(filename, line), self.existing(filename, end_line)
        if line is None:
            return None
        return Span(
            cell=self.cell(filename),
            line=line,
            column=self.column(filename, line, column),
            end_line=end_line,
            end_column=self.column(filename, end_line, end_column),
        )

    def caller(self) -> Span | None:
        """Return the position of the expression that the learner's code in this thread is evaluating; None if none of it is running."""
        return self.caller_of(sys._getframe(1))

    def caller_of(self, frame: FrameType | None) -> Span | None:
        """Return the position of the expression that is being evaluated.

        The expression is in the innermost frame of the learner's code among `frame` and its callers.
        """
        frame = self.frame_of(frame)
        return None if frame is None else self.span_of(frame.f_code, frame.f_lasti)

    def span_of(self, code: CodeType, instruction: int) -> Span | None:
        """Return the part of a source from which an instruction was compiled; None if it is of no source."""
        line, end_line, column, end_column = positions_of(code, instruction)
        return self.span(code.co_filename, line, column, end_line, end_column)

    def global_variables(self, frame: FrameType | None) -> list[tuple[str, Any]]:
        """Return names and values of global variables, at most VARIABLES, of the learner's innermost frame: `frame` or a caller of it."""
        frame = self.frame_of(frame)
        variables = [] if frame is None else list(frame.f_globals.items())[:VARIABLES]
        return [(plain(name, NAME_CHARACTERS), value) for name, value in variables if type(name) is str]

    def frame_of(self, frame: FrameType | None, but_not: tuple[str, ...] = ()) -> FrameType | None:
        """Return the innermost frame of the learner's code among `frame` and its callers.

        Return None if there is none, or if a frame before it is of a file whose name begins with one of `but_not`.
        """
        while frame is not None and frame.f_code.co_filename not in self._lines:
            if frame.f_code.co_filename.startswith(but_not):
                return None
            frame = frame.f_back
        return frame


def positions_of(code: CodeType, last_instruction: int) -> tuple[int | None, int | None, int | None, int | None]:
    """Return an instruction's first line, last line, first column and last column; columns are UTF-8 byte offsets."""
    if last_instruction < 0:
        return code.co_firstlineno, None, None, None
    return next(itertools.islice(code.co_positions(), last_instruction // 2, None), (None, None, None, None))
