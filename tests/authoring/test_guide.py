"""The guide for authors, held to what it says: its example course is loaded from its own text, and run."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.authoring.commands import lessons_app
from app.lessons.catalogue import load_catalogue
from app.lessons.declarations import OUTCOMES
from app.lessons.directives import DIRECTIVES
from app.lessons.markup import MEANINGS
from app.protocol.records.registry import DISPLAY_NAMES
from app.settings import PROJECT

GUIDE = (PROJECT / "docs/authoring.md").read_text(encoding="utf-8")
FILE = re.compile(r"^\*\*`([^`]+)`\*\*\n\n(`{3,})\w+\n(.*?)^\2$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    for name, _, text in FILE.findall(GUIDE):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_the_guides_example_is_a_course_without_problems(example: Path) -> None:
    catalogue = load_catalogue(example)
    assert catalogue.problems == ()
    [lesson] = catalogue.course.lessons
    assert [cell.id for cell in lesson.cells] == ["slope", "slope-twice"]


@pytest.mark.parametrize("word", [*DIRECTIVES, *MEANINGS, *OUTCOMES, *DISPLAY_NAMES])
def test_the_guide_names_everything_an_author_can_write(word: str) -> None:
    assert f'"{word}"' in GUIDE or f"`{word}`" in GUIDE or f"{{{word}}}" in GUIDE


def test_the_guides_example_shows_what_it_declares(example: Path) -> None:
    result = CliRunner().invoke(lessons_app, ["check", str(example)])
    assert result.exit_code == 0, result.output
    assert re.search(r"^1 lesson with 2 cells loaded and run in \d+\.\d s: no problems\.$", result.output, re.MULTILINE)


def test_a_cell_that_no_longer_shows_what_it_declares_fails_the_check(example: Path) -> None:
    path = example / "first-steps/a-slope/lesson.toml"
    path.write_text(path.read_text().replace("tensor(6.)", "tensor(7.)"))
    result = CliRunner().invoke(lessons_app, ["check", str(example)])
    assert result.exit_code == 1
    assert f'{path}:8: the cell slope: expected "tensor(7.)" on stdout, got "tensor(6.)"' in result.output


def test_loading_alone_runs_nothing_and_fails_on_a_broken_lesson(example: Path) -> None:
    assert CliRunner().invoke(lessons_app, ["check", "--no-run", str(example)]).exit_code == 0
    (example / "first-steps/a-slope/zh-Hans.md").unlink()
    result = CliRunner().invoke(lessons_app, ["check", "--no-run", str(example)])
    assert result.exit_code == 1
    assert f"{example}/first-steps/a-slope/zh-Hans.md:1: expected the text in the language zh-Hans" in result.output


def test_the_courses_own_cells_show_what_they_declare() -> None:
    result = CliRunner().invoke(lessons_app, ["check", str(PROJECT / "lessons")])
    assert result.exit_code == 0, result.output
