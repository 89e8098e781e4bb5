"""Reading: every page renders, in both languages and themes, with and without scripts, wide and narrow."""

import re
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import SINH_BAD
from tests.patience import PATIENCE_SECONDS, wait_for

LESSONS = ("/backward-twice/sinh-bad", "/backward-twice/saving-intermediates")

# of a Page Down that once scrolled nothing: whether the page got it, and what had the focus
NOTE_KEYS = "addEventListener('keydown', event => (window.keys ??= []).push([event.key, event.target.tagName, event.defaultPrevented]))"
STATE = (
    "[window.keys, document.activeElement?.outerHTML.slice(0, 80), innerHeight, document.documentElement.scrollHeight, document.hasFocus()]"
)


def test_a_lesson_can_be_read_without_scripts(site: str, first_visit: Callable[..., Page]) -> None:
    page = first_visit(site, SINH_BAD, java_script_enabled=False)
    expect(page.get_by_role("heading", level=1)).to_have_text("One output instead of three")
    expect(page.locator("#cell-sinh-bad-class pre")).to_contain_text("class SinhBad(torch.autograd.Function):")
    assert "Running and changing the code needs it." in page.content()
    expect(page.get_by_role("link", name="Next NumPy in backward")).to_be_visible()


def test_the_language_switch_keeps_the_page_and_the_place(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{SINH_BAD}#cell-sinh-bad-graph")
    page.get_by_role("link", name="中文").click()
    page.wait_for_url(re.compile(r"/zh-Hans/backward-twice/sinh-bad#cell-sinh-bad-graph$"))
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    expect(page.get_by_role("button", name="运行").first).to_be_visible()


def test_the_theme_is_chosen_once_and_never_flashes(open_page: Callable[..., Page], site: str) -> None:
    page = open_page()
    page.get_by_role("button", name="Theme: as the system").click()
    page.get_by_role("button", name="Theme: light").click()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark == "rgb(21, 24, 27)"
    page.goto(f"{site}/en/")
    assert page.context.request.get(f"{site}/en/").text().count('data-theme="dark"') == 1
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
@pytest.mark.parametrize("path", LESSONS)  # for other pages test_look.py asks this
def test_nothing_is_wider_than_a_small_phone(open_page: Callable[..., Page], path: str, lang: str) -> None:
    page = open_page(f"/{lang}{path}", width=360, height=740)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_an_address_that_does_not_exist_says_so_in_its_language(open_page: Callable[..., Page]) -> None:
    page = open_page("/zh-Hans/backward-twice/no-such-lesson")
    expect(page.get_by_role("link", name="课程地图").last).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "zh-Hans"


def test_keys_turn_the_page_outside_of_the_editor(open_page: Callable[..., Page]) -> None:
    page = open_page()
    expect(page.locator("code-editor .cm-content").first).to_be_visible()
    page.locator("h1").click()
    page.evaluate(NOTE_KEYS)
    page.keyboard.press("PageDown")
    wait_for(lambda: page.evaluate("scrollY > 0"), lambda: str([page.url, page.evaluate(STATE)]))
    assert page.url.endswith(SINH_BAD)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.keyboard.press("PageDown")
    page.wait_for_url("**/backward-twice/cube")
    page.locator("h1").click()
    page.keyboard.press("PageUp")
    page.wait_for_url("**/backward-twice/sinh-bad")


def test_a_question_mark_lists_the_keys(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.locator("h1").click()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()


def test_on_a_touch_screen_help_is_about_touch(site: str, first_visit: Callable[..., Page]) -> None:
    page = first_visit(site, SINH_BAD, width=360, height=740, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Keys and help").tap()
    expect(page.get_by_role("dialog", name="Help")).to_contain_text("Tap Run")
    expect(page.get_by_role("dialog").locator("kbd")).to_have_count(0)


@pytest.mark.parametrize("path", ["/en/", "/zh-Hans/", SINH_BAD])
def test_a_first_visit_is_light(site: str, new_context: Callable[..., BrowserContext], path: str) -> None:
    """Everything that a first visit transfers: page, styles, scripts, fonts; that of mathematics has a limit of its own."""
    page = new_context().new_page()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    maths: set[str] = set()
    sizes: dict[str, float] = {}
    session.on("Network.requestWillBeSent", lambda event: maths.add(event["requestId"]) if "/maths" in event["request"]["url"] else None)
    session.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.goto(site + path, wait_until="networkidle")
    assert 0 < sum(size for request, size in sizes.items() if request not in maths) < 250_000, sizes
    assert sum(sizes[request] for request in maths) < 60_000


def test_the_heading_of_a_section_is_a_link_to_it(open_page: Callable[..., Page]) -> None:
    page = open_page(SINH_BAD)
    heading = page.locator(".text > h2[id^='section-']").last
    words = heading.inner_text()
    expect(page.get_by_role("heading", name=words, exact=True)).to_have_count(1)  # the sign is not read out
    link = heading.get_by_role("link", name=words, exact=True)
    link.focus()
    page.keyboard.press("Enter")
    assert page.url.endswith(str(link.get_attribute("href")))
    bar = page.locator(".top").bounding_box()
    box = heading.bounding_box()
    assert bar and box and box["y"] >= bar["y"] + bar["height"]


def test_a_page_names_its_other_language(site: str) -> None:
    text = httpx.get(site + SINH_BAD, timeout=PATIENCE_SECONDS).text
    assert f'<link rel="alternate" hreflang="zh-Hans" href="{site}/zh-Hans/backward-twice/sinh-bad">' in text
