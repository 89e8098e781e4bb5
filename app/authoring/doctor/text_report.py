"""Prints findings as a compiler prints its own: the place, the sentence, the line with a mark under it, what to change, and the lesson."""

import os
import unicodedata
from collections.abc import Sequence
from textwrap import indent

import typer

from app.authoring.doctor.file_report import SEVERITIES, FileFinding, FileReport
from app.locale.messages import Translate, mark, translator
from app.protocol.harmless import harmless
from app.protocol.records.examined import ExaminedRecord, Property
from app.protocol.run import Lang

COLOURS = {"error": "red", "warning": "yellow", "hint": "cyan"}
PROPERTIES: dict[Property, str] = {
    "gradient": mark("gradient"),
    "second": mark("second derivative"),
    "linear": mark("linear in the incoming gradient"),
    "layout": mark("any strides"),
    "unchanged": mark("nothing changed in place"),
    "types": mark("types and shapes"),
    "inputs": mark("each input by itself"),
    "options": mark("other options"),
    "repeatable": mark("repeatable"),
}
MOST_COLUMNS = 160  # the longest part of a line that is shown


def print_report(report: FileReport) -> None:
    """Print the findings of one file. A finding that follows from another one is indented under it."""
    for finding, consequences in arranged(report.findings):
        _print(render_finding(report, finding))
        for each in consequences:
            _print(indent(render_finding(report, each), "    "))


def arranged(findings: Sequence[FileFinding]) -> list[tuple[FileFinding, list[FileFinding]]]:
    """Return the findings, each with those that follow from it. The most severe ones come first; equally severe ones are sorted by line."""
    by_line = sorted(findings, key=lambda each: (-SEVERITIES.index(each.severity), each.span.line if each.span else 0))
    firsts = [each for each in by_line if not any(other.may_explain(each) and not each.may_explain(other) for other in by_line)]
    first: list[tuple[FileFinding, list[FileFinding]]] = [(each, []) for each in firsts]
    for each in by_line:
        if each not in firsts:
            under = next((consequences for head, consequences in first if head.may_explain(each)), None)
            if under is None:
                first.append((each, []))
            else:
                under.append(each)
    return first


def print_summary(reports: Sequence[FileReport], lang: Lang) -> None:
    """Print how many findings there are in the files that were run, and what the probes found to hold for every Function there."""
    words = translator(lang)
    run = [report for report in reports if not report.failure]
    if not run:
        return
    count = sum(len(report.findings) for report in run)
    findings = words("1 finding") if count == 1 else words("{count} findings").format(count=count)
    files = words("1 file") if len(run) == 1 else words("{count} files").format(count=len(run))
    summary = words("{findings} in {files}").format(findings=findings, files=files)
    if held := find_held([record for report in run for record in report.examined]):
        summary = words("{summary}; these hold: {held}").format(summary=summary, held=_join(held, words))
    _print(summary)


def find_held(examined: Sequence[ExaminedRecord]) -> list[Property]:
    """Return the properties that hold for at least one Function and fail for none."""
    held = {one for record in examined for one in record.held} - {one for record in examined for one in record.failed}
    return [one for one in PROPERTIES if one in held]


def render_finding(report: FileReport, finding: FileFinding) -> str:
    """Return the finding as lines, with ANSI colours."""
    span = finding.span
    place = str(report.file)
    if span:
        place += f":{span.line}" + (f":{span.column + 1}" if span.column is not None else "")
    kind = typer.style(f"{finding.severity}[{finding.code}]", fg=COLOURS[finding.severity], bold=True)
    lines = [f"{typer.style(place, bold=True)}: {kind}: {_one_line(finding.message)}"]
    if span and (text := report.line(span.line)).strip():
        lines += _underline(text, span.column, span.end_column if span.end_line == span.line else None, COLOURS[finding.severity])
    if finding.raised and finding.raised != finding.message:
        lines.append(f"  raised: {_one_line(finding.raised)}")
    if finding.change:
        lines.append(f"  help: {_one_line(finding.change)}")
    if finding.lesson:
        lines.append(f"  see: {finding.lesson}")
    return "\n".join(lines)


def _underline(text: str, column: int | None, end_column: int | None, colour: str) -> list[str]:
    """Return the line and a line of carets under the columns, or under the whole text if `column` is None."""
    start = len(text) - len(text.lstrip()) if column is None else min(column, len(text))
    end = len(text.rstrip()) if end_column is None else min(end_column, len(text))
    shown, before, marked = text[:MOST_COLUMNS], text[:start], text[start : max(end, start + 1)]
    if start >= MOST_COLUMNS:
        return [f"    {harmless(shown)}…"]
    pad = "".join("\t" if one == "\t" else " " * _width(one) for one in before)
    carets = "^" * max(1, sum(map(_width, marked[: MOST_COLUMNS - start])))
    return [f"    {harmless(shown)}{'…' if len(text) > MOST_COLUMNS else ''}", f"    {pad}{typer.style(carets, fg=colour, bold=True)}"]


def _width(character: str) -> int:
    """Return how many columns of a terminal the character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _one_line(text: str) -> str:
    return " ".join(harmless(text).split())


def _join(held: Sequence[Property], words: Translate) -> str:
    row = words(PROPERTIES[held[0]])
    for name in held[1:]:
        row = words("{row}, {next}").format(row=row, next=words(PROPERTIES[name]))
    return row


def _print(text: str) -> None:
    """Print to standard output: with colours on a terminal, unless NO_COLOR is set, and without them elsewhere."""
    typer.echo(text, color=False if os.environ.get("NO_COLOR") else None)
