"""The search page, as somebody uses it whose browser runs no scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect


@pytest.mark.parametrize(
    ("lang", "words", "title", "anchor"),
    [("en", "keeping more", "Keeping more", "section-keeping-more"), ("zh-Hans", "叶子张量", "叶子张量", "term-leaf")],
)
def test_a_search_leads_to_the_place_without_scripts(
    site: str, new_context: Callable[..., BrowserContext], lang: str, words: str, title: str, anchor: str
) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{site}/{lang}/search")
    field = page.get_by_role("main").get_by_role("searchbox")
    field.fill(words)
    field.press("Enter")
    page.get_by_role("main").get_by_role("link", name=title, exact=True).first.click()
    assert page.url.endswith(f"#{anchor}")
    expect(page.locator(f"#{anchor}")).to_be_in_viewport()
