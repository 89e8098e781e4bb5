"""Running a cell: what is seen while it runs, and after each way to end."""

import threading
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from app.runner.client import QueueFull, RunnerUnavailable
from tests.browser.lesson_page import LessonPage
from tests.browser.staged_runner import StagedRunner, fail_when, lose, show, wait_in_queue


def test_shift_enter_runs_and_shows_verdicts_and_tables_beside_the_text(lesson: LessonPage) -> None:
    lesson.run()
    results = lesson.results()
    expect(results.locator(".panel-passing summary")).to_have_text("gradcheck passes")
    expect(results.get_by_role("heading", name="gradgradcheck")).to_be_visible()
    expect(results).to_contain_text("Autograd’s derivative of the gradient is zero everywhere.")
    expect(results.locator(".finding")).to_have_count(0)  # the check says itself what it found
    expect(lesson.cell().locator(".output")).to_contain_text("True")
    expect(lesson.page.locator("#live")).to_contain_text("gradgradcheck fails")
    column, text = results.bounding_box(), lesson.cell().bounding_box()
    assert column and text and column["x"] > text["x"] + text["width"]


@pytest.mark.same_page
def test_a_run_keeps_the_keyboard_where_it_is(lesson: LessonPage) -> None:
    lesson.run()
    assert lesson.editor().evaluate("element => element === document.activeElement")


@pytest.mark.same_page
def test_the_graph_is_drawn_with_the_lonely_gradient(lesson: LessonPage) -> None:
    lesson.run("sinh-bad-graph")
    lonely = lesson.results("sinh-bad-graph").locator("svg .node.isolated")
    expect(lonely).to_have_count(1)
    expect(lonely).to_contain_text("grad_x")


def test_an_error_marks_its_line_and_its_link_goes_there(lesson: LessonPage) -> None:
    lesson.write("x = '😀'; y = 1 / 0\nprint(x)")
    lesson.run()
    lesson.says("ZeroDivisionError · line 1")
    expect(lesson.cell().locator(".cm-fault")).to_have_text("1 / 0")
    lesson.results().get_by_role("button", name="line 1").click()
    assert lesson.view("view.state.selection.main.head") == len("x = '😀'; y = ") + 1
    expect(lesson.cell().locator(".cm-fault-number")).to_have_text("1")


@pytest.mark.same_page
def test_a_syntax_error_is_placed(lesson: LessonPage) -> None:
    lesson.run(source="for x in range(3)\n    print(x)")
    lesson.says("SyntaxError · line 1")


def test_an_error_in_a_cell_that_runs_first_names_that_cell(lesson: LessonPage) -> None:
    lesson.write("raise ValueError('first')", "sinh-bad-class")
    lesson.run("sinh-bad-graph")
    expect(lesson.results("sinh-bad-graph")).to_contain_text("It happened in cell 1 (sinh_bad_class.py), which runs first.")
    lesson.results("sinh-bad-graph").get_by_role("button", name="cell 1 (sinh_bad_class.py)").click()
    assert lesson.editor("sinh-bad-class").evaluate("element => element === document.activeElement")


def test_an_endless_loop_can_be_stopped(lesson: LessonPage) -> None:
    lesson.write("print('on', flush=True)\nwhile True:\n    pass")
    lesson.editor().press("Shift+Enter")
    lesson.says("Running")
    expect(lesson.cell().locator(".output")).to_have_text("on\n")
    lesson.button("Stop").click()
    lesson.says("Stopped")
    expect(lesson.cell().locator(".output")).to_have_text("on\n")
    expect(lesson.button("Run")).to_be_visible()


def test_nothing_is_said_to_be_from_a_run_before_that_showed_nothing(lesson: LessonPage) -> None:
    lesson.write("raise ValueError")
    lesson.run()
    lesson.write("while True:\n    pass")
    lesson.editor().press("Shift+Enter")
    lesson.says("Running")
    expect(lesson.results()).not_to_contain_text("From the run before")
    lesson.button("Stop").click()
    lesson.says("Stopped")


@pytest.mark.same_page
def test_a_run_that_prints_nothing_says_so(lesson: LessonPage) -> None:
    lesson.run(source="x = 1")
    lesson.says("Ran, printed nothing")


@pytest.mark.same_page
def test_printed_markup_is_text(lesson: LessonPage) -> None:
    lesson.run(source="print('<img src=x onerror=alert(1)><b>bold</b>')")
    expect(lesson.cell().locator(".output")).to_have_text("<img src=x onerror=alert(1)><b>bold</b>\n")


def test_results_say_when_the_text_has_changed_since(lesson: LessonPage) -> None:
    lesson.run("sinh-bad-graph")
    lesson.editor("sinh-bad-class").click()
    lesson.page.keyboard.press("Control+End")
    lesson.page.keyboard.type("# more")
    lesson.says("edited since", "sinh-bad-graph")
    lesson.page.keyboard.press("Control+z")
    expect(lesson.status("sinh-bad-graph")).not_to_contain_text("edited since")


