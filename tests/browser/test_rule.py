"""An edit to try; and the rule, which learners write in their own words and then compare with the lesson's."""

from collections.abc import AsyncIterator, Callable

import pypdfium2
import pytest
from playwright.sync_api import Page, expect

from app.protocol.event import RunEvent, Started
from app.protocol.run import RunOrder
from tests.browser.records import gradcheck
from tests.browser.staged_runner import StagedRunner, make_result, show
from tests.browser.task_course import PATH
from tests.browser.task_page import TaskPage
from tests.browser.test_accessibility import violations

Open = Callable[..., tuple[TaskPage, StagedRunner]]
RULE = "Save the input and compute with it"
OUTCOME = "The one that leads through x."


def test_the_rule_is_said_first_then_compared_with_the_keyboard_alone(open_tasks: Open) -> None:
    lesson, _ = open_tasks()
    page, rule = lesson.page, lesson.page.locator(".rule")
    own = rule.get_by_label("Say it in your own words")
    expect(rule).not_to_contain_text(RULE)
    expect(rule.get_by_role("button", name="Compare")).to_be_disabled()
    own.focus()
    page.keyboard.type("Keep x, and use it.")
    lesson.tab_to(rule.get_by_role("button", name="Compare"))
    page.keyboard.press("Enter")
    expect(rule).to_contain_text(RULE)
    expect(rule).to_contain_text("Keep x, and use it.")
    expect(rule.locator(".lesson-rule")).to_be_focused()
    assert violations(page, within=".rule") == []
    page.reload()
    expect(rule).to_contain_text("Keep x, and use it.")
    rule.get_by_role("button", name="Change your words").click()
    expect(own).to_have_value("Keep x, and use it.")
    expect(own).to_be_focused()


def test_the_rule_can_be_read_without_trying(open_tasks: Open) -> None:
    lesson, _ = open_tasks()
    lesson.page.locator(".rule").get_by_role("button", name="Show the rule").click()
    expect(lesson.page.locator(".rule")).to_contain_text(RULE)


def test_the_rule_is_there_without_scripts_folded(task_stage: tuple[str, StagedRunner], first_visit: Callable[..., Page]) -> None:
    page = first_visit(task_stage[0], f"/en/{PATH}", java_script_enabled=False)
    expect(page.get_by_text(RULE)).to_be_hidden()
    page.get_by_text("Say it in your own words, then open this").click()
    expect(page.get_by_text(RULE)).to_be_visible()


