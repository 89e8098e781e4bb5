"""Search: opened from everywhere, used by keys alone, and never showing an older answer than was asked for last."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.axe import violations, violations_in_the_other_theme
from tests.browser.conftest import SINH_BAD, OpenPage, resize
from tests.browser.lesson_page import LessonPage
from tests.patience import wait_for

ASKED = re.compile(r"/api/search\?")
PLACES = ("/en/", "/en/map", SINH_BAD, "/en/playground")
TRACEBACK = """Traceback (most recent call last):
  File "a.py", line 3, in <module>
RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
"""


def field(page: Page) -> Locator:
    return page.locator("dialog").get_by_role("combobox")


def results(page: Page) -> Locator:
    return page.locator("dialog").get_by_role("option")


def open_search(page: Page) -> None:
    page.keyboard.press("Control+k")
    expect(field(page)).to_be_focused()


def make_result(title: str, url: str = "/en/map") -> dict[str, Any]:
    return {"kind": "page", "title": title, "where": "", "excerpt": [{"text": title, "match": True}], "url": url}


def answer_with(page: Page, *found: dict[str, Any]) -> None:
    page.route(ASKED, lambda route: route.fulfill(json={"query": "", "results": found}))


@pytest.mark.parametrize("path", PLACES)
def test_it_opens_by_each_key_and_from_the_header_and_gives_the_focus_back(open_page: OpenPage, path: str) -> None:
    page = open_page(path)
    control = page.get_by_role("link", name="Search", exact=True)
    control.focus()
    for key in ("/", "Control+k", "Enter"):
        page.keyboard.press(key)
        expect(field(page)).to_be_focused()
        page.keyboard.press("Escape")
        expect(control).to_be_focused()


def test_in_the_editor_a_slash_is_written_and_control_k_searches(open_page: OpenPage) -> None:
    lesson = LessonPage(open_page())
    lesson.write("1")
    lesson.page.keyboard.press("/")
    assert lesson.text() == "1/"
    open_search(lesson.page)
    lesson.page.keyboard.type("k")
    lesson.page.keyboard.press("Escape")
    expect(lesson.editor()).to_be_focused()
    assert lesson.text() == "1/"


@pytest.mark.same_page
def test_after_escape_a_slash_searches_from_a_cell_and_writes_nothing(lesson: LessonPage) -> None:
    before = lesson.text()
    lesson.editor().click()
    lesson.page.keyboard.press("Escape")
    lesson.page.keyboard.press("/")
    expect(field(lesson.page)).to_be_focused()
    assert lesson.text() == before


def test_where_single_keys_are_switched_off_a_slash_is_none(open_page: OpenPage) -> None:
    page = open_page("/en/map")
    key = page.locator(".search-control kbd")
    expect(key).to_be_visible()
    page.get_by_role("button", name="Keys and help").click()
    page.get_by_label("Single keys, such as ?, are shortcuts").uncheck()
    expect(key).to_be_hidden()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.press("Control+k")
    expect(field(page)).to_have_value("")


def test_with_forced_colours_the_chosen_result_has_an_outline(open_page: OpenPage) -> None:
    page = open_page("/en/map", forced_colors="active")
    answer_with(page, make_result("one"), make_result("two"))
    open_search(page)
    page.keyboard.type("tw")
    expect(results(page).nth(0)).to_have_css("outline-style", "solid")
    expect(results(page).nth(1)).to_have_css("outline-style", "none")


def test_keys_alone_find_a_result_and_open_it(open_page: OpenPage) -> None:
    page = open_page("/en/map")
    answer_with(page, make_result("one"), make_result("two", "/en/glossary"), make_result("three"))
    open_search(page)
    page.keyboard.type("tw")
    chosen = page.locator('[role="option"][aria-selected="true"]')
    for key, title in (("ArrowUp", "three"), ("ArrowDown", "one"), ("End", "three"), ("Home", "one"), ("ArrowDown", "two")):
        expect(results(page)).to_have_count(3)
        page.keyboard.press(key)
        expect(chosen).to_contain_text(title)
        assert field(page).get_attribute("aria-activedescendant") == chosen.get_attribute("id")
    with page.context.expect_page() as opened:
        page.keyboard.press("Control+Enter")
    expect(opened.value).to_have_url(re.compile("/en/glossary$"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/en/glossary")


def test_a_result_on_the_same_page_has_the_focus(open_page: OpenPage) -> None:
    page = open_page()
    answer_with(page, make_result("graph", f"{SINH_BAD}#cell-sinh-bad-graph"), make_result("lesson", SINH_BAD))
    cell = page.locator("#cell-sinh-bad-graph")
    for _ in range(2):  # the second time this is the address already
        page.evaluate("scrollTo(0, 0)")
        open_search(page)
        expect(page.locator("dialog .search-foot")).to_be_attached()  # until then Enter sends the form, which leads to the search page
        page.keyboard.type("graph")
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(cell).to_be_focused()
        expect(cell).to_be_in_viewport()
    open_search(page)
    results(page).filter(has_text="lesson").click()
    expect(page.locator("main")).to_be_focused()
    expect(page.locator("h1")).to_be_in_viewport()


def test_a_pasted_traceback_is_found_by_its_last_line(open_page: OpenPage) -> None:
    page = open_page("/en/map")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", TRACEBACK)
    page.keyboard.press("Control+k")
    page.keyboard.press("Control+v")  # before the script that answers is there
    expect(field(page)).to_have_value(re.compile(r"most recent call last.* RuntimeError: element 0 of tensors does not require grad"))
    expect(results(page).first).to_contain_text("backward() without a graph")


def test_an_answer_that_comes_late_never_replaces_a_newer_one(open_page: OpenPage) -> None:
    page = open_page("/en/map")
    held: list[Route] = []

    def answer(route: Route) -> None:
        if "q=old" in route.request.url:
            held.append(route)
        else:
            route.fulfill(json={"query": "", "results": [make_result("new")]})

    page.route(ASKED, answer)
    open_search(page)
    page.keyboard.type("old")
    wait_for(lambda: held or page.evaluate("() => null"))  # asking the page lets Playwright call `answer`
    field(page).fill("new")
    expect(results(page)).to_contain_text(["new"])
    for route in held:
        route.fulfill(json={"query": "", "results": [make_result("old")]})
    page.evaluate("() => fetch('/healthz')")  # whatever else was to come has come before its answer
    expect(results(page)).to_contain_text(["new"])


def test_a_very_long_traceback_is_searched_for_by_its_end(open_page: OpenPage) -> None:
    """Its whole text makes an address that no server takes."""
    page = open_page("/zh-Hans/map")
    open_search(page)
    page.keyboard.insert_text("梯" * 20_000 + TRACEBACK)
    page.get_by_role("link", name="全部结果").click()
    expect(page.locator(".found-places")).to_contain_text("backward()")
    page.locator("main").get_by_role("searchbox").fill("梯" * 20_000 + TRACEBACK.replace("\n", " "))
    page.keyboard.press("Enter")
    expect(page.locator(".found-places")).to_contain_text("backward()")


def test_enter_that_ends_a_composition_opens_nothing(open_page: OpenPage) -> None:
    """Safari sends this Enter after the end of the composition; only its key code shows that it belongs to it."""
    page = open_page("/zh-Hans/map")
    answer_with(page, make_result("梯度", "/zh-Hans/glossary"))
    open_search(page)
    session = page.context.new_cdp_session(page)
    session.send("Input.imeSetComposition", {"text": "tidu", "selectionStart": 4, "selectionEnd": 4})
    session.send("Input.insertText", {"text": "梯度"})
    expect(results(page)).to_have_count(1)
    field(page).dispatch_event("keydown", {"key": "Enter", "keyCode": 229})
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/zh-Hans/glossary")


def test_where_nothing_is_found_it_leads_on(open_page: OpenPage) -> None:
    page = open_page("/en/map")
    answer_with(page)
    open_search(page)
    page.keyboard.type("zzz")
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text("Nothing found.")
    page.get_by_role("dialog").get_by_role("link", name="Playground").click()
    page.wait_for_url("**/en/playground")


def test_a_server_that_is_out_of_reach_is_asked_again(open_page: OpenPage) -> None:
    page = open_page("/en/map")
    open_search(page)
    page.route(ASKED, lambda route: route.abort())
    page.keyboard.type("vmap")
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text("The server is out of reach.")
    answer_with(page, make_result("there"))
    page.get_by_role("button", name="Try again").click()
    expect(results(page)).to_contain_text(["there"])


def test_a_server_that_is_too_busy_is_asked_again_by_itself(open_page: OpenPage) -> None:
    page = open_page("/en/map")
    open_search(page)
    page.route(ASKED, lambda route: route.fulfill(status=429, headers={"retry-after": "1"}))
    page.keyboard.type("vmap")
    expect(page.get_by_role("dialog").get_by_role("status")).to_have_text("Too many searches at once. Yours is repeated in 1 s.")
    answer_with(page, make_result("there"))
    expect(results(page)).to_contain_text(["there"])


@pytest.mark.parametrize(("lang", "word"), [("en", "Search"), ("zh-Hans", "搜索")])
def test_it_fits_a_small_phone_and_axe_finds_nothing_to_object_to(open_page: OpenPage, lang: str, word: str) -> None:
    page = open_page(f"/{lang}/map", width=360, height=740, color_scheme="light")
    answer_with(page, *(make_result(f"{number} gradgradcheck save_for_backward needs_input_grad") for number in range(10)))
    page.get_by_role("link", name=word, exact=True).click()
    assert violations(page) == []
    field(page).fill("grad")
    expect(results(page)).to_have_count(10)
    page.keyboard.press("ArrowUp")
    expect(results(page).last).to_be_in_viewport()
    box = page.get_by_role("dialog").bounding_box()
    assert box is not None
    assert (box["x"], box["width"], box["y"] + box["height"] <= 740) == (8, 344, True)
    assert violations(page, within="dialog") == []
    assert violations_in_the_other_theme(page, "dark") == []


@pytest.mark.parametrize(("lang", "words", "title"), [("en", "once_differ", "Marked once_differentiable"), ("zh-Hans", "累加", "累加")])
def test_what_is_typed_is_found_in_the_course(open_page: OpenPage, lang: str, words: str, title: str) -> None:
    page = open_page(f"/{lang}/map")
    open_search(page)
    page.keyboard.insert_text(words)
    place = results(page).filter(has_text=title).first
    expect(place.locator("mark").first).to_be_visible()
    address = place.get_attribute("href")
    place.click()
    page.wait_for_url(f"**{address}")


def test_without_scripts_the_header_leads_to_a_page_that_searches(site: str, first_visit: Callable[..., Page]) -> None:
    page = first_visit(site, "/en/map", java_script_enabled=False)
    page.get_by_role("link", name="Search", exact=True).click()
    page.get_by_role("searchbox").fill("once_differentiable")
    page.keyboard.press("Enter")
    page.get_by_role("main").get_by_role("link", name="Marked once_differentiable").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Marked once_differentiable")


@pytest.mark.parametrize("script", [True, False])
def test_on_a_phone_the_pages_are_in_one_menu_even_without_scripts(site: str, first_visit: Callable[..., Page], script: bool) -> None:
    page = first_visit(site, "/en/map", width=360, height=740, java_script_enabled=script)
    link = page.locator(".top").get_by_role("link", name="My work")
    expect(link).to_be_hidden()
    page.get_by_role("button", name="Pages").click()
    link.click()
    page.wait_for_url("**/en/mine")
    page.get_by_role("button", name="Pages").click()
    expect(link).to_have_attribute("aria-current", "page")


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_nothing_in_the_header_is_cut_off_or_in_two_lines(open_page: OpenPage, lang: str) -> None:
    page = open_page(f"/{lang}{SINH_BAD.removeprefix('/en')}")
    for width in (1440, 1024, 768, 390, 360):
        resize(page, width)
        top = page.locator(".top")
        assert top.evaluate("top => top.scrollWidth <= top.clientWidth")
        cut = top.locator("a:visible, button:visible, strong:visible").evaluate_all(
            "all => all.filter(one => one.scrollWidth > one.clientWidth + 1 || one.offsetHeight > 40).map(one => one.textContent)"
        )
        assert cut == [], width


@pytest.mark.parametrize("path", ["/glossary", "/pitfalls", "/what-works"])
def test_the_header_says_that_a_page_belongs_to_the_reference(open_page: OpenPage, path: str) -> None:
    page = open_page(f"/en{path}")
    expect(page.locator(".top [aria-current=true]")).to_have_text(["Reference", "English"])
    page.goto(page.url.removesuffix(path) + "/reference")
    expect(page.locator(".top [aria-current=page]")).to_have_text("Reference")
