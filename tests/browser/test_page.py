"""What a page with cells promises: nothing lost, nothing hidden, and always obvious what happened."""

import re
from collections.abc import Callable

import pypdfium2
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SINH_BAD, resize
from tests.browser.lesson_page import LessonPage
from tests.browser.staged_runner import StagedRunner, wait_in_queue
from tests.patience import wait_for

# What stands in the elements, piece by piece; mathematics is printed in letters of its own.
TEXT_NODES = """elements => elements.flatMap((element) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const pieces = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest("math")) pieces.push(walker.currentNode.data);
  return pieces;
})"""

# Whether the results of a cell are kept.
KEPT = """key => new Promise((resolve) => {
  const opened = indexedDB.open("gradroom");
  opened.onsuccess = () => {
    const kept = opened.result.transaction("results").objectStore("results").getKey(key);
    kept.onsuccess = () => (opened.result.close(), resolve(kept.result !== undefined));
  };
})"""

# keys


@pytest.mark.same_page
def test_shift_enter_goes_on_to_the_next_cell_and_leaves_the_results_in_sight(lesson: LessonPage) -> None:
    lesson.editor().focus()
    lesson.page.keyboard.press("Shift+Enter")
    expect(lesson.editor("sinh-bad-graph")).to_be_focused()
    expect(lesson.results().get_by_role("heading", name="gradgradcheck")).to_be_visible()
    expect(lesson.results()).to_be_visible()


@pytest.mark.same_page
def test_control_enter_stays(lesson: LessonPage) -> None:
    lesson.editor().focus()
    lesson.page.keyboard.press("Control+Enter")
    expect(lesson.results().get_by_role("heading", name="gradgradcheck")).to_be_visible()
    expect(lesson.editor()).to_be_focused()


@pytest.mark.same_page
def test_what_can_be_chosen_in_the_help_stands_one_below_the_other(lesson: LessonPage) -> None:
    lesson.page.get_by_role("button", name="Keys and help").click()
    choices = lesson.page.get_by_role("dialog", name="Keys").locator("label")
    expect(choices).to_have_count(3)
    first, second, _ = choices.evaluate_all("labels => labels.map(label => label.getBoundingClientRect())")
    assert (second["left"], second["top"] >= first["bottom"]) == (first["left"], True)


