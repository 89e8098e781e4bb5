"""An exercise that continues another: it begins with the learner's own program, and nothing that was written is lost."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from app.main import create_app
from app.settings import Settings
from tests.browser.conftest import require_assets
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner, grade
from tests.browser.step_course import NEW, NEWER, PATH, SQUARE, make_catalogue
from tests.browser.task_page import TaskPage
from tests.browser.test_accessibility import violations
from tests.browser.test_exercises import HALF_RIGHT, PASSED

Visit = Callable[..., TaskPage]
STARTER = NEW.strip()
MINE = "def square(x):\n    return x * x\n"
JOINED = f"{MINE}\n\n{STARTER}"


@pytest.fixture(scope="module")
def step_stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, StagedRunner]]:
    require_assets()
    runner = StagedRunner()
    with serving(create_app(Settings(state_folder=tmp_path_factory.mktemp("state")), runner, make_catalogue())) as address:
        yield address, runner


@pytest.fixture
def visit(step_stage: tuple[str, StagedRunner], first_visit: Callable[..., Page]) -> Visit:
    """Open the lesson in a browser that stores nothing yet but the cookie of a `learner`."""
    address, runner = step_stage
    runner.reset()

    def open_it(learner: TaskPage | None = None, lang: str = "en") -> TaskPage:
        return TaskPage(first_visit(address, f"/{lang}/{PATH}", learner and learner.page))

    return open_it


def holds(lesson: TaskPage, name: str, text: str) -> None:
    """Wait until the editor contains exactly this text."""
    lines = lesson.cell(f"exercise_{name}").locator(".cm-line")
    expect(lines).to_have_text([line.strip() for line in text.split("\n")])
    assert lesson.text(f"exercise_{name}") == text


def press(lesson: TaskPage, name: str, button: str) -> None:
    lesson.exercise(name).get_by_role("button", name=button, exact=True).click()


def passes(lesson: TaskPage, runner: StagedRunner, name: str = "square-blank") -> None:
    runner.plays.append(grade(PASSED))
    lesson.submit(name)
    expect(lesson.exercise(name).locator(".exercise-head .standing-mark")).to_have_text("passed")


def before(lesson: TaskPage, name: str = "cube") -> Locator:
    return lesson.exercise(name).locator(".step-before")


def test_a_step_begins_with_the_program_that_passed_and_a_reset_can_be_undone(visit: Visit, step_stage: tuple[str, StagedRunner]) -> None:
    lesson, (_, runner) = visit(), step_stage
    expect(lesson.exercise("cube").get_by_role("heading")).to_have_text("Step 2 of 3: The cube power")
    expect(before(lesson)).to_contain_text("Your program from step 1 will be put before what is new here.")
    expect(before(lesson).get_by_role("button")).to_have_count(0)
    lesson.write(MINE, "exercise_square-blank")
    expect(before(lesson).get_by_role("button")).to_have_text("Use my program")
    assert lesson.text("exercise_cube") == STARTER
    passes(lesson, runner)
    holds(lesson, "cube", JOINED)
    expect(before(lesson)).to_contain_text("Your program from step 1 comes before what is new here.")
    assert lesson.text("exercise_fourth") == NEWER.strip()
    assert violations(lesson.page) == []
    press(lesson, "cube", "Reset")
    holds(lesson, "cube", STARTER)
    expect(before(lesson).get_by_role("button")).to_have_text("Use my program")
    press(lesson, "cube", "Undo reset")
    holds(lesson, "cube", JOINED)
    press(lesson, "cube", "Reset")
    lesson.page.reload()
    expect(before(lesson).get_by_role("button")).to_have_text("Use my program")
    assert lesson.text("exercise_cube") == STARTER, "what was reset is not taken over by itself"
    press(lesson, "cube", "Use my program")
    holds(lesson, "cube", JOINED)
    expect(lesson.code("cube")).to_be_focused()
    assert lesson.view("view.state.doc.lineAt(view.state.selection.main.head).text", "exercise_cube") == STARTER.split("\n")[0]
    lesson.page.keyboard.press("Control+z")
    holds(lesson, "cube", STARTER)


def test_what_was_written_is_never_written_over(visit: Visit, step_stage: tuple[str, StagedRunner]) -> None:
    lesson, (_, runner) = visit(), step_stage
    lesson.write(MINE, "exercise_square-blank")
    lesson.write("mine = 2\n", "exercise_cube")
    expect(before(lesson).get_by_role("button")).to_have_count(0)
    passes(lesson, runner)
    lesson.page.reload()
    expect(lesson.exercise().locator(".exercise-head .standing-mark")).to_have_text("passed")
    holds(lesson, "cube", "mine = 2\n")
    assert runner.plays == []


def test_another_computer_begins_with_what_passed_on_the_first(visit: Visit, step_stage: tuple[str, StagedRunner]) -> None:
    first, (_, runner) = visit(), step_stage
    first.write(MINE, "exercise_square-blank")
    saved = first.cell("exercise_square-blank").get_by_text("Saved", exact=True)
    expect(saved).to_be_visible()
    passes(first, runner)
    expect(saved).to_be_visible()
    expect(first.cell("exercise_cube").get_by_text("Saved", exact=True)).to_be_visible()
    second = visit(first)
    holds(second, "cube", JOINED)
    expect(second.page.locator(".step-list li")).to_have_text(
        ["The derivative of a square passed", "The cube power not started", "The fourth power not started"]
    )
    second.write(f"{JOINED}done = True\n", "exercise_cube")
    passes(second, runner, "cube")
    holds(second, "fourth", f"{JOINED}done = True\n\n\n{NEWER.strip()}")
    assert runner.orders[-1].program.source.text == f"{JOINED}done = True\n"


def test_two_windows_take_over_the_same(visit: Visit, step_stage: tuple[str, StagedRunner]) -> None:
    here, (_, runner) = visit(), step_stage
    there = TaskPage(here.page.context.new_page())
    there.page.goto(here.page.url)
    here.write(MINE, "exercise_square-blank")
    passes(here, runner)
    holds(here, "cube", JOINED)
    holds(there, "cube", JOINED)
    for lesson in here, there:
        expect(lesson.cell("exercise_cube").locator(".cell-note")).to_have_count(0)


def test_another_window_shows_what_was_reached(visit: Visit, step_stage: tuple[str, StagedRunner]) -> None:
    here, (_, runner) = visit(), step_stage
    there = TaskPage(here.page.context.new_page())
    there.page.goto(here.page.url)
    there.write("mine = 1\n", "exercise_square-blank")
    here.write(MINE, "exercise_square-blank")
    passes(here, runner)
    expect(there.page.locator(".step-list li").first).to_have_text("The derivative of a square passed")
    expect(there.verdict()).to_contain_text("Passed")
    for lesson in here, there:
        holds(lesson, "cube", JOINED)
        expect(lesson.cell("exercise_cube").locator(".cell-note")).to_have_count(0)


def test_the_solution_of_a_step_that_was_given_up_can_be_taken_over(visit: Visit, step_stage: tuple[str, StagedRunner]) -> None:
    lesson, (_, runner) = visit(), step_stage
    runner.plays.append(grade(HALF_RIGHT))
    lesson.write("x = 1\n", "exercise_square-blank")
    lesson.submit()
    press(lesson, "square-blank", "Show the solution")
    press(lesson, "square-blank", "Show it")
    expect(lesson.exercise().locator(".exercise-solution")).to_be_visible()
    lesson.page.reload()
    expect(before(lesson).get_by_role("button")).to_have_text(["Use my program", "Use the solution"])
    press(lesson, "cube", "Use the solution")
    holds(lesson, "cube", f"{SQUARE}\n\n{STARTER}")
    assert violations(lesson.page) == []


def test_steps_are_said_in_chinese(visit: Visit) -> None:
    lesson = visit(lang="zh-Hans")
    expect(lesson.exercise("cube").get_by_role("heading")).to_have_text("第 2 步（共 3 步）：cube 次方")
    expect(before(lesson)).to_contain_text("接着第 1 步 平方的导数 你第 1 步的程序会放到这一步的新内容之前。")
