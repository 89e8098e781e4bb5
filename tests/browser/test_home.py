"""The home page in a browser: what a newcomer sees at once and can do, and what a reader who returns is offered."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import SINH_BAD, OpenPage, resize
from tests.browser.lesson_page import LessonPage
from tests.browser.test_accessibility import violations

MISSING = ".edge.missing"
REPAIRED = """import torch
from torch.autograd import gradcheck, gradgradcheck

x = torch.ones(2, dtype=torch.double, requires_grad=True)
gradcheck(torch.sinh, x)
gradgradcheck(torch.sinh, x)
"""


def bottom(locator: Locator) -> float:
    box = locator.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def recorded(page: Page) -> Locator:
    return page.get_by_role("article", name="Result", exact=True)


def test_all_that_matters_is_in_the_first_screen(open_page: OpenPage) -> None:
    page = open_page("/en/")
    expect(page.get_by_role("button", name="Run")).to_be_visible()
    for part in (page.locator("code-cell"), recorded(page), page.locator(".home-doors")):
        assert 0 < bottom(part) <= 900
    expect(recorded(page).locator(MISSING)).to_have_count(1)
    expect(recorded(page).get_by_role("listitem").filter(visible=True)).to_have_text(
        ["gradcheck passes the first derivative is right", "gradgradcheck fails the second derivative is wrong"]
    )


def test_a_run_takes_the_place_of_the_record_and_an_edited_one_that_of_the_run(open_page: OpenPage) -> None:
    page = open_page("/en/")
    home = LessonPage(page)
    home.editor().focus()
    page.keyboard.press("Control+Enter")
    expect(home.results().locator(f"graph-view {MISSING}")).to_have_count(1)  # that of the second run, without a press
    expect(home.results().locator(".finding")).to_contain_text("neither input nor output")
    expect(recorded(page)).to_be_hidden()
    outcomes = home.results().locator(".shown-checks li")
    expect(outcomes).to_have_text(["gradcheck passes", re.compile("gradgradcheck fails|second order")])
    assert all(0 < bottom(outcome) <= 900 for outcome in outcomes.all())
    assert violations(page) == []
    home.run(source=REPAIRED)
    home.says("gradcheck passes")
    expect(home.results().locator("graph-view")).to_have_count(0)


def test_the_saved_result_stays_if_the_live_one_cannot_be_drawn(open_page: OpenPage) -> None:
    page = open_page("/en/")
    expect(page.locator("code-cell .run")).to_be_visible()
    page.route("**/*.js", lambda route: route.abort())  # as where a newer version of the app has taken the place of this one's scripts
    LessonPage(page).editor().focus()
    page.keyboard.press("Control+Enter")
    expect(page.locator(".page-notice")).to_have_count(1)
    expect(page.locator("code-cell")).to_contain_text("GradcheckError")
    expect(recorded(page)).to_be_visible()
    expect(page.get_by_text("This page does not know this kind of record.")).to_have_count(0)


@pytest.mark.parametrize(("lang", "words"), [("en", "Got an error? Paste it"), ("zh-Hans", "遇到报错？贴进来")])
def test_on_a_phone_program_and_picture_are_in_two_screens_and_from_the_top_one_gets_to_where_an_error_is_pasted(
    open_page: OpenPage, lang: str, words: str
) -> None:
    page = open_page(f"/{lang}/", width=390, height=844)
    expect(page.locator("code-cell .run")).to_be_visible()
    assert bottom(page.locator("code-cell")) < bottom(page.locator(".home-recorded .graph")) < 2 * 844
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    way = page.get_by_role("link", name=words)
    assert bottom(way) < 844 / 2
    way.click()
    expect(page.locator("#sought")).to_be_focused()
    expect(page.locator("#sought")).to_be_in_viewport()


def test_on_a_phone_no_line_of_the_program_is_cut_off(open_page: OpenPage) -> None:
    page = open_page("/en/")
    expect(page.locator("code-cell .run")).to_be_visible()
    for width in (390, 360):
        resize(page, width, 844)
        assert page.locator("code-cell :is(.cm-scroller, pre)").first.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_what_one_wrote_is_there_after_a_reload(open_page: OpenPage) -> None:
    page = open_page("/en/")
    home = LessonPage(page)
    home.write(REPAIRED)
    page.reload()
    expect(home.editor()).to_contain_text("torch.sinh")
    home.button("Reset").click()
    expect(home.editor()).to_contain_text("class SinhBad")


def test_by_keyboard_one_runs_it_and_goes_through_the_doors(open_page: OpenPage) -> None:
    page = open_page("/en/")
    page.locator("code-cell .run").focus()
    page.keyboard.press("Enter")
    expect(LessonPage(page).results().locator("graph-view")).to_have_count(1)
    page.locator(".home-doors").get_by_label("Search, or paste an error").focus()
    for _ in range(3):
        page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Check my own Function")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/en/playground")


def test_without_scripts_the_program_its_result_and_the_doors_are_there(site: str, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{site}/en/")
    expect(page.locator("code-cell")).to_contain_text("class SinhBad")
    expect(recorded(page).locator(MISSING)).to_have_count(1)
    recorded(page).get_by_text("The graph as a list").click()
    expect(recorded(page).get_by_text("missing: x → grad_x")).to_be_visible()
    expect(page.get_by_text("Press Run for your own")).to_be_hidden()
    page.locator(".home-doors").get_by_label("Search, or paste an error").fill("vmap")
    with page.expect_request("**/en/search?q=vmap"):
        page.keyboard.press("Enter")


def test_a_reader_who_returns_is_offered_the_lesson_that_this_browser_read_last(open_page: OpenPage) -> None:
    page = open_page("/en/")
    expect(page.locator(".home-returns")).to_be_hidden()
    page.goto(page.url.replace("/en/", SINH_BAD))
    expect(page.locator("html")).to_have_attribute("data-scripted", "")
    page.get_by_role("link", name="Gradroom, home page").click()
    way = page.get_by_role("link", name="Go on: One output instead of three")
    assert bottom(way) < bottom(page.locator("code-cell"))
    expect(page.locator(".page-opening .lede")).to_be_hidden()
    assert violations(page) == []
    way.click()
    page.wait_for_url(f"**{SINH_BAD}")


def test_one_who_comes_by_the_back_button_is_offered_the_lesson_read_meanwhile(open_page: OpenPage) -> None:
    page = open_page("/en/")
    page.get_by_role("link", name="Start at the beginning").click()
    expect(page.locator("main[data-lesson]")).to_be_visible()
    page.go_back()
    expect(page.locator(".go-on a")).to_contain_text("Go on: What backward leaves behind")
