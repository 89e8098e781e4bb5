"""The lines of a program's own sources, against which the places that a child names are checked.

A record or an error may be in any cell of its program, replayed cells included, and nowhere else.
"""

import math
from functools import cached_property

import msgspec

from app.protocol.harmless import harmless
from app.protocol.records.graph import GraphRecord
from app.protocol.records.record import Record, Span
from app.protocol.run import Frame, Program, RunError

_LINE_CHARACTERS = 500


class ProgramLines:
    """The lines of each cell; a bare source counts as the cell None. Each check raises ValueError for a place that does not exist."""

    def __init__(self, program: Program) -> None:
        self._program = program

    @cached_property
    def _lines(self) -> dict[str | None, list[str]]:
        return {source.cell: source.lines() or [""] for source in [*self._program.replay, self._program.source]}

    @property
    def cells(self) -> set[str]:
        return {source.cell for source in [*self._program.replay, self._program.source] if source.cell}

    @property
    def text(self) -> str:
        """All that is executed, in order."""
        return "\n".join(source.text for source in [*self._program.replay, self._program.source])

    def read(self, span: Span) -> str:
        """Return the text of a span that was checked, and whose end is known."""
        first, last = span.line, span.end_line or span.line
        lines = self._lines[span.cell][first - 1 : last]
        lines[-1] = lines[-1][: span.end_column]
        lines[0] = lines[0][span.column or 0 :]
        return "".join(lines)

    def check_record(self, record: Record) -> None:
        """Check the places that a record names. A record that was made while no line of the program was running may name none."""
        span = record.span
        for each in (span, *record.spans):
            if each is not None:
                self._check_span(each)
        if isinstance(record, GraphRecord):
            for node in record.nodes:
                if node.line is not None:
                    self.check(span.cell if span else None, node.line, node.column)

    def place_error(self, error: RunError) -> RunError:
        """Return the error with the texts of its lines, and at the place of its last frame."""
        frames = [self._place_frame(frame) for frame in error.traceback]
        if not frames:
            self.check(error.cell, None)
            return msgspec.structs.replace(error, line=None, column=None)
        last = frames[-1]
        return msgspec.structs.replace(error, cell=last.cell, line=last.line, column=last.column, traceback=frames)

    def check(self, cell: str | None, line: int | None, column: int | None = None) -> None:
        """Raise ValueError unless there is such a cell, line and column (from 0, up to the line's end)."""
        if cell is None and line is None and column is None:
            return
        if cell not in self._lines:
            raise ValueError("no cell of this program")
        if line is not None and not 1 <= line <= len(self._lines[cell]):
            raise ValueError("no line of this cell")
        if column is not None and (line is None or column > len(self._text(cell, line))):
            raise ValueError("no column of this line")

    def _check_span(self, span: Span) -> None:
        self.check(span.cell, span.line, span.column)
        self.check(span.cell, span.end_line, span.end_column)
        if span.end_line is not None:
            end_column = math.inf if span.end_column is None else span.end_column
            if (span.end_line, end_column) < (span.line, span.column or 0):
                raise ValueError("an end before its beginning")

    def _place_frame(self, frame: Frame) -> Frame:
        self.check(frame.cell, frame.line, frame.column)
        text = "" if frame.line is None else self._text(frame.cell, frame.line).strip()
        return msgspec.structs.replace(frame, source=harmless(text[:_LINE_CHARACTERS]))

    def _text(self, cell: str | None, line: int) -> str:
        return self._lines[cell][line - 1].rstrip("\r\n")
