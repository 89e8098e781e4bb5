"""`gradroom doctor`: what it prints of findings as text, JSON and SARIF, its exit status, and a real run of two files."""

import json
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from click import unstyle

from app.authoring.doctor.doctor_command import ERRORS, NOT_RUN, NOTHING, WARNINGS, FailOn, Format, find_status, run_doctor
from app.authoring.doctor.file_report import FileFinding, FileReport, make_report
from app.authoring.doctor.json_report import render_json
from app.authoring.doctor.sarif_report import FINGERPRINT, LEVELS, render_sarif
from app.authoring.doctor.text_report import arranged, find_held, print_summary, render_finding
from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.outcome import Outcome
from app.protocol.records.diagnosis import Diagnosis, Severity
from app.protocol.records.examined import ExaminedRecord
from app.protocol.records.record import Span
from app.protocol.run import RunError
from tests.authoring.course import make_result
from tests.programs import Programs

SAVED = """import torch


class SinhBad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = torch.exp(x), torch.exp(-x)
        ctx.save_for_backward(up, down)
        return (up - down) / 2

    @staticmethod
    def backward(ctx, g):
        up, down = ctx.saved_tensors
        return g * (up + down) / 2


x = torch.tensor([0.3, -0.7], dtype=torch.double, requires_grad=True)
(slope,) = torch.autograd.grad(SinhBad.apply(x).sum(), x, create_graph=True)
print(slope)
"""
RAISED = "import torch\n\nx = torch.ones(3, requires_grad=True)\n(x * 2).backward()\n"


def make_finding(
    severity: Severity = "warning", line: int | None = 8, column: int | None = 30, end: int | None = 32, **fields: Any
) -> FileFinding:
    span = None if line is None else Span(line=line, column=column, end_line=None if end is None else line, end_column=end)
    given = {"code": "intermediate-saved", "message": "It saves `up`.", "change": "Compute it again.", "lesson": "one/first", **fields}
    return FileFinding(severity=severity, span=span, **given)


def make_file(*findings: FileFinding, text: str = SAVED, name: str = "saved.py", **fields: Any) -> FileReport:
    return FileReport(file=Path(name), lines=text.splitlines(True), outcome=Outcome.FINISHED, findings=findings, **fields)


def render(finding: FileFinding, text: str = SAVED) -> list[str]:
    return unstyle(render_finding(make_file(finding, text=text), finding)).splitlines()


def test_a_finding_is_printed_as_a_compiler_would() -> None:
    assert render(make_finding()) == [
        "saved.py:8:31: warning[intermediate-saved]: It saves `up`.",
        "            ctx.save_for_backward(up, down)",
        "                                  ^^",
        "  help: Compute it again.",
        "  see: one/first",
    ]


@pytest.mark.parametrize(
    ("text", "column", "end", "mark"),
    [
        ("数据 = bad\n", 5, 8, "           ^^^"),  # these characters take two columns of a terminal each
        ("\tx = bad\n", 5, 8, "    \t    ^^^"),
        ("  x = bad  \n", None, None, "      ^^^^^^^"),
        ("x = bad\n", 4, None, "        ^^^"),
        ("x = bad\n", 7, 7, "           ^"),
    ],
)
def test_the_mark_is_under_what_it_marks(text: str, column: int | None, end: int | None, mark: str) -> None:
    assert render(make_finding(line=1, column=column, end=end), text)[2] == mark


def test_a_line_that_acts_on_a_terminal_is_harmless() -> None:
    (_, line, *_) = render_finding(make_file(finding := make_finding(line=1), text="x = '\x1b[2J'\n"), finding).splitlines()
    assert line == "    x = '␛[2J'"


def test_a_long_line_is_cut_and_a_finding_without_a_line_has_none() -> None:
    assert len(render(make_finding(line=1, column=900, end=901), "x" * 1000)[1]) < 200
    assert render(make_finding(line=None))[0] == "saved.py: warning[intermediate-saved]: It saves `up`."


@pytest.mark.parametrize(
    ("severities", "fail_on", "status"),
    [
        ([], "warning", NOTHING),
        (["hint"], "warning", NOTHING),
        (["hint", "warning"], "warning", WARNINGS),
        (["warning"], "error", NOTHING),
        (["error", "hint"], "warning", ERRORS),
        (["error"], "error", ERRORS),
        (["error"], "never", NOTHING),
    ],
)
def test_the_status_is_that_of_the_most_severe_finding(severities: list[Severity], fail_on: FailOn, status: int) -> None:
    reports = [make_file(), make_file(*map(make_finding, severities))]
    assert find_status(reports, fail_on) == status
    assert find_status([*reports, FileReport(file=Path("gone.py"), failure="gone")], fail_on) == NOT_RUN


