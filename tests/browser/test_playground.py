"""The playground: programs with names, examples, history, downloads, links, and the way there from a lesson."""

import base64
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import SINH_BAD
from tests.browser.lesson_page import LessonPage
from tests.browser.playground_page import PlaygroundPage
from tests.browser.staged_runner import StagedRunner, start_runtime
from tests.browser.test_accessibility import violations
from tests.patience import wait_for

PLAYGROUND = "/en/playground"
OLD_KEY = "gradroom/draft/playground/playground"
NO_STORAGE = """for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
    Object.defineProperty(window, name, {get() { throw new DOMException('denied', 'SecurityError') }})"""

OpenPage = Callable[..., Page]


@pytest.fixture
def bench(open_page: OpenPage) -> PlaygroundPage:
    return PlaygroundPage(open_page(PLAYGROUND))


def link_to(**program: object) -> str:
    """The fragment of a link, made by hand."""
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    coded = deflate.compress(json.dumps(program).encode()) + deflate.flush()
    return "#program=1." + base64.urlsafe_b64encode(coded).decode().rstrip("=")


def test_the_first_press_of_run_shows_a_graph_and_a_check(bench: PlaygroundPage) -> None:
    bench.is_called("SinhBad")
    bench.button("Run").click()
    expect(bench.results().locator(".verdict").nth(1)).to_have_text("gradgradcheck fails")
    expect(bench.results().locator("svg .node.isolated")).to_contain_text("grad_x")


def test_an_example_never_overwrites(bench: PlaygroundPage) -> None:
    bench.write("print('mine')")
    bench.choose("Examples", "Square")
    bench.is_called("Square")
    assert "class Square" in bench.text()
    assert bench.listed() == ["SinhBad", "Square"]
    bench.switch_to("SinhBad")
    assert bench.text() == "print('mine')"


def test_an_example_that_was_left_as_it_came_makes_way_and_undo_brings_it_back(bench: PlaygroundPage) -> None:
    bench.choose("Examples", "Square")
    bench.is_called("Square")
    assert bench.listed() == ["Square"]
    bench.editor().focus()
    bench.page.keyboard.press("Control+z")
    assert "class SinhBad" in bench.text()
    assert bench.look_back().get_by_role("radio").count() == 1


def test_undo_stays_within_a_program(bench: PlaygroundPage) -> None:
    bench.write("print('mine')")
    bench.tool("New program").click()
    bench.is_called("Program")
    expect(bench.editor()).to_be_focused()
    bench.page.keyboard.press("Control+z")
    assert bench.text() == ""


def test_what_was_written_before_programs_had_names_is_taken_over(open_page: OpenPage) -> None:
    page = open_page("/en/")
    draft = json.dumps({"starter": "45h4k8fek4", "text": "print('old')", "undo": None})
    page.evaluate("([key, draft]) => localStorage.setItem(key, draft)", [OLD_KEY, draft])
    page.goto(page.url + "playground")
    bench = PlaygroundPage(page)
    bench.is_called("My program")
    assert bench.text() == "print('old')"
    page.reload()
    assert PlaygroundPage(page).text() == "print('old')"


def test_programs_are_named_duplicated_and_deleted_and_come_back(bench: PlaygroundPage) -> None:
    bench.rename("梯度 1")
    bench.write("print('mine')")
    bench.act("Duplicate")
    bench.is_called("梯度 1 2")
    assert bench.text() == "print('mine')"
    bench.act("Delete")
    bench.is_called("梯度 1")
    expect(bench.note()).to_contain_text("梯度 1 2 was deleted.")
    bench.note().get_by_role("button", name="Undo").click()
    bench.is_called("梯度 1 2")
    assert bench.text() == "print('mine')"
    bench.act("Delete")
    bench.page.reload()
    bench.is_called("梯度 1")
    menu = bench.open_menu("Program: 梯度 1")
    expect(menu).to_contain_text("Deleted in the last seven days")
    menu.get_by_role("button", name="梯度 1 2", exact=True).click()
    bench.is_called("梯度 1 2")
    bench.page.reload()
    bench.is_called("梯度 1 2")
    assert bench.listed() == ["梯度 1", "梯度 1 2"]


def test_escape_leaves_a_name_as_it_was(bench: PlaygroundPage) -> None:
    bench.act("Rename")
    bench.page.keyboard.insert_text("Other")
    bench.page.keyboard.press("Escape")
    bench.is_called("SinhBad")


def test_an_earlier_version_is_compared_and_comes_back_and_that_can_be_undone(bench: PlaygroundPage) -> None:
    bench.write("print('one')")
    bench.run()
    bench.write("print('two')")
    bench.run()
    dialog = bench.look_back()
    dialog.get_by_role("radio").nth(1).check()
    expect(dialog.locator("del")).to_have_text("− print('two')\n")
    expect(dialog.locator("ins")).to_have_text("+ print('one')\n")
    assert violations(bench.page) == []
    dialog.get_by_role("button", name="Restore this version").click()
    expect(dialog).to_be_hidden()
    expect(bench.editor()).to_have_text("print('one')")  # once the text that it replaces is kept
    assert bench.text() == "print('one')"
    bench.page.keyboard.press("Control+z")
    assert bench.text() == "print('two')"
    bench.page.reload()
    assert PlaygroundPage(bench.page).look_back().get_by_role("radio").count() == 2


