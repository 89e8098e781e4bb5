"""Exercises: submitted by the keyboard alone; wrong, half right, right and given up; nothing lost on the way, nothing taken away."""

import json
import re
import threading
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from app.protocol.grading import CheckResult, Message, Verdict
from app.protocol.records.gradcheck import GradcheckRecord, JacobianPair
from app.settings import PROJECT
from tests.browser.axe import violations
from tests.browser.conftest import resize
from tests.browser.staged_runner import StagedRunner, grade, lose
from tests.browser.task_course import PATH
from tests.browser.task_page import TaskPage
from tests.browser.test_accessibility import Looks, violations_in_each

Open = Callable[..., tuple[TaskPage, StagedRunner]]
VALUES, GRADIENT = CheckResult(id="values", passed=True), CheckResult(id="gradient", passed=True)
WRONG = CheckResult(id="gradient", passed=False, message=Message(code="unheard-of"))
HIDDEN = [CheckResult(id=name, passed=True) for name in ("strides", "second")]
HALF_HIDDEN = [HIDDEN[0], CheckResult(id="second", passed=False)]
PASSED = Verdict(passed=True, checks=[VALUES, GRADIENT, *HIDDEN])
HALF_RIGHT = Verdict(passed=False, checks=[VALUES, WRONG, *HALF_HIDDEN])
MISTAKEN = Verdict(passed=False, checks=[VALUES, WRONG, *HALF_HIDDEN], mistake="forgot-chain")
ONLY_HIDDEN = Verdict(passed=False, checks=[VALUES, GRADIENT, *HALF_HIDDEN])
DIFFERING = JacobianPair(
    output=0, input=0, input_name="x", input_shape=[2], output_shape=[2], shape=(2, 2), failing=1,
    numerical=[[2.0, 0.0], [0.0, 3.0]], analytical=[[2.0, 0.0], [0.0, 1.0]], finding="differ",
)  # fmt: skip
JACOBIANS = GradcheckRecord(
    id="gradcheck", title="gradcheck(square)", order=1, mode="reverse", passed=False, eps=1e-6, atol=1e-5, rtol=1e-3, pairs=[DIFFERING]
)
MISMATCH = Message(
    code="gradcheck-mismatch",
    values={
        "function": "square", "arguments": "[1.0, 1.5]", "failing": "1", "total": "4",
        "output": "1[1]", "input": "1[1]", "numerical": "3", "analytical": "1",
    },
    gradcheck=JACOBIANS,
)  # fmt: skip
SPOKEN = {
    "en": "square_blank.py: Not yet. 2 of 4 checks pass. The gradient is right",
    "zh-Hans": "square_blank.py：还没有通过。共 4 项检查，通过 2 项。梯度正确",
}
EXERCISE = "#exercise-square-blank"  # the rest of the lesson is checked in the tests of predictions
HEAR = """() => {
    window.heard = [];
    const live = document.getElementById("live");
    new MutationObserver(() => live.textContent && heard.push(live.textContent)).observe(live, {childList: true});
}"""
IS_CUT = "elements => elements.map(element => element.checkVisibility() && element.scrollWidth > element.clientWidth)"
TESTED = Verdict(
    passed=False,
    checks=[
        CheckResult(id="right", passed=True),
        CheckResult(id="mutant:once", passed=False),
        CheckResult(id="mutant:scaled", passed=True),
    ],
)


def test_a_verdict_is_not_talked_over_when_the_views_of_records_come_late(open_tasks: Open) -> None:
    """The views are loaded with the first run. What the run showed is announced once the names of its records are known."""
    lesson, runner = open_tasks()
    runner.plays.append(grade(PASSED))
    (views,) = (file.name for file in (PROJECT / "static/build").glob("chunk-*.js") if 'define("graph-view"' in file.read_text())
    late: list[Route] = []
    lesson.page.route(f"**/{views}", lambda route: late.append(route))
    lesson.write("2 * x", "exercise_square-blank")
    lesson.button("Submit", "exercise_square-blank").click()
    live = lesson.page.locator("#live")
    expect(live).to_contain_text("Passed.")
    with lesson.page.expect_response(f"**/{views}"):
        late[0].continue_()
    lesson.page.wait_for_function("() => customElements.get('graph-view') !== undefined")
    lesson.page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    expect(live).to_contain_text("Passed.")