def test_what_holds_for_one_function_and_fails_for_another_does_not_hold() -> None:
    examined = [
        ExaminedRecord(function="A", held=["second", "gradient"]),
        ExaminedRecord(function="B", held=["gradient"], failed=["second"]),
    ]
    assert find_held(examined) == ["gradient"]


def test_the_summary_counts_and_says_what_holds(capsys: pytest.CaptureFixture[str]) -> None:
    examined = [ExaminedRecord(function="A", held=["second", "gradient"])]
    print_summary([make_file(make_finding(), examined=examined)], "en")
    print_summary([make_file(), make_file()], "zh-Hans")
    assert capsys.readouterr().out.splitlines() == ["1 finding in 1 file; these hold: gradient, second derivative", "2 个文件，0 处问题"]


def test_findings_stand_by_severity_and_line_and_what_follows_from_one_stands_under_it() -> None:
    hint, late = make_finding("hint", line=1), make_finding("error", line=9)
    cause = make_finding("error", line=5, explains=["wrong-gradient"])
    effect = make_finding("error", code="wrong-gradient", line=2)
    other = make_finding("error", code="wrong-gradient", line=3, values={"function": "Other"})
    of_one = make_finding("error", code="cause", line=5, explains=["wrong-gradient"], values={"function": "One"})

    assert arranged([hint, late, effect, cause]) == [(cause, [effect]), (late, []), (hint, [])]
    assert arranged([of_one, other]) == [(other, []), (of_one, [])]


def make_error(**fields: Any) -> RunError:
    return RunError(type="RuntimeError", message="no", line=4, column=2, explanation="Because.", **fields)


def test_an_error_that_no_pitfall_explains_has_the_outcome_as_its_code() -> None:
    report = make_report(Path("x.py"), RAISED.splitlines(True), make_result(Outcome.TIMED_OUT, error=make_error()), {})
    (finding,) = report.findings
    assert (finding.code, finding.severity, finding.message, finding.change) == ("timed-out", "error", "RuntimeError: no", "Because.")
    assert finding.span == Span(line=4, column=2)


def test_an_error_and_the_finding_that_explains_it_are_one() -> None:
    found = Diagnosis(code="not-a-scalar", message="Several entries.", span=Span(line=4, column=0, end_line=4, end_column=18))
    other = Diagnosis(code="not-a-scalar", message="Elsewhere.", span=Span(line=1))
    result = make_result(Outcome.RAISED, error=make_error(pitfall="not-a-scalar"), records=[other, found])
    report = make_report(Path("x.py"), RAISED.splitlines(True), result, {})
    assert [(one.message, one.raised) for one in report.findings] == [("Several entries.", "RuntimeError: no"), ("Elsewhere.", "")]


def test_json_has_every_field_of_a_finding_and_why_a_file_was_not_run() -> None:
    failed = FileReport(file=Path("gone.py"), failure="No such file or directory")
    document = json.loads(render_json([make_file(make_finding(values={"line": 13})), failed]))
    saved, gone = document["files"]
    assert saved["outcome"] == "finished"
    assert saved["findings"] == [
        {
            "code": "intermediate-saved",
            "severity": "warning",
            "message": "It saves `up`.",
            "change": "Compute it again.",
            "lesson": "one/first",
            "raised": None,
            "span": {"line": 8, "column": 30, "end_line": 8, "end_column": 32},
            "values": {"line": 13},
        }
    ]
    assert (gone["outcome"], gone["failure"], gone["findings"]) == (None, "No such file or directory", [])


def sarif_of(*reports: FileReport) -> Any:
    document = json.loads(render_sarif(reports, "en"))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    return run


def test_sarif_has_a_rule_for_each_code_and_results_that_name_it() -> None:
    run = sarif_of(make_file(make_finding(), make_finding("error", code="raised"), make_finding("hint")))
    driver = run["tool"]["driver"]
    assert [rule["id"] for rule in driver["rules"]] == ["intermediate-saved", "raised"]
    assert driver["rules"][0]["shortDescription"] == {"text": load_pitfalls().pitfalls["intermediate-saved"].name["en"]}
    assert "helpUri" not in driver["rules"][0]
    assert [(one["ruleId"], one["ruleIndex"], one["level"]) for one in run["results"]] == [
        ("intermediate-saved", 0, "warning"),
        ("raised", 1, "error"),
        ("intermediate-saved", 0, "note"),
    ]
    assert run["invocations"] == [{"executionSuccessful": True}]


def test_sarif_counts_columns_from_one_in_code_points() -> None:
    run = sarif_of(make_file(make_finding(), make_finding(line=None)))
    assert run["columnKind"] == "unicodeCodePoints"
    placed, unplaced = (one["locations"][0]["physicalLocation"] for one in run["results"])
    assert placed["region"] == {"startLine": 8, "startColumn": 31, "endLine": 8, "endColumn": 33}
    assert "region" not in unplaced


