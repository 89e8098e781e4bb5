"""`lessons check` compares recorded results where the runtime is installed, and reports or rewrites those that differ."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.authoring import course_check
from app.authoring.checking.check import Checker, LessonReport
from app.authoring.course_check import check_course
from app.lessons.course.catalogue import load_catalogue
from app.protocol.limits import Limits
from tests.authoring.course import FakeRunner
from tests.authoring.frameworks_runner import FrameworksRunner
from tests.frameworks_course import PATH, make_result, write_course, write_files


def check(folder: Path, runner: FakeRunner) -> LessonReport:
    async def collect() -> list[LessonReport]:
        catalogue = load_catalogue(folder)
        return [report async for report in Checker(catalogue, runner, Limits(), 2).check(catalogue.course.lessons)]

    [report] = asyncio.run(collect())
    return report


def check_with(runner: FakeRunner, folder: Path, monkeypatch: pytest.MonkeyPatch, *, record: bool = False) -> None:
    @asynccontextmanager
    async def take(_: object) -> AsyncIterator[FakeRunner]:
        yield runner

    monkeypatch.setattr(course_check, "author_runner", take)
    check_course((), folder, run=True, changed=False, record=record)


def test_a_run_that_shows_what_is_recorded_is_no_problem(tmp_path: Path) -> None:
    report = check(write_course(tmp_path), FrameworksRunner())
    assert (report.problems, report.unrecorded, report.from_records) == ([], [], {})


@pytest.mark.parametrize(
    ("runner", "line", "message"),
    [
        (FrameworksRunner(tensorflow="2.22.0"), 4, 'expected "version": "2.22.0",, got "version": "2.21.0",'),
        (FrameworksRunner(printed="6.0!"), 9, r'expected "stdout": "6.0!\n<object'),
    ],
)
def test_a_run_that_shows_something_else_is_told_with_the_line_of_the_file(
    tmp_path: Path, runner: FrameworksRunner, line: int, message: str
) -> None:
    report = check(write_course(tmp_path), runner)
    [problem] = report.problems
    file = f"{PATH}/recorded/in-tensorflow.json"
    assert (problem.file, problem.line) == (file, line)
    assert problem.message.startswith(f"the cell in-tensorflow: {message}")
    assert problem.message.endswith("where the runtime is installed, run it in author mode and record it, or check with --record")
    assert [change.file for run in report.unrecorded for change in run.list_changes(tmp_path)] == [file]


def test_recording_writes_what_is_missing_and_what_differs_and_then_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path)
    check_with(FrameworksRunner(), tmp_path, monkeypatch, record=True)
    told = capsys.readouterr().out
    assert all(f"recorded/{cell}.json: recorded what the cell {cell} shows\n" in told for cell in ("in-tensorflow", "in-jax", "jax-again"))
    assert "missing" not in told
    first = {path: path.read_bytes() for path in (tmp_path / PATH / "recorded").iterdir()}
    assert len(first) == 3
    check_with(FrameworksRunner(), tmp_path, monkeypatch, record=True)
    assert ".json" not in capsys.readouterr().out
    assert {path: path.read_bytes() for path in first} == first
    check_with(FrameworksRunner(printed="6.0!"), tmp_path, monkeypatch, record=True)
    assert capsys.readouterr().out.count(".json: recorded") == 1


def test_where_a_runtime_is_absent_it_is_said_what_was_not_run_and_recording_changes_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_course(tmp_path)
    (tmp_path / PATH / "recorded/jax-again.json").unlink()
    check_with(FakeRunner({"in-torch": make_result("torch", "6.0\n")}), tmp_path, monkeypatch, record=True)
    told = capsys.readouterr().out
    assert "jax is not installed: 2 cells taken from their records, 1 try-it not run.\n" in told
    assert "tensorflow is not installed: 1 cell taken from its record.\n" in told
    assert "recorded/jax-again.json:1: the cell jax-again: its recorded result is missing" in told
    assert ".json: recorded" not in told


def test_what_declares_nothing_and_cannot_be_run_is_a_problem_that_recording_does_not_mend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_course(tmp_path)
    lesson = tmp_path / PATH / "lesson.toml"
    text = lesson.read_text()
    for declared in ('[cell.shows]\nstdout = ["6.0"]\nrecords = ["value"]\n', '[try.shows]\nstdout = ["9.0"]\nrecords = ["value"]\n'):
        assert declared in text
        text = text.replace(declared, "")
    lesson.write_text(text)
    check_with(FakeRunner({"in-torch": make_result("torch", "6.0\n")}), tmp_path, monkeypatch, record=True)
    told = capsys.readouterr().out
    assert "the cell in-jax: expected a table [cell.shows]" in told
    assert "the try thrice: expected a table [try.shows]" in told