def test_a_program_is_downloaded_as_a_file_and_as_a_notebook(bench: PlaygroundPage, tmp_path: Path) -> None:
    bench.rename("Twice / 两次")
    bench.write("import torch\n\nprint('梯度')\n")
    with bench.page.expect_download() as download:
        bench.choose("Download", "Python file (.py)")
    assert download.value.suggested_filename == "Twice_两次.py"
    download.value.save_as(tmp_path / "program.py")
    assert (tmp_path / "program.py").read_text(encoding="utf-8") == bench.text()
    with bench.page.expect_download() as download:
        bench.choose("Download", "Jupyter notebook (.ipynb)")
    assert download.value.suggested_filename == "Twice_两次.ipynb"
    download.value.save_as(tmp_path / "program.ipynb")
    notebook = json.loads((tmp_path / "program.ipynb").read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert ["".join(cell["source"]) for cell in notebook["cells"]] == ["import torch\n\nprint('梯度')"]


def test_a_link_carries_the_program_and_runs_nothing(stage: tuple[str, StagedRunner], new_context: Callable[..., BrowserContext]) -> None:
    address, runner = stage
    runner.plays.clear()
    runner.orders.clear()
    context = new_context()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address + PLAYGROUND)
    sender = PlaygroundPage(page)
    sender.rename("For you · 给你")
    sender.write("print('sent 梯度')")
    page.get_by_label("Runtime").select_option(label="JAX")
    sender.tool("Share").click()
    expect(sender.note()).to_contain_text("Link copied.")
    link = str(page.evaluate("navigator.clipboard.readText()"))
    sender.write("print('changed since')")
    expect(sender.note()).not_to_contain_text("Link copied.")

    other = new_context(locale="en").new_page()
    other.goto(address + PLAYGROUND)
    PlaygroundPage(other).write("print('mine')")
    other.goto(link)
    receiver = PlaygroundPage(other)
    receiver.is_called("For you · 给你")
    assert receiver.text() == "print('sent 梯度')"
    expect(other.get_by_label("Runtime")).to_have_value("jax")
    expect(receiver.note()).to_contain_text("Opened from a link. Nothing of it has run")
    expect(other).to_have_url(address + PLAYGROUND)
    assert runner.orders == []
    assert receiver.listed() == ["SinhBad", "For you · 给你"]

    receiver.write("print('changed')")
    other.goto(link)
    receiver.is_called("For you · 给你")
    assert PlaygroundPage(other).text() == "print('changed')"
    assert receiver.listed() == ["SinhBad", "For you · 给你"]
    receiver.button("Run").click()
    expect(receiver.note()).not_to_contain_text("Opened from a link")
    receiver.says("Finished")
    assert [(order.runtime, order.program.source.text) for order in runner.orders] == [("jax", "print('changed')")]


def test_a_link_is_taken_while_the_page_is_open(bench: PlaygroundPage) -> None:
    bench.write("print('mine')")
    bench.page.evaluate("fragment => { location.hash = fragment }", link_to(name="Sent", source="print(2)", runtime="torch"))
    bench.is_called("Sent")
    assert bench.text() == "print(2)"
    expect(bench.page).to_have_url(re.compile(f"{PLAYGROUND}$"))
    bench.switch_to("SinhBad")
    assert bench.text() == "print('mine')"


@pytest.mark.parametrize("fragment", ["#program=1.abc", "#program=9.abc", link_to(name="Sent", source=5, runtime="torch")])
def test_a_broken_link_says_so_and_changes_nothing(open_page: OpenPage, fragment: str) -> None:
    page = open_page(PLAYGROUND + fragment)
    bench = PlaygroundPage(page)
    expect(bench.note()).to_contain_text("This link is damaged or was cut off")
    assert bench.listed() == ["SinhBad"]
    expect(page).to_have_url(re.compile(f"{PLAYGROUND}$"))


def test_what_a_link_carries_is_text_and_nothing_else(open_page: OpenPage) -> None:
    evil = "<img src=x onerror=\"document.title='gone'\">"
    bench = PlaygroundPage(open_page(PLAYGROUND + link_to(name=evil, source=evil, runtime="torch")))
    bench.is_called(evil)
    assert bench.text() == evil
    assert bench.page.locator("main img").count() == 0


