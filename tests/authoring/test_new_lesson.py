from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.authoring.commands import lessons_app
from app.authoring.new_lesson import NewLessonError, write_lesson
from app.lessons.course.catalogue import load_catalogue
from tests.authoring.written_course import write_course


def test_the_first_lesson_of_an_empty_folder_is_a_course_without_problems(tmp_path: Path) -> None:
    result = CliRunner().invoke(lessons_app, ["new", "first-steps/a-slope", "--lessons", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "gradroom lessons check first-steps/a-slope --lessons" in result.output
    catalogue = load_catalogue(tmp_path)
    assert catalogue.problems == ()
    lesson = catalogue.lesson("first-steps/a-slope")
    assert lesson is not None
    [prediction], [exercise] = lesson.predictions, lesson.exercises
    assert (prediction.cell_id, len(exercise.solutions), len(exercise.mistakes)) == ("slope", 3, 2)
    assert catalogue.course.chapters[0].title["en"] == "First steps"


def test_a_lesson_of_a_chapter_that_is_there_is_its_last_and_comments_stay(tmp_path: Path) -> None:
    course = write_course(tmp_path)
    chapter = course / "one/chapter.toml"
    before = chapter.read_text().replace('["first", "second"]\n', '[\n    "first",  # the first\n    "second",\n')
    chapter.write_text(f"# mine\n{before}]\n")
    write_lesson("one/third", course)
    assert chapter.read_text() == f'# mine\n{before}    "third",\n]\n'
    write_lesson("two/first", course)
    assert (course / "course.toml").read_text() == 'chapters = ["one", "two"]\n'
    catalogue = load_catalogue(course)
    assert catalogue.problems == ()
    assert [lesson.path for lesson in catalogue.course.lessons] == ["one/first", "one/second", "one/third", "two/first"]


def test_a_lesson_that_was_planned_is_planned_no_more(tmp_path: Path) -> None:
    course = write_course(tmp_path)
    chapter = course / "one/chapter.toml"
    planned = "".join(f'\n[[planned]]\nid = "{name}"\ntitle.en = "T"\ntitle.zh-Hans = "题"\n' for name in ("third", "fourth"))
    chapter.write_text(chapter.read_text() + planned)
    write_lesson("one/third", course)
    catalogue = load_catalogue(course)
    assert catalogue.problems == ()
    assert [one.id for one in catalogue.course.chapters[0].coming] == ["fourth"]


@pytest.mark.parametrize("path", ["one", "One/first", "one/first/second", "../first", "one/", "one/first"])
def test_what_is_no_new_address_is_refused_and_nothing_is_written(tmp_path: Path, path: str) -> None:
    course = write_course(tmp_path)
    before = {file: file.read_bytes() for file in course.rglob("*.*")}
    with pytest.raises(NewLessonError):
        write_lesson(path, course)
    assert {file: file.read_bytes() for file in course.rglob("*.*")} == before


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    course = write_course(tmp_path)
    (course / "course.toml").write_text("chapters = ")
    result = CliRunner().invoke(lessons_app, ["new", "two/first", "--lessons", str(course)])
    assert result.exit_code == 2
    assert "No lesson was made:" in result.output and "course.toml cannot be read" in result.output
    assert not (course / "two").exists()
