"""Recorded results: how they are written, and what is reported of invalid ones."""

from pathlib import Path

import pytest

from app.lessons.cells.recordings import (
    RECORDING_BYTES,
    find_other_result,
    load_recordings,
    make_recording,
    parse_recording,
    render_recording,
    restore_result,
)
from app.lessons.course.catalogue import load_catalogue
from app.lessons.model.model import Lesson
from app.lessons.toml.problem import Problem
from app.protocol.outcome import Outcome
from app.protocol.run import RecordedNote, RunError
from tests.frameworks_course import PATH, load_course, make_result

FOLDER = f"{PATH}/recorded"
REWRITES = ": where the runtime is installed, run it in author mode and record it, or check with --record"


@pytest.fixture
def lesson(tmp_path: Path) -> Lesson:
    [lesson] = load_course(tmp_path).course.lessons
    return lesson


def problems(folder: Path) -> list[Problem]:
    catalogue = load_catalogue(folder)
    assert not catalogue.problems
    [lesson] = catalogue.course.lessons
    return load_recordings(folder, lesson.path, lesson.cells)[1]


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_a_lesson_has_the_records_of_its_cells_of_other_runtimes(lesson: Lesson, tmp_path: Path) -> None:
    assert list(lesson.recordings) == ["in-tensorflow", "in-jax", "jax-again"]
    assert problems(tmp_path) == []


def test_what_is_written_says_the_same_when_it_is_read() -> None:
    recording = make_recording("abc", {"en": make_result("jax", "6.0\n")})
    assert parse_recording(render_recording(recording)) == recording


def test_nothing_that_varies_is_recorded() -> None:
    one, other = (
        make_recording("abc", {"en": make_result("jax", f"<object at {address}>\n")}) for address in ("0x7f32a41c01b0", "0x7f99b41c0ab0")
    )
    assert one == other
    assert one.results["en"].stdout == "<object at 0x000000000000>\n"
    assert "r7" not in render_recording(one)
    assert "_ms" not in render_recording(one)


def test_a_result_is_told_in_the_language_of_the_reader_where_it_has_words() -> None:
    def fail(words: str) -> RunError:
        return RunError(type="NameError", message="m", explanation=words)

    english = make_result("jax", outcome=Outcome.RAISED, error=fail("It is not defined."))
    chinese = make_result("jax", outcome=Outcome.RAISED, error=fail("没有定义。"))
    recording = make_recording("abc", {"en": english, "zh-Hans": chinese})
    note = RecordedNote(mark="记录", remedy="安装")
    told = restore_result(recording, "zh-Hans", note)
    assert (told.error, told.recorded, told.lang, told.versions) == (fail("没有定义。"), note, "zh-Hans", {"jax": "0.10.2"})
    alike = make_recording("abc", {"en": make_result("jax", "1"), "zh-Hans": make_result("jax", "1")})
    assert list(alike.results) == ["en"]
    assert restore_result(alike, "zh-Hans").stdout == "1"


@pytest.mark.usefixtures("lesson")
def test_a_missing_record_is_a_problem_and_the_lesson_is_there(tmp_path: Path) -> None:
    (tmp_path / FOLDER / "in-jax.json").unlink()
    message = f"the cell in-jax: its recorded result is missing{REWRITES}"
    assert problems(tmp_path) == [Problem(f"{FOLDER}/in-jax.json", 1, message)]


@pytest.mark.usefixtures("lesson")
@pytest.mark.parametrize("name", ["in-torch.json", "of-nothing.json", "in_jax.json"])
def test_a_record_of_nothing_is_a_problem(tmp_path: Path, name: str) -> None:
    (tmp_path / FOLDER / name).write_text("{}")
    message = "this file is not used: expected only records of cells whose runtime is not the usual one, by their ids"
    assert problems(tmp_path) == [Problem(f"{FOLDER}/{name}", 1, message)]


