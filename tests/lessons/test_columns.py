"""Cells side by side: how a text places them, and the line of each mistake."""

import pytest

from app.lessons.model.model import CellPlace, ColumnsPlace
from app.lessons.toml.problem import Problem
from tests.lessons.course_folder import CourseFolder

EN = "one/first/en.md"
PAIR = "::::{columns}\n:::{cell} a-cell\n:::\n\n:::{cell} b\n:::\n::::\n"


@pytest.fixture
def columns(course: CourseFolder) -> CourseFolder:
    """Return the small course with its two cells side by side."""
    for lang in ("en", "zh-Hans"):
        course.replace(f"one/first/{lang}.md", "\n:::{cell} b\n:::\n", "")
        course.replace(f"one/first/{lang}.md", ":::{cell} a-cell\n:::\n", PAIR)
    return course


def test_cells_stand_side_by_side(columns: CourseFolder) -> None:
    catalogue = columns.load()
    lesson = catalogue.lesson("one/first")
    assert catalogue.problems == () and lesson is not None
    for text in lesson.texts.values():
        assert [one for one in text.blocks if isinstance(one, CellPlace | ColumnsPlace)] == [ColumnsPlace(("a-cell", "b"))]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (":::{cell} b\n:::\n", "Words.\n", 6, "expected two or three cells in {columns}, and nothing else, got 1"),
        ("\n:::{cell} b", "\nWords.\n\n:::{cell} b", 6, "expected two or three cells in {columns}, and nothing else, got 2"),
        (":::{cell} b", ":::{cell} c", 10, 'there is no cell "c" in lesson.toml'),
        ("{columns}", "{columns} b", 6, 'expected nothing after {columns}, got "b"'),
        ("{columns}", "{column}", 6, 'unknown directive "column" (did you mean "columns"?)'),
        ("a-cell\n:::\n\n:::{cell} b", "b\n:::\n\n:::{cell} a-cell", 10, 'expected the cell "a-cell" before "b", as in lesson.toml'),
    ],
)
def test_a_mistake_in_columns(columns: CourseFolder, old: str, new: str, line: int, message: str) -> None:
    columns.replace(EN, old, new)
    problems = columns.load().problems
    assert any((one.file, one.line) == (EN, line) and message in one.message for one in problems), problems


def test_columns_stand_alone(columns: CourseFolder) -> None:
    columns.replace(EN, PAIR, f":::::{{note}}\n{PAIR}:::::\n")
    expected = "{columns} stands alone: not in a list, a quotation or a callout, and in a lesson's text"
    assert Problem(EN, 7, expected) in columns.load().problems
