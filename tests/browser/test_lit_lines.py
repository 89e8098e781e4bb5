"""The piece of a cell's text that the page lights in its editor, and the line of the cursor that the editor reports."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import WIDTH
from tests.browser.lesson_page import LessonPage
from tests.browser.staged_runner import StagedRunner
from tests.browser.test_accessibility import violations_in_each

SOURCE = "x = '😀'; y = f(x)\n\n    z = (y +\n        1)   \nlast"
SPANS: list[tuple[dict[str, Any], list[str]]] = [
    ({"line": 1, "column": 9, "end_line": 1, "end_column": 17}, ["y = f(x)"]),  # columns are code points
    ({"line": 1, "column": 13, "end_column": 14}, ["f"]),
    ({"line": 1, "column": 13}, ["f(x)"]),
    ({"line": 3}, ["z = (y +"]),
    ({"line": 3, "column": None, "end_line": None, "end_column": None}, ["z = (y +"]),
    ({"line": 3, "column": 8, "end_line": 4, "end_column": 10}, ["(y +", "1)"]),
    ({"line": 1, "column": 13, "end_line": 4}, ["f(x)", "z = (y +", "1)"]),
    ({"line": 2}, []),
    ({"line": 5, "column": 2, "end_line": 900, "end_column": 1}, ["st"]),
    ({"line": 5, "column": 0, "end_line": 5, "end_column": 1_000_000}, ["last"]),
    ({"line": 5, "column": 1_000_000}, []),
    ({"line": 6}, []),
    ({"line": 1_000_000, "end_line": 1_000_000}, []),
    ({"line": 4, "end_line": 1, "end_column": 3}, []),
    ({"line": 1, "column": 5, "end_line": 1, "end_column": 2}, []),
]


@pytest.fixture
def lesson(staged: tuple[LessonPage, StagedRunner]) -> LessonPage:
    """A lesson whose first cell has SOURCE, written by the page."""
    lesson, _ = staged
    lesson.editor().wait_for()
    lesson.cell().evaluate("(cell, source) => cell.cell.edit(source)", SOURCE)
    return lesson


def light(lesson: LessonPage, span: dict[str, Any] | None) -> None:
    lesson.cell().evaluate("(cell, span) => void (cell.cell.lit.value = span && {span, notes: []})", span)


def lit(lesson: LessonPage) -> list[str]:
    """The lit pieces, one a line."""
    return lesson.cell().evaluate(
        """cell => [...cell.querySelectorAll(".cm-line")].flatMap((line) => {
            const pieces = [...line.querySelectorAll(".cm-lit")];
            return pieces.length ? [pieces.map((piece) => piece.textContent).join("")] : [];
        })"""
    )


def cursor_line(lesson: LessonPage) -> int | None:
    return lesson.cell().evaluate("cell => cell.cell.cursorLine.value")


def test_the_part_of_a_span_that_is_in_the_text_is_lit(lesson: LessonPage) -> None:
    found = []
    for span, _ in SPANS:
        light(lesson, {"line": 1})
        assert lit(lesson) == ["x = '😀'; y = f(x)"]
        light(lesson, span)
        found.append((span, lit(lesson)))
    assert found == SPANS
    light(lesson, None)
    assert lit(lesson) == []


def test_a_text_that_changes_is_no_longer_lit_and_can_be_lit_again(lesson: LessonPage) -> None:
    span = {"line": 5, "column": 0}
    light(lesson, span)
    lesson.editor().focus()
    lesson.page.keyboard.press("End")
    assert lit(lesson) == ["last"]
    lesson.page.keyboard.type("er")
    expect(lesson.cell().locator(".cm-lit")).to_have_count(0)
    light(lesson, span)
    assert lit(lesson)[-1:] == [lesson.text().splitlines()[-1]]


def test_a_text_that_the_page_replaces_is_no_longer_lit(lesson: LessonPage) -> None:
    light(lesson, {"line": 1})
    lesson.cell().evaluate("cell => cell.cell.edit('other')")
    assert lit(lesson) == []
    assert lesson.cell().evaluate("cell => cell.cell.lit.value") is None


def test_a_span_that_came_before_the_editor_is_lit_with_it(lesson: LessonPage) -> None:
    light(lesson, {"line": 5})
    lesson.cell().evaluate(
        """async (cell) => {
            const old = cell.querySelector("code-editor"), editor = document.createElement("code-editor");
            editor.cell = cell.cell;
            editor.className = old.className;
            old.replaceWith(editor);
            await editor.updateComplete;
        }"""
    )
    assert lit(lesson) == ["last"]


def test_the_line_to_which_the_learner_moves_the_cursor_is_reported(lesson: LessonPage) -> None:
    assert cursor_line(lesson) is None
    lesson.cell().locator(".cm-line").nth(2).click()
    assert cursor_line(lesson) == 3
    lesson.page.keyboard.press("ArrowDown")
    assert cursor_line(lesson) == 4
    lesson.page.keyboard.press("Control+Home")
    assert cursor_line(lesson) == 1
    lesson.page.keyboard.press("Enter")
    assert cursor_line(lesson) == 2


def test_a_cursor_that_the_page_moves_is_not_reported(lesson: LessonPage) -> None:
    lesson.cell().locator(".cm-line").nth(2).click()
    lesson.cell().evaluate("cell => void (cell.cell.page.target.value = { cell: cell.cell, line: 5 })")
    assert lesson.view("view.state.doc.lineAt(view.state.selection.main.head).number") == 5
    lesson.cell().evaluate("cell => cell.cell.edit('a\\n' + cell.cell.text.value)")
    assert cursor_line(lesson) == 3
    lesson.page.keyboard.press("ArrowUp")
    assert cursor_line(lesson) == 5


def test_the_line_to_which_the_page_and_then_the_learner_move_the_cursor_is_reported(lesson: LessonPage) -> None:
    """The learner's move reports line 3 again, because the cursor had left it."""
    lesson.cell().locator(".cm-line").nth(2).click()
    lesson.cell().evaluate(
        """(cell) => {
            cell.cell.page.target.value = { cell: cell.cell, line: 4 };
            cell.cell.cursorLine.value = null;
        }"""
    )
    lesson.page.keyboard.press("ArrowUp")
    assert cursor_line(lesson) == 3


def test_lit_text_can_be_read(lesson: LessonPage) -> None:
    lesson.cell().evaluate("cell => cell.cell.edit(\"@tag  # why\\ndef f(x):\\n    return 'text', 1.5\")")
    light(lesson, {"line": 1, "end_line": 3})
    assert len(lit(lesson)) == 3
    assert violations_in_each(lesson.page, [("light", WIDTH), ("dark", WIDTH)], within='[data-cell="sinh-bad"]') == {}


def test_a_line_that_a_link_leads_to_is_not_under_what_stands_at_the_top(lesson: LessonPage) -> None:
    """The page's header and the head of the cell cover the top of a long cell."""
    page = lesson.page
    lesson.write("\n".join(f"line_{number} = {number}" for number in range(80)))
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    lesson.cell().evaluate("({ cell }) => cell.page.goTo(cell.id, 5, null)")
    line = lesson.cell().locator(".cm-line", has_text="line_4 = 4").first
    expect(line).to_be_visible()
    covered = lesson.cell().locator(".cell-head").bounding_box()
    place = line.bounding_box()
    assert covered and place
    assert place["y"] >= covered["y"] + covered["height"]
