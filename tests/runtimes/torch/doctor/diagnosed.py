"""Runs a program as a second run does, and reports what the doctor recorded about it."""

from typing import NamedTuple

from app.protocol.records.diagnosis import Diagnosis
from app.protocol.records.fault import FaultRecord
from app.protocol.run import Program, Source
from tests.runtimes.children import Children, Ended


class Diagnosed(NamedTuple):
    ended: Ended
    text: str

    @property
    def diagnoses(self) -> list[Diagnosis]:
        return [record for record in self.ended.records if isinstance(record, Diagnosis)]

    @property
    def found(self) -> list[tuple[str, str]]:
        """Return the code of each diagnosis, and the text of its line."""
        lines = self.text.splitlines()
        return [(each.code, lines[each.span.line - 1].strip() if each.span and each.span.line else "") for each in self.diagnoses]

    @property
    def underlined(self) -> list[str]:
        """Return the part of a line that each diagnosis underlines."""
        lines, spans = self.text.splitlines(), [each.span for each in self.diagnoses]
        return [lines[span.line - 1][span.column : span.end_column] if span and span.line else "" for span in spans]


def diagnose(children: Children, text: str, *replay: str) -> Diagnosed:
    cells = [Source(text=each, cell=f"earlier-{number}") for number, each in enumerate(replay)]
    ended = children.run_program(Program(source=Source(text=text, cell="last"), replay=cells, instruments=["trace", "doctor"]))
    assert not [record for record in ended.records if isinstance(record, FaultRecord)]
    return Diagnosed(ended, text)
