"""A page whose script does not come: blocked, cut off, or for a browser that knows no modules."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.conftest import SINH_BAD

SCRIPT = re.compile(r"/static/.*\.js")
LATE = "did not load"
FIRST = "/en/autograd/backward"


def open_without(site: str, context: BrowserContext, answer: Callable[[Route], None], path: str = SINH_BAD) -> Page:
    """Open a page whose requests for scripts are answered by `answer`, and let five seconds pass."""
    page = context.new_page()
    page.clock.install()
    page.route(SCRIPT, answer)
    page.goto(site + path, wait_until="commit")
    expect(page.locator("html")).to_have_attribute("data-scripting", "")
    page.clock.run_for(5100)
    return page


def block(route: Route) -> None:
    route.abort("blockedbyclient")


def cut(route: Route) -> None:
    """Answer with half of a script, as a proxy does that gives up halfway without an error."""
    route.fulfill(status=200, content_type="text/javascript", body='import{a}from"./gone.js";export const half = "')


@pytest.mark.parametrize("answer", [block, cut])
def test_it_says_what_is_missing_and_offers_to_load_again(
    site: str, new_context: Callable[..., BrowserContext], answer: Callable[[Route], None]
) -> None:
    page = open_without(site, new_context(), answer)
    expect(page.locator(".unloaded")).to_contain_text(LATE)
    page.unroute(SCRIPT)
    page.get_by_role("link", name="Load again").click()
    expect(page.get_by_role("button", name="Run").first).to_be_visible()
    page.clock.run_for(5100)
    expect(page.locator(".unloaded")).to_be_hidden()


def test_a_part_that_does_not_come_later_is_named_and_loading_again_brings_it(
    site: str, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context().new_page()
    page.goto(site + FIRST)
    run = page.locator("code-cell .run").first
    expect(run).to_be_visible()
    page.route(SCRIPT, block)  # as where a newer version of the app has taken the place of this one's scripts
    run.click()
    expect(page.locator(".page-notice")).to_contain_text("A part of this page did not load")
    page.unroute(SCRIPT)
    page.locator(".page-notice").get_by_role("link", name="Load again").click()
    run.click()
    expect(page.locator("graph-view svg").first).to_be_visible()
    expect(page.locator(".page-notice")).to_have_count(0)


def test_what_a_cell_prints_can_be_read_where_no_prediction_asks_for_it(site: str, new_context: Callable[..., BrowserContext]) -> None:
    page = open_without(site, new_context(), block, FIRST)
    printed = page.locator(".as-given")
    expect(printed).to_have_count(2)  # of the four cells of this lesson, two are asked about
    printed.first.locator("summary").click()
    expect(printed.first).to_contain_text("x.grad = tensor([1.1547, 1.0607, 1.0328])")
    expect(printed.last.locator("pre")).to_contain_text("RuntimeError: Only Tensors of floating point")


def test_a_page_for_a_browser_without_scripts_does_not_speak_of_loading(site: str, first_visit: Callable[..., Page]) -> None:
    page = first_visit(site, FIRST, java_script_enabled=False)
    expect(page.locator(".unloaded")).to_be_hidden()
    expect(page.locator(".as-given").first).to_be_visible()


def test_a_script_that_comes_late_takes_the_words_back(site: str, new_context: Callable[..., BrowserContext]) -> None:
    held: list[Route] = []
    page = open_without(site, new_context(), lambda route: held.append(route))
    expect(page.locator(".unloaded")).to_be_visible()
    page.unroute(SCRIPT)  # what is held goes on
    expect(page.get_by_role("button", name="Run").first).to_be_visible()
    expect(page.locator(".unloaded")).to_be_hidden()
    expect(page.locator(".as-given").first).to_be_hidden()
