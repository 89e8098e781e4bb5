"""Stored texts: reloads, resets, lessons that change, other tabs, and browsers that store nothing."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import SINH_BAD
from tests.browser.lesson_page import LessonPage

KEY = "gradroom/draft/backward-twice/sinh-bad/sinh-bad"
NO_STORAGE = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('denied', 'SecurityError') }})"


def test_an_edit_outlives_a_reload_and_is_not_run(lesson: LessonPage) -> None:
    lesson.write("print('mine')")
    lesson.page.reload()
    assert lesson.text() == "print('mine')"
    expect(lesson.status()).to_have_count(0)


def test_a_reset_can_be_undone_also_after_a_reload(lesson: LessonPage) -> None:
    starter = lesson.text()
    lesson.write("print('mine')")
    lesson.button("Reset").click()
    assert lesson.text() == starter
    lesson.page.reload()
    assert lesson.text() == starter
    lesson.button("Undo reset").click()
    assert lesson.text() == "print('mine')"


def test_a_cell_as_given_offers_no_reset(lesson: LessonPage) -> None:
    expect(lesson.button("Run")).to_be_visible()
    expect(lesson.button("Reset")).to_have_count(0)


@pytest.mark.parametrize(("choice", "kept"), [("Keep mine", True), ("Take the lesson’s", False)])
def test_an_edit_of_a_lesson_that_changed_offers_both(lesson: LessonPage, choice: str, kept: bool) -> None:
    starter = lesson.text()
    draft = json.dumps({"starter": "another", "text": "print('old')", "undo": None})
    lesson.page.evaluate("([key, draft]) => localStorage.setItem(key, draft)", [KEY, draft])
    lesson.page.reload()
    expect(lesson.cell()).to_contain_text("The lesson’s code has changed since you edited this cell.")
    lesson.button(choice).click()
    assert lesson.text() == ("print('old')" if kept else starter)
    expect(lesson.cell()).not_to_contain_text("has changed since")
    lesson.page.reload()
    assert lesson.text() == ("print('old')" if kept else starter)
    if not kept:
        expect(lesson.button("Undo reset")).to_be_visible()


def test_what_another_tab_writes_is_followed_and_can_be_undone(open_page: Callable[..., Page]) -> None:
    here, there = LessonPage(open_page()), LessonPage(open_page())
    here.write("print('here')")
    there.write("print('there')")
    expect(here.editor()).to_have_text("print('there')")
    expect(here.cell()).not_to_contain_text("A different text")
    here.editor().focus()
    here.page.keyboard.press("Control+z")
    assert here.text() == "print('here')"
    expect(there.editor()).to_have_text("print('here')")


def test_a_browser_that_keeps_nothing_is_told(site: str, new_context: Callable[..., BrowserContext]) -> None:
    context = new_context()
    context.add_init_script(NO_STORAGE)
    page = context.new_page()
    page.goto(site + SINH_BAD)
    lesson = LessonPage(page)
    expect(page.get_by_text("This browser does not keep your edits.")).to_be_visible()
    lesson.write("print(1)")
    lesson.run()
    lesson.says("Finished")


def test_the_map_remembers_which_cells_were_run(lesson: LessonPage, site: str) -> None:
    lesson.run()
    lesson.page.goto(f"{site}/en/map")
    expect(lesson.page.locator('[data-lesson="backward-twice/sinh-bad"]')).to_contain_text("1 of 7 done")
    expect(lesson.page.get_by_role("link", name="Go on: One output instead of three")).to_be_visible()
