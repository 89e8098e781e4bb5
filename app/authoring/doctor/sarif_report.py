"""The findings in SARIF 2.1.0, the format in which code scanners report, as docs.oasis-open.org/sarif/sarif/v2.1.0 specifies it."""

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from app.authoring.doctor.file_report import FileFinding, FileReport
from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.records.record import Span
from app.protocol.run import Lang

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LANGUAGES: dict[Lang, str] = {"en": "en", "zh-Hans": "zh"}  # the schema allows no script
LEVELS = {"error": "error", "warning": "warning", "hint": "note"}
FINGERPRINT = "gradroomFinding/v1"
_SHORT_CHARACTERS = 32
Json = dict[str, Any]


def render_sarif(reports: Sequence[FileReport], lang: Lang) -> bytes:
    """Return the document. The texts of rules are in `lang`, the texts of findings in the language of the run."""
    codes = sorted({one.code for report in reports for one in report.findings})
    results = [result for report in reports for result in _list_results(report, codes)]
    failures = [_notify(report) for report in reports if report.failure]
    invocation: Json = {"executionSuccessful": not failures}
    if failures:
        invocation["toolExecutionNotifications"] = failures
    driver = {"name": "gradroom doctor", "version": version("gradroom"), "rules": [_describe_rule(code, lang) for code in codes]}
    run = {
        "tool": {"driver": driver},
        "language": LANGUAGES[lang],
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
    }
    return msgspec.json.format(msgspec.json.encode({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}))


def _describe_rule(code: str, lang: Lang) -> Json:
    """Return a rule. A code without a page, such as an error that no pitfall explains, is its own description."""
    pitfall = load_pitfalls().pitfalls.get(code)
    name = pitfall.name.get(lang, code) if pitfall else code
    rule: Json = {"id": code, "shortDescription": {"text": name}}
    if pitfall:
        rule["defaultConfiguration"] = {"level": LEVELS[pitfall.severity]}
    return rule


def _list_results(report: FileReport, codes: Sequence[str]) -> Iterator[Json]:
    functions = find_definitions("".join(report.lines))
    seen: Counter[str] = Counter()
    for finding in report.findings:
        print_of = fingerprint(report, finding, functions)
        seen[print_of] += 1
        yield {
            "ruleId": finding.code,
            "ruleIndex": codes.index(finding.code),
            "level": LEVELS[finding.severity],
            "message": {"text": _join(finding)},
            "locations": [{"physicalLocation": _locate(report.file, finding.span)}],
            "partialFingerprints": {FINGERPRINT: f"{print_of}:{seen[print_of]}"},  # the same line may occur twice in a function
        }


def _join(finding: FileFinding) -> str:
    raised = finding.raised if finding.raised != finding.message else ""
    return "\n".join(filter(None, (finding.message, raised, finding.change)))


def _locate(file: Path, span: Span | None) -> Json:
    location: Json = {"artifactLocation": make_address(file)}
    if span is None:
        return location
    columns = {"startColumn": span.column, "endColumn": span.end_column}  # of a span from 0, of a region from 1
    region = {"startLine": span.line, "endLine": span.end_line, **{key: one + 1 for key, one in columns.items() if one is not None}}
    return {**location, "region": {key: value for key, value in region.items() if value is not None}}


def make_address(file: Path) -> Json:
    """Return the file's address: relative to the current folder if the file is in it, so that others can resolve it in their own."""
    absolute = file.resolve()
    if absolute.is_relative_to(Path.cwd()):
        return {"uri": quote(absolute.relative_to(Path.cwd()).as_posix()), "uriBaseId": "%SRCROOT%"}
    return {"uri": absolute.as_uri()}


def fingerprint(report: FileReport, finding: FileFinding, definitions: Sequence[tuple[range, str]]) -> str:
    """Return a fingerprint, by which a finding is recognised after lines were added or removed elsewhere.

    It is made of the finding's code, its function, and the text of its line.
    """
    line = finding.span.line if finding.span else 0
    name = next((name for lines, name in definitions if line in lines), "")
    text = report.line(line).strip() if line else ""
    return hashlib.sha256("\0".join((finding.code, name, text)).encode("utf-8", "replace")).hexdigest()[:_SHORT_CHARACTERS]


def find_definitions(text: str) -> list[tuple[range, str]]:
    """Return the lines and the full names of all classes and functions, inner ones first. A file that cannot be parsed has none."""
    try:
        return [*reversed([*_walk(ast.parse(text), "")])]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _walk(parent: ast.AST, prefix: str) -> Iterator[tuple[range, str]]:
    for node in ast.iter_child_nodes(parent):
        name = prefix
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{prefix}.{node.name}" if prefix else node.name
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            yield range(first, (node.end_lineno or node.lineno) + 1), name
        yield from _walk(node, name)


def _notify(report: FileReport) -> Json:
    location = {"physicalLocation": {"artifactLocation": make_address(report.file)}}
    return {"level": "error", "message": {"text": report.failure}, "locations": [location]}
