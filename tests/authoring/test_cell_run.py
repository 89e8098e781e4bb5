"""What recording a run changes in the lesson's files."""

from pathlib import Path

from app.authoring.checking.cell_run import compare_cell
from app.lessons.model.shows import Shows
from tests.authoring.course import LINES, make_catalogue, make_cell, make_result
from tests.authoring.written_course import write_course


def test_the_change_is_shown_before_it_is_written_and_keeps_the_newlines_of_the_file(tmp_path: Path) -> None:
    path = write_course(tmp_path) / "one/first/lesson.toml"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    before = path.read_bytes()
    [lesson] = make_catalogue(make_cell("slope", shows=Shows(lines=LINES, stdout=("6.0",)))).course.lessons
    [change] = compare_cell(lesson, lesson.cells[0], make_result(stdout="8.0\n")).list_changes(tmp_path)
    assert path.read_bytes() == before
    assert [line for line in change.diff.splitlines() if line.startswith(("-std", "+std"))] == [
        '-stdout = ["6.0"]  # at three',
        '+stdout = ["8.0"]  # at three',
    ]
    change.write(tmp_path)
    assert path.read_bytes() == before.replace(b"6.0", b"8.0")


def test_what_is_as_declared_changes_nothing(tmp_path: Path) -> None:
    [lesson] = make_catalogue(make_cell("slope", shows=Shows(lines=LINES, stdout=("6.0",)))).course.lessons
    run = compare_cell(lesson, lesson.cells[0], make_result(stdout="6.0\n"))
    assert run.is_recorded
    assert run.list_changes(write_course(tmp_path)) == []