def test_a_link_for_a_runtime_that_is_not_there_says_so(
    stage: tuple[str, StagedRunner], new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context().new_page()
    page.goto(stage[0] + PLAYGROUND + link_to(name="Sent", source="import tensorflow", runtime="tensorflow"))
    expect(PlaygroundPage(page).note()).to_contain_text("This program is for TensorFlow, which is not installed here.")


def test_a_long_link_says_how_long_it_is(bench: PlaygroundPage) -> None:
    noise = "".join(f"{(number * 7919) % 99991:05d}" for number in range(1500))
    bench.write(f"x = '{noise}'")
    bench.tool("Share").click()
    expect(bench.note()).to_contain_text("characters long")
    bench.write("x = 1\n" * 11_000)
    bench.tool("Share").click()
    expect(bench.note()).to_contain_text("This program is too long for a link.")


def test_a_cell_of_a_lesson_opens_in_the_playground_with_what_it_continues(lesson: LessonPage) -> None:
    lesson.write("print('edited')", "sinh-bad-squared")
    lesson.cell("sinh-bad-squared").get_by_role("link", name="Open in the playground").click()
    lesson.page.wait_for_url(f"**{PLAYGROUND}")
    bench = PlaygroundPage(lesson.page)
    bench.is_called("sinh_bad_squared.py")
    assert bench.text().startswith("# cell 1: sinh_bad_class.py\nimport torch\n")
    assert bench.text().endswith("# cell 4: sinh_bad_squared.py\nprint('edited')\n")
    expect(bench.note()).to_contain_text("Opened from a lesson")
    bench.run()
    bench.says("Finished")
    expect(bench.cell().locator("run-output")).to_contain_text("edited")
    bench.page.go_back()
    assert lesson.text("sinh-bad-squared") == "print('edited')"


def test_a_cell_that_raises_fails_in_the_playground_as_in_its_lesson(lesson: LessonPage) -> None:
    lesson.cell("sinh-bad-graph").get_by_role("link", name="Open in the playground").click()
    lesson.page.wait_for_url(f"**{PLAYGROUND}")
    bench = PlaygroundPage(lesson.page)
    bench.run()
    expect(bench.cell()).to_contain_text("does not require grad and does not have a grad_fn")
    expect(bench.results().locator("svg .node.isolated")).to_contain_text("grad_x")


def test_the_way_to_the_playground_is_a_link_for_a_new_tab(lesson: LessonPage) -> None:
    link = lesson.cell().get_by_role("link", name="Open in the playground")
    link.hover()
    expect(link).to_have_attribute("href", re.compile(r"^/en/playground#program=1\..+"))
    with lesson.page.context.expect_page() as opened:
        link.click(modifiers=["ControlOrMeta"])
    PlaygroundPage(opened.value).is_called("sinh_bad.py")
    assert lesson.page.url.endswith(SINH_BAD)


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_the_head_of_a_cell_has_room_for_all_on_a_small_phone(open_page: OpenPage, lang: str) -> None:
    lesson = LessonPage(open_page(SINH_BAD.replace("en", lang, 1), width=360, height=740))
    lesson.run("sinh-bad-graph")
    lesson.write("# edited", "sinh-bad-graph")
    inside = """cell => { const { left, right } = cell.querySelector('.cell').getBoundingClientRect();
        return [...cell.querySelectorAll('cell-tools :is(a, button)')].map(one => one.getBoundingClientRect())
            .map(box => box.left >= left && box.right <= right && Math.min(box.width, box.height) >= 24) }"""
    assert lesson.cell("sinh-bad-graph").evaluate(inside) == [True] * 6


def test_two_tabs_on_two_programs_keep_both(open_page: OpenPage) -> None:
    here, there = PlaygroundPage(open_page(PLAYGROUND)), PlaygroundPage(open_page(PLAYGROUND))
    there.tool("New program").click()
    there.is_called("Program")
    there.write("print('there')")
    here.write("print('here')")
    wait_for(lambda: here.listed() == ["SinhBad", "Program"], lambda: str(here.listed()))
    for page, name, text in ((here, "SinhBad", "print('here')"), (there, "Program", "print('there')")):
        page.page.reload()
        page.is_called(name)
        assert page.text() == text


def test_two_tabs_on_one_program_have_one_text(open_page: OpenPage) -> None:
    here, there = PlaygroundPage(open_page(PLAYGROUND)), PlaygroundPage(open_page(PLAYGROUND))
    here.write("print('here')")
    there.write("print('there')")
    expect(here.editor()).to_have_text("print('there')")
    expect(here.cell()).not_to_contain_text("A different text")


def test_a_program_deleted_in_another_tab_can_be_kept(open_page: OpenPage) -> None:
    here, there = PlaygroundPage(open_page(PLAYGROUND)), PlaygroundPage(open_page(PLAYGROUND))
    there.act("Delete")
    expect(here.note()).to_contain_text("This program was deleted in another tab.")
    here.note().get_by_role("button", name="Keep it").click()
    expect(here.note()).not_to_contain_text("deleted")


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
    assert menus.count() == 4
    for button in menus.all():
        button.click()
        menu = page.locator(f"#{button.get_attribute('popovertarget')}")
        expect(menu).to_be_visible()
        box = menu.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= 360
        assert small_targets(page) == []
        assert [one for one in violations(page) if not one.startswith("target-size")] == []  # it covers other targets in part
        page.keyboard.press("Escape")
        expect(menu).to_be_hidden()
    bench.run()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator("program-tools > button:not([popovertarget])").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert violations(page) == []
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
    assert bench.look_back().get_by_role("radio").count() == 1


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
    expect(bench.status()).to_have_text("JAX is starting; this takes some seconds, once")
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