@pytest.mark.same_page
def test_the_column_of_results_belongs_to_the_active_cell(lesson: LessonPage) -> None:
    lesson.run()
    lesson.run("sinh-bad-graph")
    expect(lesson.results()).to_be_hidden()
    lesson.editor().focus()
    expect(lesson.results()).to_be_visible()
    expect(lesson.results("sinh-bad-graph")).to_be_hidden()


def test_a_cell_that_only_printed_leaves_the_graph_of_another_in_its_place(lesson: LessonPage) -> None:
    lesson.run("sinh-bad-graph")
    lesson.write("print(1)", "sinh-bad-squared")
    lesson.run("sinh-bad-squared")
    expect(lesson.cell("sinh-bad-squared").locator(".output")).to_have_text("1")
    expect(lesson.results("sinh-bad-graph")).to_be_visible()
    expect(lesson.page.get_by_role("combobox")).to_have_count(0)


def test_on_a_narrow_page_results_follow_their_cell(open_page: Callable[..., Page]) -> None:
    lesson = LessonPage(open_page(width=360, height=740))
    lesson.run()
    cell, results = lesson.cell().bounding_box(), lesson.results().bounding_box()
    assert cell and results
    assert 0 <= results["y"] - (cell["y"] + cell["height"]) < 60
    assert lesson.page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.same_page
def test_the_line_in_the_head_leads_to_the_check_that_fails(lesson: LessonPage) -> None:
    lesson.run()
    lesson.status().click()
    expect(lesson.results().locator(".panel.pointed")).to_contain_text("gradgradcheck")


@pytest.mark.same_page
def test_whose_results_stand_beside_the_text_can_be_chosen(lesson: LessonPage) -> None:
    lesson.run()
    choice = lesson.page.get_by_role("combobox", name="Whose results stand here")
    expect(choice).to_have_count(0)
    lesson.run("sinh-bad-graph")
    graph = lesson.results("sinh-bad-graph")
    graph.get_by_role("combobox").select_option("Results of cell 2, sinh_bad.py")
    expect(lesson.results()).to_be_visible()
    expect(graph).to_be_hidden()
    lesson.results().get_by_role("combobox").select_option("Results of cell 3, sinh_bad_graph.py")
    expect(graph.get_by_role("combobox")).to_have_value("sinh-bad-graph")
    expect(graph).to_be_visible()


@pytest.mark.same_page
def test_the_place_in_the_queue_is_shown_and_can_be_given_up(staged: tuple[LessonPage, StagedRunner]) -> None:
    lesson, runner = staged
    runner.plays = [wait_in_queue]
    lesson.editor().press("Shift+Enter")
    lesson.says("Waiting in the queue, place 3")
    lesson.button("Stop").click()
    expect(lesson.button("Run")).to_be_visible()


@pytest.mark.same_page
def test_a_full_queue_is_told_and_asked_again(staged: tuple[LessonPage, StagedRunner]) -> None:
    lesson, runner = staged
    runner.plays = [QueueFull("learner", 30)]
    lesson.editor().press("Shift+Enter")
    expect(lesson.hindrance()).to_contain_text("You already have as many runs waiting")
    lesson.says("Trying again in")
    lesson.hindrance().get_by_role("button", name="Try now").click()
    lesson.says("Finished")


@pytest.mark.same_page
def test_a_runner_that_restarts_is_asked_again(staged: tuple[LessonPage, StagedRunner]) -> None:
    lesson, runner = staged
    runner.plays = [RunnerUnavailable("restarting")]
    lesson.editor().press("Shift+Enter")
    lesson.says("Finished")
    assert len(runner.orders) == 2
    expect(lesson.cell().locator(".output")).to_have_text("done\n")


@pytest.mark.same_page
def test_a_run_that_is_lost_is_told_and_run_again_only_when_asked(staged: tuple[LessonPage, StagedRunner]) -> None:
    lesson, runner = staged
    runner.plays = [lose]
    lesson.editor().press("Shift+Enter")
    lesson.says("The run was lost.")
    expect(lesson.hindrance()).to_contain_text("The run was lost before it ended. Nothing you wrote is lost.")
    expect(lesson.page.locator("#live")).to_contain_text("The run was lost")
    expect(lesson.cell().locator(".output")).to_have_text("half\n")
    assert len(runner.orders) == 1
    lesson.hindrance().get_by_role("button", name="Run it again").press("Enter")
    lesson.says("Finished")
    expect(lesson.cell().locator(".output")).to_have_text("done\n")
    expect(lesson.button("Run")).to_be_focused()