def test_sarif_names_files_relative_to_the_folder_if_they_are_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    inside, outside = (sarif_of(make_file(make_finding(), name=name)) for name in (str(tmp_path / "a b.py"), "../x.py"))
    addresses = [run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] for run in (inside, outside)]
    assert addresses == [{"uri": "a%20b.py", "uriBaseId": "%SRCROOT%"}, {"uri": (tmp_path.parent / "x.py").as_uri()}]


def test_sarif_says_which_file_was_not_run() -> None:
    (invocation,) = sarif_of(FileReport(file=Path("gone.py"), failure="gone"))["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"] == {"text": "gone"}


def fingerprints(text: str, *lines: int) -> list[str]:
    run = sarif_of(make_file(*(make_finding(line=line) for line in lines), text=text))
    return [one["partialFingerprints"][FINGERPRINT] for one in run["results"]]


def test_a_fingerprint_stays_when_lines_move_and_changes_with_the_function_and_the_line() -> None:
    (before,) = fingerprints(SAVED, 8)
    assert fingerprints(f"# one\nif True:\n{indent(SAVED, '  ')}", 10) == [before]
    assert fingerprints(SAVED.replace("SinhBad", "Other"), 8) != [before]
    assert fingerprints(SAVED.replace("(up, down)", "(down, up)"), 8) != [before]
    assert fingerprints(SAVED, 9) != [before]


def test_the_same_line_twice_has_two_fingerprints() -> None:
    assert len({*fingerprints(SAVED, 8, 8)}) == 2


def test_a_file_that_python_cannot_read_has_fingerprints_too() -> None:
    assert fingerprints("def (:\n" * 9, 8)


@pytest.mark.parametrize(
    ("content", "reason"),
    [(None, "No such file"), (b"x" * 70_000, "70,000 bytes"), (b"# \xff", "not UTF-8"), (b"x = '\0'", "a NUL")],
)
def test_a_file_that_cannot_be_run_is_status_3_and_starts_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, reason: str
) -> None:
    file = tmp_path / "program.py"
    if content is not None:
        file.write_bytes(content)
    assert run_doctor([file], lang="en", form="text", fail_on="never") == NOT_RUN
    printed = capsys.readouterr()
    assert reason in printed.err
    assert printed.out == ""


def test_without_a_runner_that_may_run_anything_the_status_is_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRADROOM_CONCURRENCY", "none")
    (tmp_path / "x.py").write_text("x = 1\n")
    assert run_doctor([tmp_path / "x.py"], lang="en", form="text", fail_on="warning") == NOT_RUN
    assert "Nothing can be run: GRADROOM_CONCURRENCY" in capsys.readouterr().err


@pytest.fixture
def examine(programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Run the command on the two programs with the shared runner, and return its status and output."""
    monkeypatch.setenv("GRADROOM_RUNNER_SOCKET", str(programs.socket))
    monkeypatch.chdir(tmp_path)
    Path("saved.py").write_text(SAVED)
    Path("raised.py").write_text(RAISED)

    def run(form: Format, lang: Any = "en") -> tuple[int, str]:
        status = run_doctor([Path("saved.py"), Path("raised.py")], lang=lang, form=form, fail_on="warning")
        return status, capsys.readouterr().out

    return run


def test_two_files_are_run_and_what_is_wrong_with_them_is_printed(examine: Callable[..., Any]) -> None:
    status, printed = examine("text")
    assert status == ERRORS
    assert "saved.py:8:31: warning[intermediate-saved]: " in printed
    assert "            ctx.save_for_backward(up, down)\n                                  ^^\n  help: " in printed
    assert "raised.py:4:1: error[not-a-scalar]: RuntimeError: grad can be implicitly created only for scalar outputs" in printed
    assert " in 2 files" in printed.splitlines()[-1]
    assert "\x1b" not in printed


def test_two_files_as_json_and_in_chinese(examine: Callable[..., Any]) -> None:
    saved, raised = json.loads(examine("json", "zh-Hans")[1])["files"]
    assert {one["code"] for one in saved["findings"]} >= {"intermediate-saved"}
    assert raised["outcome"] == "raised"
    assert raised["findings"][0]["change"].startswith("backward() 和")


def test_two_files_as_sarif(examine: Callable[..., Any]) -> None:
    (run,) = json.loads(examine("sarif")[1])["runs"]
    assert {one["level"] for one in run["results"]} <= set(LEVELS.values())
    files = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in run["results"]]
    assert {*files} == {"saved.py", "raised.py"}