def test_a_blank_is_filled_and_passes_with_the_keyboard_alone(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    runner.plays.append(grade(PASSED))
    exercise = lesson.exercise()
    expect(exercise).to_contain_text("not started")
    lesson.button("Submit", "exercise_square-blank").focus()
    lesson.tab_to(lesson.code())
    assert (
        lesson.view("view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to)", "exercise_square-blank") == "____"
    )
    lesson.page.keyboard.type("2 * x")
    lesson.page.keyboard.press("Control+Enter")
    expect(lesson.verdict()).to_have_text("Passed · 4 of 4")
    expect(exercise).to_contain_text("2 of 2 hidden checks pass")
    expect(exercise.locator(".task-explanation")).to_contain_text("SECRET-AFTER")
    expect(exercise.locator(".standing-mark")).to_have_text("passed")
    expect(lesson.code()).to_be_focused()
    expect(lesson.page.locator("#live")).to_contain_text("Passed.")
    assert "return 2 * x * grad_output" in runner.orders[0].program.source.text
    assert violations(lesson.page, within=EXERCISE) == []


def test_what_was_reported_is_shown_with_a_check_that_passes(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    report = CheckResult(
        id="gradient", passed=True, reported=True, message=Message(code="saved", values={"tensors": "3", "size": "12 MiB"})
    )
    runner.plays.append(grade(Verdict(passed=True, checks=[VALUES, report, *HIDDEN])))
    lesson.submit()
    check = lesson.exercise().locator(".check-list li", has_text="The gradient is right")
    expect(check).to_contain_text("for your information")
    expect(check.locator(".said-words")).to_have_text("Tensors kept by one call: 3, together 12 MiB, as reported by your program.")
    expect(lesson.exercise().locator(".check-list .said-words")).to_have_count(1)
    assert violations(lesson.page, within=EXERCISE) == []


def test_the_verdict_stands_in_the_head_and_the_first_check_that_fails_is_open(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    runner.plays.extend([grade(MISTAKEN), grade(HALF_RIGHT), grade(ONLY_HIDDEN)])
    exercise = lesson.exercise()
    first = exercise.locator(".graded-mistake")
    lesson.submit()
    expect(first).to_contain_text("SECRET-MISTAKE")
    expect(lesson.verdict()).to_have_text("Not yet · 2 of 4 · The gradient is right")
    checks = exercise.locator(".check-list li")
    expect(checks).to_have_text(
        [re.compile(r"The values are right\s*passes"), re.compile(r"The gradient is right\s*does not pass.*", re.DOTALL)]
    )
    expect(checks.locator("details[open]")).to_have_count(1)
    checks.locator("summary").click()
    lesson.verdict().click()
    expect(checks.locator("details[open] summary")).to_be_focused()
    expect(exercise).to_contain_text("1 of 2 hidden checks pass")
    assert violations(lesson.page, within=EXERCISE) == []
    lesson.submit()
    expect(first).to_have_count(0)
    expect(exercise.locator(".own-attempts summary")).to_have_text("Your attempts (2)")
    lesson.submit()
    expect(lesson.verdict()).to_have_text("Not yet · 3 of 4 · hidden checks")
    expect(exercise).to_contain_text("They try other inputs")
    expect(exercise.locator(".own-attempts summary")).to_have_text("Your attempts (3)")


@pytest.mark.parametrize("lang", SPOKEN)
def test_a_submission_is_announced_once_and_with_the_check_that_fails(open_tasks: Open, lang: str) -> None:
    lesson, runner = open_tasks(lang)
    runner.plays.append(grade(MISTAKEN))
    lesson.page.evaluate(HEAR)
    lesson.submit()
    expect(lesson.page.locator("#live")).to_have_text(SPOKEN[lang])
    lesson.is_drawn()
    assert lesson.page.evaluate("heard") == [SPOKEN[lang]]


def test_what_the_jacobians_of_a_check_show_is_not_said_beside_them(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    failed = CheckResult(id="gradient", passed=False, message=MISMATCH)
    runner.plays.append(grade(Verdict(passed=False, checks=[VALUES, failed, *HALF_HIDDEN])))
    lesson.submit()
    check = lesson.exercise().locator(".check[open]")
    expect(check).to_contain_text("gradcheck(square): output 0 with respect to x")
    expect(check).to_contain_text("Worst is output 0[1] with respect to x[1]: 3 numerically, 1 from backward.")
    expect(check).not_to_contain_text("most of all")
    expect(check.locator(".fact-list")).to_have_text(re.compile(r"^\s*given\s*\[1.0, 1.5\]\s*$"))


def test_neither_the_verdict_nor_the_name_of_its_file_is_cut_by_what_else_stands_in_the_head(open_tasks: Open) -> None:
    windows = ((1440, 900), (853, 480), (390, 844))
    lesson, runner = open_tasks()
    runner.plays.append(grade(MISTAKEN))
    lesson.write("2 * x", "exercise_square-blank")
    head = lesson.cell("exercise_square-blank").locator(".cell-head")
    expect(head.get_by_text("Saved", exact=True)).to_have_count(1)
    lesson.submit()
    expect(lesson.verdict()).to_have_text("Not yet · 2 of 4 · The gradient is right")
    for width, height in windows:
        resize(lesson.page, width, height)
        assert head.locator(".cell-file").evaluate_all(IS_CUT) == [False]
        assert width > 390 or head.locator(".words").evaluate_all(IS_CUT) == [False]
    lesson.write("3 * x", "exercise_square-blank")
    expect(lesson.verdict()).to_have_text("Not yetedited since")
    for width, height in windows:
        resize(lesson.page, width, height)
        assert head.locator(".words").evaluate_all(IS_CUT) == [False] or width == 390
        edited, tools = lesson.verdict().locator(".edited").bounding_box(), head.locator(".end").last.bounding_box()
        assert edited and tools and edited["x"] + edited["width"] <= tools["x"]


def test_each_check_is_shown_as_it_is_decided_and_it_can_be_stopped(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    gate = threading.Event()
    runner.plays.append(grade(HALF_RIGHT, gate))
    exercise = lesson.exercise()
    lesson.submit()
    try:
        expect(exercise.locator(".check-list li")).to_have_count(2)
        expect(lesson.verdict()).to_contain_text("Checking; 2 decided")
        expect(exercise.locator(".submit")).to_have_text("Stop")
    finally:
        gate.set()
    expect(lesson.verdict()).to_contain_text("Not yet")
    expect(exercise.locator(".submit")).to_contain_text("Submit")


def test_shift_enter_runs_and_does_not_submit(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    lesson.code("square-test").focus()
    lesson.page.keyboard.press("Shift+Enter")
    expect(lesson.status("exercise_square-test")).to_contain_text("Finished")
    assert [source.cell for source in runner.orders[0].program.replay] == ["square"]
    expect(lesson.exercise("square-test")).to_contain_text("not started")
    expect(lesson.code("square-test")).to_be_focused()


def test_a_check_of_ones_own_is_told_what_it_caught(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    runner.plays.append(grade(TESTED))
    exercise = lesson.exercise("square-test")
    expect(exercise).to_contain_text("Your check is tried on 3 functions")
    lesson.submit("square-test")
    expect(exercise.locator(".check-end")).to_have_text(["accepted", "let through", "caught"])
    expect(exercise.locator(".check[open]")).to_contain_text("SECRET-MUTANT")
    assert violations(lesson.page, within="#exercise-square-test") == []


def test_giving_up_shows_the_solution_and_says_so_for_good(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    runner.plays.extend([grade(HALF_RIGHT), grade(PASSED)])
    page, exercise = lesson.page, lesson.exercise()
    expect(exercise.get_by_role("button", name="Show the solution")).to_have_count(0)
    lesson.submit()
    expect(lesson.verdict()).to_be_visible()
    exercise.get_by_role("button", name="Show the solution").focus()
    page.keyboard.press("Enter")
    expect(exercise.get_by_role("button", name="Show it")).to_be_focused()
    page.keyboard.press("Enter")
    solution = exercise.locator(".exercise-solution")
    expect(solution).to_be_focused()
    expect(solution).to_contain_text("SECRET-SOLUTION")
    expect(solution.locator(".differs").last).to_contain_text("SECRET-SOLUTION")
    assert "____" in lesson.text("exercise_square-blank")
    assert violations(page, within=EXERCISE) == []
    lesson.submit()
    expect(exercise.locator(".standing-mark")).to_have_text("passed after seeing the solution")
    page.reload()
    expect(exercise.locator(".standing-mark")).to_have_text("passed after seeing the solution")


def test_who_does_not_want_to_see_it_after_all_has_not_seen_it(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    runner.plays.extend([grade(HALF_RIGHT), grade(PASSED)])
    exercise = lesson.exercise()
    lesson.submit()
    exercise.get_by_role("button", name="Show the solution").click()
    exercise.get_by_role("button", name="Not yet", exact=True).click()
    expect(exercise.get_by_role("button", name="Show the solution")).to_be_focused()
    lesson.submit()
    expect(exercise.locator(".standing-mark")).to_have_text("passed")


def test_hints_come_one_by_one_and_stay(open_tasks: Open) -> None:
    lesson, _ = open_tasks()
    exercise = lesson.exercise()
    exercise.get_by_role("button", name="Hint 1 of 2").focus()
    lesson.page.keyboard.press("Enter")
    expect(exercise.get_by_role("group", name="Hint 1 of 2")).to_be_focused()
    expect(exercise).not_to_contain_text("the chain rule")
    exercise.get_by_role("button", name="Hint 2 of 2").click()
    expect(exercise).to_contain_text("the chain rule")
    expect(exercise.get_by_role("button", name=re.compile("^Hint"))).to_have_count(0)
    lesson.page.reload()
    expect(exercise).to_contain_text("the chain rule")


def test_a_pass_stays_through_edits_later_failures_and_a_reload(open_tasks: Open, task_stage: tuple[str, StagedRunner]) -> None:
    lesson, runner = open_tasks()
    runner.plays.extend([grade(PASSED), grade(HALF_RIGHT)])
    exercise = lesson.exercise()
    lesson.submit()
    expect(exercise.locator(".standing-mark")).to_have_text("passed")
    lesson.write("broken", "exercise_square-blank")
    expect(exercise.locator(".standing-mark")).to_have_text("passed")
    expect(lesson.verdict()).to_contain_text("edited since")
    lesson.submit()
    expect(lesson.verdict()).to_contain_text("Not yet")
    expect(exercise.locator(".standing-mark")).to_have_text("passed")
    lesson.page.reload()
    expect(exercise.locator(".standing-mark")).to_have_text("passed")
    expect(lesson.verdict()).to_contain_text("Not yet")
    assert lesson.text("exercise_square-blank") == "broken"
    lesson.page.goto(f"{task_stage[0]}/en/map")
    expect(lesson.page.locator(f'[data-lesson="{PATH}"]')).to_contain_text("1 of 11 done")


def test_a_submission_that_is_refused_was_not_edited_since(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    runner.plays.append(grade(HALF_RIGHT))
    lesson.submit()
    expect(lesson.verdict()).to_contain_text("Not yet")
    lesson.write("#" * 70_000, "exercise_square-blank")
    expect(lesson.verdict()).to_contain_text("edited since")
    lesson.submit()
    expect(lesson.verdict()).to_have_text("Not graded.")


def test_a_submission_lost_on_its_way_is_sent_again_under_its_key(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    runner.plays.extend([lose, grade(PASSED)])
    keys: list[str] = []
    lesson.page.on(
        "request", lambda request: keys.append(request.headers["idempotency-key"]) if request.url.endswith("/submissions") else None
    )
    exercise = lesson.exercise()
    lesson.submit()
    expect(exercise).to_contain_text("the same submission counts once")
    exercise.get_by_role("button", name="Submit it again").click()
    expect(exercise.locator(".standing-mark")).to_have_text("passed")
    assert len(keys) == 2
    assert keys[0] == keys[1]


@pytest.mark.parametrize(("lang", "looks"), [("en", [("dark", 360)]), ("zh-Hans", [("light", 360), ("dark", 1440)])])
def test_an_exercise_fits_and_speaks_the_language(open_tasks: Open, lang: str, looks: Looks) -> None:
    lesson, runner = open_tasks(lang, width=360)
    runner.plays.append(grade(MISTAKEN))
    exercise = lesson.exercise()
    lesson.submit()
    expect(exercise.locator(".graded-mistake")).to_be_visible()
    exercise.locator("exercise-help .button").first.click()
    exercise.locator(".show-solution").click()
    exercise.locator(".solution-sure .button").first.click()
    expect(exercise.locator(".exercise-solution")).to_be_visible()
    assert violations_in_each(lesson.page, looks, within=EXERCISE) == {}
    for _, width in looks:
        resize(lesson.page, width)
        assert lesson.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), width
    expect(lesson.verdict()).to_contain_text({"en": "Not yet", "zh-Hans": "尚未通过"}[lang])
    expect(exercise.locator(".standing-mark")).to_have_text({"en": "tried", "zh-Hans": "已尝试"}[lang])


def test_the_words_of_another_language_wait_for_the_next_submission(open_tasks: Open) -> None:
    lesson, runner = open_tasks()
    runner.plays.append(grade(HALF_RIGHT))
    lesson.submit()
    expect(lesson.exercise().locator(".check-list")).to_be_visible()
    lesson.page.get_by_role("link", name="中文").click()
    expect(lesson.exercise()).to_contain_text("再提交一次，就能看到中文说明。")
    expect(lesson.exercise()).not_to_contain_text("The gradient is right")


def test_the_task_its_checks_and_hints_can_be_read_without_scripts(
    task_stage: tuple[str, StagedRunner], first_visit: Callable[..., Page]
) -> None:
    page = first_visit(task_stage[0], f"/en/{PATH}", java_script_enabled=False)
    exercise = page.locator("#exercise-square-blank")
    expect(exercise).to_contain_text("The gradient is right")
    expect(exercise).to_contain_text("and 2 hidden checks")
    expect(exercise).to_contain_text("return ____ * grad_output")
    exercise.get_by_text("Hint 1 of 2").click()
    expect(exercise.get_by_text("What is the derivative of x²?")).to_be_visible()


def test_what_was_kept_by_a_stranger_breaks_nothing(open_tasks: Open) -> None:
    lesson, _ = open_tasks()
    kept = json.dumps({"standing": "tried", "attempts": [], "judged": None, "hints": 99})
    lesson.page.evaluate("([key, kept]) => localStorage.setItem(key, kept)", [f"gradroom/exercise/{PATH}/square-blank", kept])
    lesson.page.evaluate("key => localStorage.setItem(key, '[')", f"gradroom/exercise/{PATH}/square-test")
    lesson.page.reload()
    expect(lesson.exercise().locator(".hint")).to_have_count(2)
    expect(lesson.exercise("square-test").locator(".standing-mark")).to_have_text("not started")