def test_an_error_marks_no_line_of_a_text_that_did_not_run(staged: tuple[LessonPage, StagedRunner]) -> None:
    lesson, runner = staged
    gate = threading.Event()
    runner.plays = [fail_when(gate)]
    lesson.editor().press("Shift+Enter")
    try:
        lesson.says("Running")
        lesson.write("x = 1")
    finally:
        gate.set()
    expect(lesson.status()).to_have_text("ValueErroredited since")  # nor is a line of it named
    expect(lesson.cell().locator(".cm-fault-line")).to_have_count(0)


@pytest.mark.same_page
def test_results_leave_the_keyboard_where_it_went_while_the_cell_ran(staged: tuple[LessonPage, StagedRunner]) -> None:
    lesson, runner = staged
    gate = threading.Event()
    runner.plays = [fail_when(gate)]
    lesson.editor().click()
    for key in ("Escape", "ArrowDown", "Enter", "Control+Enter"):
        lesson.page.keyboard.press(key)
    elsewhere = lesson.button("Copy the code")
    try:
        lesson.says("Running", "sinh-bad-graph")
        elsewhere.focus()
    finally:
        gate.set()
    lesson.says("ValueError · line 1", "sinh-bad-graph")
    expect(elsewhere).to_be_focused()


def test_no_page_is_turned_while_a_run_is_active(staged: tuple[LessonPage, StagedRunner]) -> None:
    lesson, runner = staged
    runner.plays = [wait_in_queue]
    lesson.editor().press("Shift+Enter")
    lesson.says("Waiting in the queue")
    lesson.page.locator("h1").click()
    lesson.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    lesson.page.keyboard.press("PageDown")
    lesson.page.evaluate("scrollTo(0, 0)")
    lesson.page.keyboard.press("PageUp")
    lesson.page.keyboard.press("?")
    expect(lesson.page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert lesson.page.url.endswith("/backward-twice/sinh-bad")
    lesson.says("Waiting in the queue")


def test_without_a_network_nothing_is_lost_and_the_run_comes_later(lesson: LessonPage) -> None:
    lesson.write("print('kept')")
    lesson.page.context.set_offline(True)
    lesson.editor().press("Shift+Enter")
    expect(lesson.hindrance()).to_contain_text("The server is out of reach. Your code is kept.")
    expect(lesson.cell().locator(".held")).to_have_count(0)  # which would say the same
    assert lesson.text() == "print('kept')"
    lesson.page.context.set_offline(False)
    lesson.hindrance().get_by_role("button", name="Try now").click()
    lesson.says("Finished")
    expect(lesson.cell().locator(".output")).to_have_text("kept\n")


@pytest.mark.same_page
def test_a_cell_that_prints_nothing_has_a_way_to_what_it_showed(lesson: LessonPage) -> None:
    lesson.run(source="import torch\nfrom torchviz import make_dot\nmake_dot(torch.ones(1, requires_grad=True) * 2);")
    lesson.status().focus()
    lesson.page.keyboard.press("Enter")
    expect(lesson.results().get_by_role("heading", name="Backward graph")).to_be_focused()


@pytest.mark.same_page
def test_run_keeps_the_keyboard_when_it_turns_into_stop(staged: tuple[LessonPage, StagedRunner]) -> None:
    lesson, runner = staged
    runner.plays = [wait_in_queue]
    lesson.button("Run").focus()
    lesson.page.keyboard.press("Enter")
    expect(lesson.button("Stop")).to_be_focused()
    lesson.page.keyboard.press("Enter")
    expect(lesson.button("Run")).to_be_focused()


@pytest.mark.same_page
def test_a_key_stops_the_running_cell_from_its_editor(staged: tuple[LessonPage, StagedRunner]) -> None:
    lesson, runner = staged
    runner.plays = [wait_in_queue]
    lesson.editor().press("Shift+Enter")
    expect(lesson.button("Stop")).to_be_visible()
    lesson.page.keyboard.press("Control+.")
    expect(lesson.button("Run")).to_be_visible()


def test_results_of_the_run_before_stay_until_there_are_new_ones(staged: tuple[LessonPage, StagedRunner]) -> None:
    lesson, runner = staged
    runner.plays = [show({"kind": "value", "text": "before"}), wait_in_queue]
    lesson.run()
    lesson.editor().press("Shift+Enter")
    lesson.says("Waiting in the queue")
    expect(lesson.results().locator(".results-old")).to_contain_text("From the run before")
    lesson.button("Stop").click()


def test_reset_and_its_undo_keep_the_keyboard(lesson: LessonPage) -> None:
    lesson.write("print('mine')")
    lesson.button("Reset").focus()
    lesson.page.keyboard.press("Enter")
    expect(lesson.button("Undo reset")).to_be_focused()
    lesson.page.keyboard.press("Enter")
    expect(lesson.button("Reset")).to_be_focused()
