"""The Back button brings a page back as it was left, from the browser's cache of pages, which Playwright otherwise switches off."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import FLAGS, SINH_BAD, make_context
from tests.browser.lesson_page import LessonPage
from tests.browsers import find_windowed


@pytest.fixture
def keeping_browser(browser: Browser) -> Iterator[Browser]:
    """Keeps a page that is left, as the shell without windows does not."""
    path = find_windowed()
    if path is None and os.environ.get("CI"):
        pytest.fail("CI needs Chromium beside its shell: apt-get install chromium")
    if path is None:
        pytest.skip("there is no Chromium beside its shell: apt-get install chromium")
    off = ["--disable-back-forward-cache"]
    with browser.browser_type.launch(executable_path=path, args=[*FLAGS], ignore_default_args=off) as keeping:
        yield keeping


def test_the_map_shows_what_was_done_since_it_was_left(keeping_browser: Browser, site: str) -> None:
    page = make_context(keeping_browser).new_page()
    page.goto(f"{site}/en/map#backward-twice")
    page.evaluate("document.documentElement.dataset.left = ''")
    here = page.locator(f'a[data-lesson="{SINH_BAD.removeprefix("/en/")}"]')
    expect(page.locator("#continue")).to_contain_text("Begin: ")
    here.click()
    page.wait_for_url(f"**{SINH_BAD}")
    LessonPage(page).run()
    page.evaluate("setTimeout(() => history.back(), 0)")  # Playwright's own waits for a navigation, and this is none
    expect(page.locator("html[data-left]")).to_be_attached()
    expect(here).to_contain_class("lesson-tried")
    expect(here).to_contain_text("1 of ")
    expect(page.locator("#continue")).to_have_text("Go on: One output instead of three")
