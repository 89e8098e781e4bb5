"""What the doctor says of a program: a pitfall that it fell into, where, and which lesson explains it."""

from typing import Literal

from app.protocol.records.record import Column, Label, Line, Record, Text


class Diagnosis(Record, tag="diagnosis", kw_only=True):
    """`code` is the pitfall's public name; `lesson` is "chapter/lesson"."""

    code: Label
    severity: Literal["error", "warning", "hint"]
    cell: Label | None = None
    line: Line | None = None
    column: Column | None = None
    end_line: Line | None = None
    end_column: Column | None = None
    message: Text
    lesson: Label | None = None
