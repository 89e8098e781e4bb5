"""What the doctor found in one file: the findings, the error that ended the program, and what the probes tried."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from app.pitfalls.pitfall import Pitfall
from app.protocol.outcome import Outcome
from app.protocol.records.diagnosis import Diagnosis, Severity
from app.protocol.records.examined import ExaminedRecord
from app.protocol.records.record import Span
from app.protocol.records.registry import decode_records
from app.protocol.run import RunError, RunResult

SEVERITIES: tuple[Severity, ...] = ("hint", "warning", "error")  # from the least to the most severe


class FileFinding(Diagnosis, tag="diagnosis", kw_only=True):
    """One mistake. `raised` is the error that Python printed, if this finding explains it."""

    message: str
    raised: str = ""

    def may_explain(self, other: "FileFinding") -> bool:
        """Return whether the other finding may follow from this one. If both are about a Function, it must be the same one."""
        functions = {each.values.get("function") for each in (self, other)} - {None}
        return other.code in self.explains and len(functions) < 2


@dataclass(frozen=True, kw_only=True)
class FileReport:
    """One file. `file` is its path as it was given. `failure` says why it was not run; then there is nothing else."""

    file: Path
    lines: Sequence[str] = ()
    outcome: Outcome | None = None
    findings: Sequence[FileFinding] = ()
    examined: Sequence[ExaminedRecord] = ()
    failure: str = ""

    def line(self, number: int) -> str:
        """Return a line's text, without its end."""
        return self.lines[number - 1].rstrip("\r\n") if 1 <= number <= len(self.lines) else ""


def make_report(file: Path, lines: Sequence[str], result: RunResult, pitfalls: Mapping[str, Pitfall]) -> FileReport:
    """Return the report of a file that was run."""
    records = decode_records(result.records)
    found = [_from_diagnosis(record) for record in records if isinstance(record, Diagnosis)]
    if result.error:
        found = _add_error(found, result.error, result.outcome, pitfalls)
    examined = [record for record in records if isinstance(record, ExaminedRecord)]
    return FileReport(file=file, lines=lines, outcome=result.outcome, findings=found, examined=examined)


def _from_diagnosis(record: Diagnosis) -> FileFinding:
    return FileFinding(**{**msgspec.structs.asdict(record), "message": record.message or record.code})


def _add_error(found: list[FileFinding], error: RunError, outcome: Outcome, pitfalls: Mapping[str, Pitfall]) -> list[FileFinding]:
    """Return the findings with the error that ended the program first.

    A finding with the code of the error's pitfall in the same line is not repeated: it is the one that explains the error.
    """
    raised = f"{error.type}: {error.message}"
    for each in found:
        if each.code == error.pitfall and each.span and each.span.line == error.line:
            explained = msgspec.structs.replace(each, raised=raised)
            return [explained, *(other for other in found if other is not each)]
    pitfall = pitfalls.get(error.pitfall or "")
    finding = FileFinding(
        code=error.pitfall or outcome.value.replace("_", "-"),
        message=raised,
        change=error.explanation,
        lesson=pitfall.lesson if pitfall else None,
        span=None if error.line is None else Span(line=error.line, column=error.column),
        raised=raised,
    )
    return [finding, *found]