def test_both_can_be_chosen_in_the_help_and_last(lesson: LessonPage) -> None:
    page = lesson.page
    page.get_by_role("button", name="Keys and help").click()
    page.get_by_label("Shift+Enter goes on to the next cell").uncheck()
    page.get_by_label("Single keys, such as ?, are shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    lesson.editor().focus()
    page.keyboard.press("Shift+Enter")
    expect(lesson.results().get_by_role("heading", name="gradgradcheck")).to_be_visible()
    expect(lesson.editor()).to_be_focused()
    page.locator("h1").click()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()


def test_after_escape_the_arrow_keys_walk_the_cells_and_enter_edits(lesson: LessonPage) -> None:
    page = lesson.page
    before = lesson.text("sinh-bad-graph")
    lesson.editor().click()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    expect(lesson.editor("sinh-bad-graph")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(lesson.editor("sinh-bad-squared")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert lesson.text("sinh-bad-graph") == before
    page.keyboard.press("ArrowDown")
    expect(lesson.editor("sinh-bad-graph")).to_be_focused()
    page.keyboard.type("#")
    assert lesson.text("sinh-bad-graph") != before


# nothing is hidden


def test_outcome_and_output_stand_in_one_place_each(lesson: LessonPage) -> None:
    lesson.write("print('seen')")
    lesson.run()
    expect(lesson.page.locator("main").get_by_text("Finished")).to_have_count(1)
    expect(lesson.page.locator(".output", has_text="seen")).to_have_count(1)
    expect(lesson.cell().locator(".cell-head .status")).to_be_in_viewport()
    lesson.write("raise ValueError('why')")
    lesson.run()
    expect(lesson.results().get_by_text("why", exact=True)).to_be_in_viewport()


@pytest.mark.same_page
def test_what_was_stopped_is_no_error(staged: tuple[LessonPage, StagedRunner]) -> None:
    lesson, runner = staged
    runner.plays = [wait_in_queue]
    lesson.editor().press("Control+Enter")
    lesson.says("Waiting in the queue")
    lesson.button("Stop").click()
    expect(lesson.button("Run")).to_be_visible()
    expect(lesson.page.locator(".status.no")).to_have_count(0)


def test_on_a_phone_the_line_in_the_cells_head_tells_the_outcome_and_leads_to_it(open_page: Callable[..., Page]) -> None:
    lesson = LessonPage(open_page(width=360, height=740))
    head = lesson.cell().locator(".cell-head")
    before = head.bounding_box()
    lesson.run()
    expect(lesson.status().locator(".words")).to_have_text("GradcheckError · line 5")
    after = head.bounding_box()
    assert before and after and before["height"] == after["height"] < 50
    lesson.status().click()
    expect(lesson.results().get_by_role("heading", name="gradgradcheck")).to_be_in_viewport()


def test_on_a_phone_one_menu_has_what_else_can_be_done_with_a_cell(open_page: Callable[..., Page]) -> None:
    lesson = LessonPage(open_page(width=360, height=740))
    source = lesson.text()
    lesson.write("# mine")
    lesson.button("More").click()
    expect(lesson.cell().locator(".drop-menu button")).to_have_text(["Reset", "Open in the playground", "Copy the code", "History"])
    lesson.button("Reset").click()
    assert lesson.text() == source


@pytest.mark.same_page
def test_a_check_that_passed_takes_one_line_where_another_failed(lesson: LessonPage) -> None:
    lesson.run()
    results = lesson.results()
    expect(results.get_by_role("heading", name="gradgradcheck")).to_be_visible()
    passed = results.locator("details.panel-passing")
    expect(passed.get_by_role("heading", name="gradcheck")).to_be_hidden()
    passed.locator("summary").first.press("Enter")
    expect(passed.get_by_role("heading", name="gradcheck")).to_be_visible()


@pytest.mark.same_page
def test_a_cell_says_what_it_continues_with_and_without_scripts(lesson: LessonPage) -> None:
    expect(lesson.cell("sinh-bad-graph").locator(".cell-head")).to_contain_text("runs after 1")
    assert "runs after 1" in lesson.page.context.request.get(lesson.page.url).text()
    expect(lesson.cell("sinh-bad-class").locator(".cell-head")).not_to_contain_text("runs after")


def test_a_cell_whose_replayed_cell_failed_leads_there(lesson: LessonPage) -> None:
    lesson.write("raise ValueError('first')", "sinh-bad-class")
    lesson.run("sinh-bad-graph")
    lesson.says("ValueError in cell 1", "sinh-bad-graph")
    lesson.results("sinh-bad-graph").get_by_role("button", name="cell 1 (sinh_bad_class.py)").click()
    expect(lesson.editor("sinh-bad-class")).to_be_focused()


def test_errors_make_no_lesson_green(lesson: LessonPage, site: str) -> None:
    lesson.write("for")
    lesson.run()
    lesson.says("SyntaxError")
    lesson.page.goto(f"{site}/en/map")
    expect(lesson.page.locator('[data-lesson="backward-twice/sinh-bad"] .progress')).to_have_text("")


# nothing is lost


def test_the_last_results_outlive_a_reload_and_the_language_and_nothing_runs(lesson: LessonPage) -> None:
    lesson.run()
    page = lesson.page
    orders: list[str] = []
    page.on("request", lambda request: orders.append(request.url) if request.url.endswith("/api/runs") else None)
    wait_for(lambda: page.evaluate(KEPT, "backward-twice/sinh-bad/sinh-bad"))
    page.reload()
    expect(lesson.results().get_by_role("heading", name="gradgradcheck")).to_be_visible()
    lesson.says("kept from")
    page.get_by_role("link", name="中文").click()
    expect(lesson.results().get_by_role("heading", name="gradgradcheck")).to_be_visible()
    lesson.editor().click()
    page.keyboard.type("#")
    lesson.says("之后改过")
    assert orders == []


def test_the_language_switch_keeps_the_place_in_the_text(lesson: LessonPage) -> None:
    page = lesson.page
    lesson.cell("sinh-bad-graph").evaluate("cell => scrollTo(0, cell.getBoundingClientRect().top + scrollY - 100)")
    page.get_by_role("link", name="中文").evaluate("link => link.click()")  # Playwright's own click scrolls first
    page.wait_for_url("**/zh-Hans/**")
    page.wait_for_function("() => scrollY > 0")
    box = lesson.cell("sinh-bad-graph").bounding_box()
    assert box
    assert abs(box["y"] - 100) < 40, box


def test_paper_has_the_whole_lesson_with_each_result_under_its_cell_whatever_the_window(open_page: Callable[..., Page]) -> None:
    lesson = LessonPage(open_page(SINH_BAD, width=360))
    for name in ("sinh-bad", "sinh-bad-graph"):
        lesson.run(name)
    expect(lesson.results("sinh-bad-graph").locator("svg .node").first).to_be_attached()
    for width in (360, 1024, 1440):
        resize(lesson.page, width)
        assert missing_on_paper(lesson) == [], width


def missing_on_paper(lesson: LessonPage) -> list[str]:
    """Return what of the lesson is not printed. Asserts that results are printed in the order of their cells."""
    document = pypdfium2.PdfDocument(lesson.page.pdf(format="A4", print_background=True))
    printed = squeezed("".join(page.get_textpage().get_text_range() for page in document))
    pieces = lesson.page.locator(".text > :is(p:not(.answer-fold), h2, ul), answer-text > :is(p, ul)").evaluate_all(TEXT_NODES)
    assert len(pieces) > 10
    ends = [end for piece in pieces for end in (squeezed(piece)[:12], squeezed(piece)[-12:])]  # a page may end between them
    cells = ("sinh-bad-class", "sinh-bad", "sinh-bad-graph", "sinh-bad-squared")
    lines = {line for name in cells for line in lesson.text(name).splitlines()}
    order = ("gradgradcheckgrad_xwithrespecttox", "importtorchviz", "isolated", "defsecond_derivative")
    places = [printed.rindex(piece) for piece in order[:1]] + [printed.index(piece) for piece in order[1:]]
    assert places == sorted(places)
    return [end for end in ends if end not in printed] + [line for line in lines if squeezed(line) not in printed]


def squeezed(text: str) -> str:
    return re.sub(r"\W", "", text)


@pytest.mark.same_page
def test_a_name_of_another_cell_is_told_with_that_cell(lesson: LessonPage) -> None:
    lesson.run(source="print(second_derivative)")
    expect(lesson.results()).to_contain_text("second_derivative is defined in cell 4 (sinh_bad_squared.py)")
    lesson.results().get_by_role("button", name="cell 4").click()
    expect(lesson.editor("sinh-bad-squared")).to_be_focused()


@pytest.mark.same_page
def test_after_escape_letters_write_nothing_and_a_question_mark_opens_the_keys(lesson: LessonPage) -> None:
    before = lesson.text()
    lesson.editor().click()
    lesson.page.keyboard.press("Escape")
    lesson.page.keyboard.type("dd")
    lesson.page.keyboard.press("?")
    expect(lesson.page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert lesson.text() == before


@pytest.mark.same_page
def test_the_column_says_what_an_error_means(lesson: LessonPage) -> None:
    lesson.run(source="import torch\n" + "\n" * 60 + "torch.ones(2).backward()")
    expect(lesson.results().locator(".finding .what")).to_be_in_viewport()
