"""The pages about pitfalls, as a reader uses them: from a pasted message to the program that is wrong, and to the right one."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.axe import violations
from tests.browser.conftest import OpenPage
from tests.browser.lesson_page import LessonPage
from tests.browser.test_accessibility import Looks, violations_in_each

MESSAGE = "RuntimeError: grad can be implicitly created only for scalar outputs"
TRACEBACK = f'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    y.backward()\n{MESSAGE}'
WRONG, RIGHT = "not-a-scalar-wrong", "not-a-scalar-right"
FITS = "document.documentElement.scrollWidth <= innerWidth"


def test_from_a_pasted_message_to_the_program_that_is_right(open_page: OpenPage) -> None:
    page = open_page("/en/pitfalls")
    field = page.get_by_role("main").get_by_role("searchbox", name="paste an error")
    field.focus()
    page.keyboard.insert_text(TRACEBACK)
    page.keyboard.press("Enter")
    page.get_by_role("main").get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Not a scalar")
    pitfall = LessonPage(page)
    pitfall.button("Run", WRONG).click()
    expect(pitfall.results(WRONG)).to_contain_text("grad can be implicitly created only for scalar outputs")
    pitfall.run(RIGHT)
    pitfall.says("Finished", RIGHT)
    looks: Looks = [("light", 1440), ("dark", 360)]
    assert violations_in_each(page, looks) == {}


@pytest.mark.parametrize("path", ["/en/pitfalls", "/zh-Hans/search?q=scalar", "/en/search?q=zzzz", "/zh-Hans/pitfalls/wrong-shape"])
def test_a_page_fits_a_phone(open_page: OpenPage, path: str) -> None:
    page = open_page(path, width=360, color_scheme="dark")
    assert page.evaluate(FITS)
    assert violations(page) == []


def test_a_change_stays_in_this_browser_and_can_be_undone(open_page: OpenPage) -> None:
    path = "/en/pitfalls/not-a-scalar"
    LessonPage(open_page(path)).write("x = 1", WRONG)
    again = LessonPage(open_page(path))
    assert (again.text(WRONG), again.text(RIGHT) != "x = 1") == ("x = 1", True)
    again.button("Reset", WRONG).click()
    assert "backward()" in again.text(WRONG)
    expect(again.button("History", WRONG)).to_have_count(0)  # the server has none of these texts


def test_a_program_can_be_taken_to_the_playground(open_page: OpenPage) -> None:
    page = open_page("/en/pitfalls/not-a-scalar")
    LessonPage(page).cell(WRONG).get_by_role("link", name="Open in the playground").click()
    page.wait_for_url("**/en/playground#*")
    expect(page.locator("code-cell .cm-content")).to_contain_text("backward()")


def test_all_of_it_works_without_scripts(site: str, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{site}/en/pitfalls")
    page.get_by_role("main").get_by_role("searchbox").fill(MESSAGE)
    page.get_by_role("main").get_by_role("button", name="Search").click()
    page.get_by_role("link", name="Not a scalar").click()
    expect(page.locator("code-cell pre").first).to_contain_text("backward()")
    expect(page.get_by_role("heading", name="Why it is wrong")).to_be_visible()
