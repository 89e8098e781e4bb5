"""The findings as one JSON document, for scripts. Lines begin at 1 and columns, which count code points, at 0, as in the API."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import msgspec

from app.authoring.doctor.file_report import FileFinding, FileReport


def render_json(reports: Sequence[FileReport]) -> bytes:
    """Return the reports as one JSON document."""
    document = {"tool": "gradroom doctor", "version": version("gradroom"), "files": [_file(report) for report in reports]}
    return msgspec.json.format(msgspec.json.encode(document))


def _file(report: FileReport) -> dict[str, Any]:
    if report.failure:
        return {"file": str(report.file), "outcome": None, "failure": report.failure, "findings": [], "examined": []}
    examined = [{"function": one.function, "held": one.held, "failed": one.failed} for one in report.examined]
    findings = [_finding(one) for one in report.findings]
    return {"file": str(report.file), "outcome": report.outcome, "failure": None, "findings": findings, "examined": examined}


def _finding(one: FileFinding) -> dict[str, Any]:
    span = one.span
    place = span and {"line": span.line, "column": span.column, "end_line": span.end_line, "end_column": span.end_column}
    return {
        "code": one.code,
        "severity": one.severity,
        "message": one.message,
        "change": one.change or None,
        "lesson": one.lesson or None,
        "raised": one.raised or None,
        "span": place,
        "values": dict(one.values),
    }
