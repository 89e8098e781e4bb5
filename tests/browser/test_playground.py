"""The playground's page: running, the keyboard, a phone, no storage, runtimes."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.lesson_page import LessonPage
from tests.browser.playground_page import PLAYGROUND, PlaygroundPage
from tests.browser.staged_runner import StagedRunner, start_runtime
from tests.browser.test_accessibility import violations

NO_STORAGE = """for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
    Object.defineProperty(window, name, {get() { throw new DOMException('denied', 'SecurityError') }})"""


def test_the_first_press_of_run_shows_a_graph_and_a_check(bench: PlaygroundPage) -> None:
    bench.is_called("SinhBad")
    bench.button("Run").click()
    expect(bench.results().get_by_role("heading", name="gradgradcheck")).to_be_visible()
    expect(bench.results().locator("svg .node.isolated")).to_contain_text("grad_x")


def test_a_program_is_made_named_run_and_looked_back_at_with_the_keyboard_alone(bench: PlaygroundPage) -> None:
    keyboard = bench.page.keyboard
    bench.tool("Program: SinhBad").focus()
    keyboard.press("Tab")
    expect(bench.tool("New program")).to_be_focused()
    keyboard.press("Enter")
    expect(bench.editor()).to_be_focused()
    keyboard.type("print(1)")
    keyboard.press("Control+Enter")
    bench.says("Finished")
    keyboard.press("Escape")
    bench.tool("Rename, duplicate, delete").focus()
    for key in ("Enter", "Tab", "Enter"):
        keyboard.press(key)
    keyboard.type("Mine")
    keyboard.press("Enter")
    bench.is_called("Mine")
    expect(bench.tool("Program: Mine")).to_be_focused()
    keyboard.press("Enter")
    expect(bench.page.locator("#programs")).to_be_visible()
    keyboard.press("Escape")
    expect(bench.page.locator("#programs")).to_be_hidden()
    expect(bench.tool("Program: Mine")).to_be_focused()
    bench.tool("History").focus()
    keyboard.press("Enter")
    expect(bench.page.get_by_role("dialog", name="History of Mine")).to_be_visible()
    keyboard.press("Escape")
    expect(bench.tool("History")).to_be_focused()


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_all_of_it_fits_a_small_phone(open_page: OpenPage, lang: str) -> None:
    page = open_page(f"/{lang}/playground", width=360, height=740)
    bench = PlaygroundPage(page)
    menus = page.locator(".program-bar [popovertarget]")
    expect(menus).to_have_count(4)
    for button in menus.all():
        button.click()
        name = f"#{button.get_attribute('popovertarget')}"
        menu = page.locator(name)
        expect(menu).to_be_visible()
        box = menu.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= 360
        assert small_targets(page) == []
        found = violations(page, within=f".program-bar, {name}")
        assert [one for one in found if not one.startswith("target-size")] == []  # it covers other targets in part
        page.keyboard.press("Escape")
        expect(menu).to_be_hidden()
    bench.run()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator(".program-tools > button:not([popovertarget])").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert violations(page, within="dialog[open]") == []
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def small_targets(page: Page) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        "playground-bench :is(button, a, select, input)",
        """elements => elements.filter(element => element.checkVisibility()).map(element => [element.getBoundingClientRect(), element])
            .filter(([box]) => box.width && Math.min(box.width, box.height) < 24).map(([box, element]) => element.outerHTML)""",
    )
    return found


def test_without_storage_it_works_as_long_as_the_page(site: str, new_context: Callable[..., BrowserContext]) -> None:
    context = new_context()
    context.add_init_script(NO_STORAGE)
    page = context.new_page()
    page.goto(site + PLAYGROUND)
    bench = PlaygroundPage(page)
    expect(page.get_by_text("This browser does not keep your edits.")).to_be_visible()
    bench.write("print('mine')")
    bench.run()
    bench.says("Finished")
    bench.choose("Examples", "Square")
    bench.is_called("Square")
    bench.switch_to("SinhBad")
    assert bench.text() == "print('mine')"
    expect(bench.look_back().get_by_role("radio")).to_have_count(1)


def test_a_program_keeps_its_runtime_and_says_that_it_is_starting(staged: tuple[LessonPage, StagedRunner]) -> None:
    lesson, runner = staged
    runner.plays = [start_runtime]
    page = lesson.page
    page.goto(page.url.partition("/en/")[0] + PLAYGROUND)
    bench = PlaygroundPage(page)
    page.get_by_label("Runtime").select_option(label="JAX")
    page.reload()
    expect(page.get_by_label("Runtime")).to_have_value("jax")
    bench.button("Run").click()
    expect(bench.status()).to_have_text(re.compile(r"JAX is starting; this takes some seconds, once\s*[1-9]\d* s"))
    assert [order.runtime for order in runner.orders] == ["jax"]


def test_it_asks_for_no_runtime_where_there_is_only_one(bench: PlaygroundPage) -> None:
    others = bench.page.locator("playground-bench").get_attribute("data-runtimes") != "torch"
    assert (bench.page.get_by_label("Runtime").count() > 0) == others


def test_a_run_goes_on_while_another_program_is_open(bench: PlaygroundPage) -> None:
    bench.write("import time\ntime.sleep(1)\nprint('through')")
    bench.button("Run").click()
    expect(bench.button("Stop")).to_be_visible()
    bench.tool("New program").click()
    bench.is_called("Program")
    expect(bench.button("Run")).to_be_visible()
    bench.switch_to("SinhBad")
    expect(bench.cell().locator("run-output")).to_contain_text("through")
    bench.says("Finished")


def test_a_selection_of_which_the_editor_has_not_heard_yet_is_typed_over_without_a_style(bench: PlaygroundPage) -> None:
    """A browser alone would preserve the colour of what it replaces in a style attribute, which the policy refuses: that fails the test."""
    bench.editor().click()
    expect(bench.editor()).to_have_attribute("aria-autocomplete", "list")  # completion, which sets the selection again, has loaded
    bench.page.evaluate("addEventListener('selectionchange', (event) => event.stopImmediatePropagation(), true)")
    bench.page.evaluate("getSelection().selectAllChildren(document.activeElement)")
    bench.page.keyboard.insert_text("a = 1\nb = 2")
    assert bench.view("view.state.doc.toString()") == "a = 1\nb = 2"
