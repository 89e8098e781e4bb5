import subprocess
from pathlib import Path

import pytest

from app.authoring.selection import SelectionError, select_changed, select_named
from app.lessons.toml.problem import Problem
from tests.authoring.written_course import write_course


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return write_course(tmp_path / "work" / "course")


@pytest.fixture
def repository(course: Path) -> Path:
    git(course.parent, "init", "--quiet", "--initial-branch=main")
    commit(course)
    return course


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


def commit(course: Path) -> None:
    git(course.parent, "add", "--all")
    git(course.parent, "commit", "--quiet", "--message=x")


def test_nothing_named_is_everything(course: Path) -> None:
    assert select_named(course, []).paths is None
    assert "one/first" in select_named(course, [])


@pytest.mark.parametrize("name", ["one/second", "one/second/"])
def test_a_lesson_is_named_by_its_address(course: Path, name: str) -> None:
    assert select_named(course, [name]).paths == {"one/second"}


def test_a_chapter_is_all_its_lessons_and_a_folder_is_the_lesson_in_it(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert select_named(course, ["one"]).paths == {"one/first", "one/second"}
    monkeypatch.chdir(course.parent)
    assert select_named(course, ["course/one/first/"]).paths == {"one/first"}


def test_a_lesson_that_is_not_there_is_told_with_the_nearest(course: Path) -> None:
    with pytest.raises(SelectionError, match=r'There is no lesson "one/frist" in .* \(did you mean "one/first"\?\)'):
        select_named(course, ["one/frist"])


def test_problems_are_those_of_the_lessons_that_are_meant(course: Path) -> None:
    problems = [Problem("one/first/en.md", 1, "a"), Problem("one/second/en.md", 1, "b"), Problem("course.toml", 1, "c")]
    assert select_named(course, ["one/first"]).problems(problems) == problems[:1]
    assert select_named(course, []).problems(problems) == problems


def test_changed_is_what_differs_from_the_main_branch_or_is_new(repository: Path) -> None:
    assert select_changed(repository).paths == frozenset()
    git(repository.parent, "switch", "--quiet", "--create", "mine")
    (repository / "one/first/cells/slope.py").write_text("print(1)\n")
    assert select_changed(repository).paths == {"one/first"}
    commit(repository)
    (repository / "one/second/notes.txt").write_text("new")
    assert select_changed(repository).paths == {"one/first", "one/second"}


def test_without_a_repository_the_reason_is_told(course: Path) -> None:
    with pytest.raises(SelectionError, match="not a git repository"):
        select_changed(course)


def test_without_git_the_way_out_is_told(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(course))
    with pytest.raises(SelectionError, match="there is no git here: name the lessons instead"):
        select_changed(course)
