"""Predict, then run: each kind of question by the keyboard alone, right, wrong and not answered, in both languages."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import resize
from tests.browser.staged_runner import StagedRunner, lose
from tests.browser.task_course import PATH
from tests.browser.task_page import TaskPage
from tests.browser.test_accessibility import Looks, violations_in_each

Open = Callable[..., tuple[TaskPage, StagedRunner]]
KEYS = {  # what is typed at the first control of each, and the right answer in words
    "grad": (["ArrowDown"], "what happens, your prediction"),
    "value": (["2", ".", "7", "2"], "Answer: 2.718."),
    "shape": (["2", ",", "Space", "3"], "Answer: (2, 3)."),
    "verdict": (["ArrowDown"], "Answer: it fails."),
    "line": (["3"], "Answer: line 3."),
    "box": (["Space", "ArrowDown"], "Answer: grad_x."),
    "nodes": (["5"], "Answer: 5."),
}


def test_each_kind_is_answered_rightly_with_the_keyboard_alone(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    for name, (keys, words) in KEYS.items():
        prediction = lesson.prediction(name)
        first = prediction.locator("input").first
        first.focus()
        for key in keys:
            lesson.page.keyboard.press(key)
        lesson.page.keyboard.press("Enter")
        verdict = prediction.locator(".verdict-line")
        expect(verdict).to_contain_text("As you predicted.")
        expect(prediction).to_contain_text(words)
        expect(prediction.locator(".task-explanation")).to_contain_text("SECRET-WHY")
        expect(verdict).to_be_focused()
        expect(lesson.status("use")).to_contain_text("Finished")
    assert [[source.cell for source in order.program.replay] for order in runner.orders] == [["square"]] * len(KEYS)
    assert violations(lesson.page, within="prediction-view") == []


def test_what_was_chosen_wrongly_is_explained_and_never_scolded(open_tasks: Open) -> None:
    lesson, _ = open_tasks()
    prediction = lesson.prediction("grad")
    prediction.get_by_label("the squares").check()
    prediction.get_by_role("button", name="Predict and run").click()
    expect(prediction.locator(".verdict-line")).to_have_text("Not what you expected?")
    expect(prediction.locator(".prediction-choices li").nth(0)).to_contain_text("your prediction")
    expect(prediction.locator(".prediction-choices li").nth(1)).to_contain_text("what happens")
    expect(prediction.locator(".task-explanation")).to_contain_text("SECRET-WRONG")
    assert violations(lesson.page, within="#prediction-grad") == []


def test_who_does_not_want_to_predict_is_shown(open_tasks: Open) -> None:
    lesson, _ = open_tasks()
    prediction = lesson.prediction("shape")
    prediction.get_by_role("button", name="Show me").click()
    expect(prediction.locator(".verdict-line")).to_have_text(re.compile(r"This is what happens\.\s+Answer: \(2, 3\)\."))
    expect(prediction.locator(".verdict-line")).to_be_focused()


def test_what_is_no_answer_is_told_beside_it_and_nothing_runs(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    prediction = lesson.prediction("shape")
    field = prediction.get_by_label("Your shape")
    field.fill("two by three")
    field.press("Enter")
    expect(prediction.get_by_role("alert")).to_have_text("Write sizes with commas, such as 2, 3.")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("2")
    expect(prediction.get_by_role("alert")).to_have_text("")
    lesson.prediction("grad").get_by_role("button", name="Predict and run").click()
    expect(lesson.prediction("grad").get_by_role("alert")).to_contain_text("Choose one of these")
    assert runner.orders == []


def test_a_line_can_be_clicked_in_the_code(open_tasks: Open) -> None:
    lesson, _ = open_tasks()
    lesson.cell("use").locator(".cm-line").nth(2).click()
    prediction = lesson.prediction("line")
    expect(prediction.get_by_label("Your line")).to_have_value("3")
    expect(prediction).to_contain_text("out.sum().backward()")
    lesson.cell("use").locator(".cm-gutterElement", has_text="2").click()
    expect(prediction.get_by_label("Your line")).to_have_value("2")
    prediction.get_by_label("Your line").fill("4")
    lesson.cell("use").locator(".cm-gutterElement", has_text="2").click()
    expect(prediction.get_by_label("Your line")).to_have_value("2")


def test_a_line_that_is_drawn_anew_while_the_button_is_down_is_clicked_all_the_same(open_tasks: Open) -> None:
    """The first press on the code loads completion, which draws the line again. A browser then sends no click."""
    lesson, _ = open_tasks()
    line = lesson.cell("use").locator(".cm-line").nth(2)
    before = line.element_handle()
    line.hover()
    lesson.page.mouse.down()
    before.evaluate("line => new Promise(done => setInterval(() => line.isConnected || done()))")
    lesson.page.mouse.up()
    expect(lesson.prediction("line").get_by_label("Your line")).to_have_value("3")


def test_the_answer_outlives_a_reload_and_can_be_given_again(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    prediction = lesson.prediction("nodes")
    prediction.get_by_label("Your number").fill("7")
    prediction.get_by_role("button", name="Predict and run").click()
    expect(prediction).to_contain_text("You said 7; the run says 5.")
    lesson.page.reload()
    expect(prediction).to_contain_text("You said 7; the run says 5.")
    prediction.get_by_role("button", name="Predict again").click()
    expect(prediction.get_by_label("Your number")).to_be_focused()
    lesson.page.keyboard.type("5")
    lesson.page.keyboard.press("Enter")
    expect(prediction).to_contain_text("As you predicted.")
    expect(prediction).to_contain_text("Your first prediction: 7.")
    assert len(runner.orders) == 2


def test_an_explanation_of_another_language_can_be_had_in_this_one(open_tasks: Open) -> None:
    lesson, _ = open_tasks()
    prediction = lesson.prediction("grad")
    prediction.get_by_role("button", name="Show me").click()
    expect(prediction.locator(".task-explanation")).to_contain_text("Because")
    lesson.page.get_by_role("link", name="中文").click()
    expect(prediction).to_contain_text("结果如下")
    expect(prediction).not_to_contain_text("Because")
    prediction.get_by_role("button", name="再运行一次，查看解释").click()
    expect(prediction.locator(".task-explanation")).to_contain_text("因为")


def test_the_cell_can_be_run_by_itself_and_nothing_is_asked(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    lesson.run("use")
    expect(lesson.prediction("grad").get_by_role("button", name="Predict and run")).to_be_visible()
    assert len(runner.orders) == 1


def test_an_edited_cell_is_run_as_the_lesson_gives_it(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    lesson.write("print('mine')", "use")
    prediction = lesson.prediction("grad")
    expect(prediction).to_contain_text("You have changed the cell")
    prediction.get_by_role("button", name="Show me").click()
    expect(prediction.locator(".verdict-line")).to_be_visible()
    assert "Square.apply" in runner.orders[0].program.source.text
    expect(lesson.status("use")).to_contain_text("edited since")
    assert lesson.text("use") == "print('mine')"


def test_a_lost_run_is_told_and_the_question_stands(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    runner.plays.append(lose)
    prediction = lesson.prediction("value")
    prediction.get_by_label("Your number").fill("3")
    prediction.get_by_role("button", name="Predict and run").click()
    expect(prediction).to_contain_text("The run was lost before it ended.")
    expect(prediction.get_by_label("Your number")).to_have_value("3")
    prediction.get_by_role("button", name="Predict and run").click()
    expect(prediction).to_contain_text("You said 3; the run says 2.718.")


@pytest.mark.parametrize(("lang", "looks"), [("en", [("dark", 360)]), ("zh-Hans", [("light", 360), ("dark", 1440)])])
def test_every_question_fits_and_can_be_used_by_everyone(open_tasks: Open, lang: str, looks: Looks) -> None:
    lesson, _ = open_tasks(lang, width=360)
    expect(lesson.prediction("grad").locator("form")).to_be_visible()
    assert violations_in_each(lesson.page, looks) == {}
    for name in KEYS:
        lesson.prediction(name).locator(".button.quiet").click()
        expect(lesson.prediction(name).locator(".verdict-line")).to_be_visible()
    assert violations_in_each(lesson.page, looks[::-1], within="prediction-view") == {}
    for _, width in looks:
        resize(lesson.page, width)
        assert lesson.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), width


def test_the_questions_can_be_read_without_scripts(task_stage: tuple[str, StagedRunner], first_visit: Callable[..., Page]) -> None:
    page = first_visit(task_stage[0], f"/en/{PATH}", java_script_enabled=False)
    expect(page.locator("#prediction-grad")).to_contain_text("twice the inputs")
    expect(page.locator("#prediction-box")).to_contain_text("grad_x")
    assert "SECRET" not in page.content()