def test_an_edit_is_made_run_and_taken_back_with_one_button(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    before = lesson.text("square")
    tried = lesson.page.locator("try-view")
    tried.get_by_role("button", name="Make this change").focus()
    lesson.page.keyboard.press("Enter")
    expect(lesson.status("use")).to_contain_text("Finished")
    assert "2 * x.detach() * grad_output" in lesson.text("square")
    assert "x.detach()" in runner.orders[0].program.replay[0].text
    expect(tried).to_contain_text("Changed and run. Finished. See cell 2")
    expect(tried.get_by_role("button", name="Take it back")).to_be_focused()
    assert violations(lesson.page, within="try-view, [data-cell]") == []
    lesson.page.keyboard.press("Enter")
    assert lesson.text("square") == before
    expect(tried).to_contain_text("Taken back and run. Nothing changes.")
    assert len(runner.orders) == 2


async def print_seven(order: RunOrder) -> AsyncIterator[RunEvent]:
    yield Started("r1")
    yield make_result(order, "7\n")


def test_what_came_of_an_edit_is_told_in_whole_sentences(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    runner.plays.append(print_seven)
    lesson.run("use")
    tried = lesson.page.locator("try-view")
    tried.get_by_role("button", name="Make this change").click()
    expect(tried).to_contain_text("Changed and run. It prints “done” in place of “7”. See cell 2")


def test_an_edit_after_which_other_numbers_are_shown_changes_something(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    differ = [gradcheck([[1.0]], [[wrong]], finding="differ") for wrong in (2.0, 3.0, 3.0)]
    elsewhere = {"span": {"cell": None, "line": 1, "column": None, "end_line": None, "end_column": None}, "stdout_offset": 1}
    runner.plays.extend([show(differ[0]), show(differ[1]), show(differ[2] | elsewhere)])
    tried = lesson.page.locator("try-view")
    lesson.run("use")
    tried.get_by_role("button", name="Make this change").click()
    expect(tried).to_contain_text("Changed and run. It shows something else.")
    tried.get_by_role("button", name="Take it back").click()
    expect(tried).to_contain_text("Taken back and run. Nothing changes.")  # but the line


def test_the_editors_undo_takes_it_back_too(open_tasks: Open) -> None:
    lesson, _ = open_tasks()
    before = lesson.text("square")
    tried = lesson.page.locator("try-view")
    tried.get_by_role("button", name="Make this change").click()
    expect(lesson.status("use")).to_contain_text("Finished")
    lesson.editor("square").focus()
    lesson.page.keyboard.press("Control+z")
    assert lesson.text("square") == before
    expect(tried.get_by_role("button", name="Make this change")).to_be_visible()


def test_an_edit_whose_text_is_gone_says_so(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    lesson.write("# nothing left", "square")
    tried = lesson.page.locator("try-view")
    expect(tried).to_contain_text("not in cell 1 any more")
    tried.get_by_role("button", name="Make this change").press("Enter")
    assert lesson.text("square") == "# nothing left"
    lesson.button("Reset", "square").click()
    expect(tried).not_to_contain_text("any more")
    assert runner.orders == []


def test_what_comes_of_an_edit_is_told_when_it_was_made(open_tasks: Open) -> None:
    lesson, _ = open_tasks()
    outcome = lesson.page.get_by_text(OUTCOME)
    expect(outcome).to_be_hidden()
    lesson.page.get_by_role("button", name="Make this change").click()
    expect(outcome).to_be_visible()
    lesson.page.get_by_role("button", name="Take it back").click()
    expect(lesson.page.get_by_role("button", name="Make this change")).to_be_visible()
    expect(outcome).to_be_visible()


def test_typing_an_edit_tells_what_comes_of_it_only_once_it_ran(open_tasks: Open) -> None:
    lesson, _ = open_tasks()
    lesson.write(lesson.text("square").replace("2 * x *", "2 * x.detach() *"), "square")
    expect(lesson.page.get_by_role("button", name="Take it back")).to_be_visible()
    expect(lesson.page.get_by_text(OUTCOME)).to_be_hidden()
    lesson.run("use")
    expect(lesson.page.get_by_text(OUTCOME)).to_be_visible()


def test_what_comes_of_an_edit_is_told_to_whoever_asks(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    ask = lesson.page.get_by_role("button", name="What comes of it: after the change, or now")
    ask.press("Enter")
    expect(lesson.page.locator("try-view answer-text")).to_be_focused()
    expect(lesson.page.get_by_text(OUTCOME)).to_be_visible()
    expect(ask).to_have_count(0)
    assert runner.orders == []
    assert violations(lesson.page, within="try-view") == []


def test_what_comes_of_an_edit_stands_without_scripts(task_stage: tuple[str, StagedRunner], first_visit: Callable[..., Page]) -> None:
    page = first_visit(task_stage[0], f"/en/{PATH}", java_script_enabled=False)
    expect(page.get_by_text(OUTCOME)).to_be_visible()


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ("Predict, then run", "Answer: 2.718", RULE, "Yours", OUTCOME)),
        ("zh-Hans", ("先预测", "答案：2.718", "保存输入", "你的说法")),
    ],
)
def test_paper_has_what_was_predicted_and_said(open_tasks: Open, lang: str, words: tuple[str, ...]) -> None:
    lesson, _ = open_tasks(lang)
    lesson.prediction("value").locator(".button.quiet").click()
    expect(lesson.prediction("value").locator(".verdict-line")).to_be_visible()
    lesson.page.locator("#own-rule").fill("x")
    lesson.page.locator(".rule .button").first.click()
    document = pypdfium2.PdfDocument(lesson.page.pdf(format="A4", print_background=True))
    printed = "".join("".join(page.get_textpage().get_text_range() for page in document).split())
    assert [word for word in words if "".join(word.split()) not in printed] == []
