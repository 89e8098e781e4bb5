"""For everyone: axe finds nothing, the keyboard reaches everything and is never trapped, names are said."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import Theme, violations, violations_in_the_other_theme
from tests.browser.conftest import OpenPage, resize
from tests.browser.lesson_page import LessonPage

Looks = list[tuple[Theme, int]]  # themes and widths
# in one language wide pages become narrow, in the other narrow ones wide
LOOKS: list[tuple[str, Looks]] = [("en", [("light", 1440), ("dark", 360)]), ("zh-Hans", [("light", 360), ("dark", 1440)])]


def violations_in_each(page: Page, looks: Looks, within: str = "") -> dict[tuple[Theme, int], list[str]]:
    """Return what axe finds in each look of a page, or of the part `within`, without the looks in which it finds nothing."""
    found = {}
    for theme, width in looks:
        page.emulate_media(color_scheme=theme)
        resize(page, width)
        found[theme, width] = violations(page, within=within)
    return {look: some for look, some in found.items() if some}


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/map",
        "/paths",
        "/paths/no-gradient",
        "/playground",
        "/what-works",
        "/pitfalls",
        "/mine",
        "/backward-twice/saving-intermediates",
        "/no/such-lesson",
    ],
)
def test_axe_finds_nothing_to_object_to(open_page: OpenPage, path: str, lang: str) -> None:
    page = open_page(f"/{lang}{path}", color_scheme="light")
    assert violations(page) == []
    assert violations_in_the_other_theme(page, "dark") == []


@pytest.mark.parametrize(("lang", "looks"), LOOKS)
def test_axe_finds_nothing_to_object_to_in_results(open_page: OpenPage, lang: str, looks: Looks) -> None:
    page = open_page(f"/{lang}/backward-twice/sinh-bad", width=looks[0][1])
    lesson = LessonPage(page)
    lesson.run()
    assert violations_in_each(page, looks) == {}
    lesson.run("sinh-bad-graph")
    results = lesson.results("sinh-bad-graph")
    expect(results.locator('[data-node="n0-up"]')).to_be_visible()  # the picture of the second run
    results.locator("graph-view").evaluate("view => view.change(() => (view.exploration.listing = true))")
    lesson.write("# edited", "sinh-bad-graph")
    assert violations_in_each(page, looks[::-1], within='[data-cell="sinh-bad-graph"]') == {}


@pytest.mark.same_page
def test_editors_have_names(lesson: LessonPage) -> None:
    expect(lesson.page.get_by_role("textbox", name="Code editor, cell 3")).to_be_visible()


@pytest.mark.same_page
def test_tab_passes_through_an_editor_that_was_reached_by_tab(lesson: LessonPage) -> None:
    before = lesson.text()
    lesson.button("Run").focus()
    lesson.page.keyboard.press("Tab")
    assert lesson.editor().evaluate("element => element === document.activeElement")
    lesson.page.keyboard.press("Tab")
    assert not lesson.editor().evaluate("element => element === document.activeElement")
    assert lesson.text() == before


def test_tab_indents_once_something_was_typed_and_escape_lets_go(lesson: LessonPage) -> None:
    lesson.button("Run").focus()
    lesson.page.keyboard.press("Tab")
    expect(lesson.cell().locator(".cell-keys")).to_have_text("Type to edit; Tab moves on")
    lesson.page.keyboard.press("Control+Home")
    lesson.page.keyboard.type("#")
    lesson.page.keyboard.press("Tab")
    assert lesson.text().startswith("#   ")
    expect(lesson.cell().locator(".cell-keys")).to_have_text("Esc, then Tab leaves the editor")
    lesson.page.keyboard.press("Escape")
    lesson.page.keyboard.press("Tab")
    assert not lesson.editor().evaluate("element => element === document.activeElement")


@pytest.mark.same_page
def test_a_cell_is_run_and_read_with_the_keyboard_alone(lesson: LessonPage) -> None:
    lesson.button("Run").focus()
    lesson.page.keyboard.press("Enter")
    expect(lesson.status()).to_contain_text("GradcheckError")
    for _ in range(12):
        lesson.page.keyboard.press("Tab")
        if lesson.page.evaluate("document.activeElement.textContent") == "line 5":
            break
    lesson.page.keyboard.press("Enter")
    assert lesson.view("view.state.doc.lineAt(view.state.selection.main.head).number") == 5


@pytest.mark.same_page
def test_targets_are_large_enough(lesson: LessonPage) -> None:
    lesson.run("sinh-bad-graph")
    small = lesson.page.eval_on_selector_all(
        "button, .top a, .steps a, .page-turn a, summary, select",
        """elements => elements.filter(element => element.checkVisibility() && !element.matches('.link'))
            .map(element => [element.getBoundingClientRect(), element.textContent.trim()])
            .filter(([box]) => box.width && Math.min(box.width, box.height) < 24)
            .map(([box, text]) => `${text} ${box.width}×${box.height}`)""",
    )
    assert small == []