@pytest.mark.usefixtures("lesson")
@pytest.mark.parametrize("cell", ["in_jax", "jax_again"])
def test_a_record_of_sources_that_have_changed_is_a_problem_also_where_they_are_replayed(tmp_path: Path, cell: str) -> None:
    with (tmp_path / PATH / "cells" / f"{cell}.py").open("a") as file:
        file.write("print(1)\n")
    changed = ["in-jax", "jax-again"] if cell == "in_jax" else ["jax-again"]
    message = f"the code of the cell, or of one that it continues, has changed since this was recorded{REWRITES}"
    assert problems(tmp_path) == [Problem(f"{FOLDER}/{one}.json", 2, f"the cell {one}: {message}") for one in changed]
    [lesson] = load_catalogue(tmp_path).course.lessons
    assert not set(changed) & set(lesson.recordings)


@pytest.mark.usefixtures("lesson")
def test_the_exception_that_a_cell_declares_is_no_part_of_its_record(tmp_path: Path) -> None:
    replace(tmp_path / PATH / "lesson.toml", 'raises = "NameError"\n', "")
    assert problems(tmp_path) == []


@pytest.mark.usefixtures("lesson")
@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("}", "]", 1, "expected a record: JSON is malformed"),
        ('"sources":', '"source":', 1, "expected a record: Object contains unknown field `source`"),
        ('"finished"', '"perfect"', 1, "expected a record: Invalid enum value 'perfect'"),
        ('"kind": "value"', '"kind": 3', 1, "expected a record: Expected `str`, got `int`"),
        ('"text":', '"texts":', 1, "expected a record: Object missing required field `text`"),
        ('"en":', '"zh-Hans":', 1, "expected a result in the language en"),
        ('"shape":', '"sharp":', 29, 'expected "shape": null,, got "sharp": null,'),
        ('"version":', '"version" :', 4, 'expected "version": "0.10.2",, got "version" : "0.10.2",'),
    ],
)
def test_a_file_that_is_no_record_is_a_problem_with_its_line(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    replace(tmp_path / FOLDER / "in-jax.json", old, new)
    [found] = problems(tmp_path)
    assert (found.file, found.line) == (f"{FOLDER}/in-jax.json", line)
    assert found.message.startswith(f"the cell in-jax: {message}")


@pytest.mark.usefixtures("lesson")
def test_a_record_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / FOLDER / "in-jax.json").write_bytes(b"\xff" * (RECORDING_BYTES + 1))
    assert problems(tmp_path) == [Problem(f"{FOLDER}/in-jax.json", 1, "the cell in-jax: expected at most 1,048,576 bytes")]


@pytest.mark.parametrize(
    ("recorded", "run"),
    [
        ("gradient: 3.6268604", "gradient: 3.6268606"),
        ("gradient: 1.0", "gradient: 0.99999994"),
        (r"\n[-1.1752011936438014, 2.5e-10]\n", r"\n[-1.1752011936438018, 2.5000002e-10]\n"),
    ],
)
def test_a_record_of_another_processor_may_differ_in_the_last_places(recorded: str, run: str) -> None:
    assert find_other_result(f"{{\n{recorded}\n}}", f"{{\n{run}\n}}") is None


@pytest.mark.parametrize(
    ("recorded", "run"),
    [
        ("gradient: 3.6269", "gradient: 3.6270"),
        ("gradient: 3.6268604", "gradient: 3.6268634"),
        ("gradient: 1.1752011936438014", "gradient: 1.1752011936438114"),
        ("gradient: 0.0", "gradient: 1.2e-16"),
        ("gradient: 1.5", "gradient: -1.5"),
        ("shape: (1000000001,)", "shape: (1000000002,)"),
        ("tensor([2.0])", "tensor([2.0, 2.0])"),
        ('"version": "2.2100001.0"', '"version": "2.2100002.0"'),
        ("1.5 in a row", "1.5 in the row"),
    ],
)
def test_nothing_else_may_differ(recorded: str, run: str) -> None:
    found = find_other_result(f"{{\n{recorded}\n}}", f"{{\n{run}\n}}")
    assert found is not None
    assert found[0] == 2
