"""The server stores a learner's work: another visit finds it, two windows agree on it, and none is lost while the server is down."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from app.classroom.store.times import now_ms
from app.main import create_app
from app.settings import Settings
from tests.browser.conftest import require_assets
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner, grade
from tests.browser.task_course import PATH, make_catalogue
from tests.browser.task_page import TaskPage
from tests.browser.test_accessibility import violations
from tests.browser.test_exercises import HALF_RIGHT, PASSED
from tests.patience import wait_for

Visit = Callable[..., TaskPage]
DAY_MS = 24 * 60 * 60 * 1000
OFFERED = "A different text was saved from another window or device."
RECEIPT = re.compile(r"Received .+ · receipt [0-9A-Z]{4}(-[0-9A-Z]{4}){3}")


@pytest.fixture
def visit(task_stage: tuple[str, StagedRunner], first_visit: Callable[..., Page]) -> Visit:
    """Open the lesson in a browser that stores nothing yet but the cookie of a `learner`."""
    address, _ = task_stage

    def open_it(learner: TaskPage | None = None) -> TaskPage:
        return TaskPage(first_visit(address, f"/en/{PATH}", learner and learner.page))

    return open_it


def saved(lesson: TaskPage, cell: str) -> Locator:
    return lesson.cell(cell).get_by_text("Saved", exact=True)


def is_kept(lesson: TaskPage, prediction: str) -> bool:
    """Return whether the lesson's page says that an answer is stored."""
    return f'"predictions": {{"{prediction}": {{"due"' in lesson.page.request.get(lesson.page.url).text()


def map_of(lesson: TaskPage) -> Page:
    url = urlsplit(lesson.page.url)
    lesson.page.goto(f"{url.scheme}://{url.netloc}/en/map")
    return lesson.page


def test_who_comes_back_with_nothing_but_the_cookie_finds_everything(visit: Visit, task_stage: tuple[str, StagedRunner]) -> None:
    before = visit()
    page, (_, runner) = before.page, task_stage
    before.run("square")
    before.write("print('mine')", "use")
    prediction = before.prediction("nodes")
    prediction.get_by_label("Your number").fill("7")
    prediction.get_by_role("button", name="Predict and run").click()
    expect(prediction).to_contain_text("You said 7; the run says 5.")
    runner.plays.extend([grade(HALF_RIGHT), grade(PASSED)])
    exercise = before.exercise()
    exercise.get_by_role("button", name="Hint 1 of 2").click()
    for standing in ("tried", "passed"):
        before.submit()
        expect(exercise.locator(".standing-mark")).to_have_text(standing)
    expect(exercise.locator(".graded-receipt")).to_have_text(RECEIPT)
    receipt = exercise.locator(".graded-receipt button").inner_text()
    before.write("y = 42", "exercise_square-test")
    page.get_by_label("Say it in your own words").fill("Keep x, and use it.")
    for cell in ("use", "exercise_square-test"):
        expect(saved(before, cell)).to_be_visible()
    expect(page.locator(".rule").get_by_text("Saved", exact=True)).to_be_visible()
    assert violations(page) == []

    after = visit(before)
    page.close()
    assert after.text("use") == "print('mine')"
    assert after.text("exercise_square-test") == "y = 42"
    expect(after.page.get_by_label("Say it in your own words")).to_have_value("Keep x, and use it.")
    expect(after.prediction("nodes")).to_contain_text("You said 7; the run says 5.")
    exercise = after.exercise()
    expect(exercise.locator(".standing-mark")).to_have_text("passed")
    expect(exercise.locator(".hint")).to_have_count(1)
    exercise.get_by_text("Your attempts (2)").click()
    expect(exercise.locator(".own-attempts li").first).to_contain_text(receipt)
    assert violations(after.page) == []
    expect(map_of(after).locator(f'[data-lesson="{PATH}"]')).to_contain_text("4 of 11 done")


def test_a_page_on_which_nothing_is_written_says_nothing_and_sends_nothing(visit: Visit) -> None:
    lesson = visit()
    sent: list[str] = []
    lesson.page.on("request", lambda request: sent.append(request.url) if "/api/me" in request.url else None)
    lesson.page.reload()
    lesson.page.wait_for_load_state("networkidle")
    assert sent == []
    assert lesson.page.get_by_text("Saved", exact=True).count() == 0


def test_a_window_that_changed_nothing_shows_what_the_other_saved(visit: Visit) -> None:
    here = visit()
    there = visit(here)
    there.write("print('there')", "use")
    expect(saved(there, "use")).to_be_visible()
    here.page.reload()
    assert here.text("use") == "print('there')"
    here.write("print('here')", "use")
    expect(saved(here, "use")).to_be_visible()


@pytest.mark.parametrize(("choice", "kept"), [("Keep this one", "print('here')"), ("Show that version", "print('there')")])
def test_where_two_windows_changed_a_text_both_are_offered(visit: Visit, choice: str, kept: str) -> None:
    here = visit()
    there = visit(here)
    there.write("print('there')", "use")
    expect(saved(there, "use")).to_be_visible()
    here.write("print('here')", "use")
    expect(here.cell("use")).to_contain_text(OFFERED)
    assert here.text("use") == "print('here')"
    assert violations(here.page, within='[data-cell="use"]') == []
    here.page.reload()
    expect(here.cell("use")).to_contain_text(OFFERED)
    here.button(choice, "use").click()
    expect(here.cell("use")).not_to_contain_text(OFFERED)
    assert here.text("use") == kept
    if choice == "Keep this one":
        expect(saved(here, "use")).to_be_visible()
    there.page.reload()
    assert there.text("use") == kept


def test_what_is_written_while_the_server_is_away_is_kept_and_saved_when_it_is_back(
    tmp_path: Path, first_visit: Callable[..., Page]
) -> None:
    require_assets()
    runner = StagedRunner()
    with serving(create_app(Settings(state_folder=tmp_path), runner, make_catalogue())) as address:
        lesson = TaskPage(first_visit(address, f"/en/{PATH}"))
        lesson.write("print('before')", "use")
        expect(saved(lesson, "use")).to_be_visible()
    lesson.write("print('away')", "use")
    expect(lesson.cell("use")).to_contain_text("Kept in this browser. The server is out of reach.")
    expect(lesson.page.locator("#live")).to_contain_text("not saved on the server")
    with serving(create_app(Settings(state_folder=tmp_path), runner, make_catalogue()), int(urlsplit(address).port or 0)):
        expect(saved(lesson, "use")).to_be_visible()
        expect(lesson.cell("use")).not_to_contain_text("Kept in this browser")
        again = TaskPage(first_visit(address, f"/en/{PATH}", lesson.page))
        assert again.text("use") == "print('away')"


def test_who_sends_no_cookie_is_told_and_loses_nothing(visit: Visit) -> None:
    lesson = visit()
    lesson.page.context.clear_cookies()
    lesson.write("print('mine')", "use")
    expect(lesson.cell("use")).to_contain_text("Kept in this browser. Your browser sent no cookie from this site")
    assert violations(lesson.page, within='[data-cell="use"]') == []
    lesson.page.reload()
    assert lesson.text("use") == "print('mine')"


def test_a_submission_that_was_not_kept_is_sent_again_and_gets_its_receipt(visit: Visit, task_stage: tuple[str, StagedRunner]) -> None:
    lesson, (_, runner) = visit(), task_stage
    runner.plays.extend([grade(PASSED), grade(PASSED)])
    keys: list[str] = []

    def full(route: Route) -> None:
        """Answer the first submission with its verdict, but as if the disk had been full; pass the others on."""
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) > 1:
            return route.continue_()
        body = route.fetch().text()
        return route.fulfill(
            content_type="text/event-stream", body=re.sub(r'"receipt":\{[^}]*\},"not_kept":null', '"receipt":null,"not_kept":"full"', body)
        )

    lesson.page.route("**/submissions", full)
    exercise = lesson.exercise()
    lesson.submit()
    expect(exercise.locator(".graded-receipt")).to_contain_text("Graded, but not received: the server cannot keep anything at this moment.")
    expect(exercise.locator(".standing-mark")).to_have_text("passed")
    assert violations(lesson.page, within="#exercise-square-blank") == []
    lesson.page.reload()
    expect(exercise.locator(".graded-receipt")).to_have_text(RECEIPT)
    assert len(keys) == 2
    assert keys[0] == keys[1]


def test_a_wrong_prediction_is_asked_again_after_some_days(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = visit()
    prediction = lesson.prediction("nodes")
    prediction.get_by_label("Your number").fill("7")
    prediction.get_by_role("button", name="Predict and run").click()
    expect(prediction).to_contain_text("You said 7; the run says 5.")
    wait_for(lambda: is_kept(lesson, "nodes"))
    later = now_ms() + 30 * DAY_MS
    monkeypatch.setattr("app.web.pages.course.lesson.now_ms", lambda: later)
    lesson.page.reload()
    expect(prediction).to_contain_text("Some days ago this came out differently from your prediction.")
    assert violations(lesson.page, within="#prediction-nodes") == []
    prediction.get_by_label("Your number").fill("5")
    prediction.get_by_role("button", name="Predict and run").click()
    expect(prediction).to_contain_text("As you predicted.")
    expect(prediction).to_contain_text("Your first prediction: 7.")


def test_what_was_done_before_the_server_kept_anything_is_brought_over(visit: Visit) -> None:
    lesson = visit()
    entries = {
        f"gradroom/draft/{PATH}/use": {"starter": "another", "text": "print('old')", "undo": None},
        f"gradroom/rule/{PATH}/own": {"words": "Keep x.", "told": False},
        "gradroom/progress": {PATH: ["square", "of-an-earlier-lesson"]},
    }
    lesson.page.evaluate(
        "entries => { for (const [key, entry] of entries) localStorage.setItem(key, entry) }",
        [[key, json.dumps(entry)] for key, entry in entries.items()],
    )
    with lesson.page.expect_response(lambda response: response.url.endswith("/api/me/work") and response.status == 204):
        lesson.page.reload()
    after = visit(lesson)
    assert after.text("use") == "print('old')"
    expect(after.page.get_by_label("Say it in your own words")).to_have_value("Keep x.")
    expect(map_of(after).locator(f'[data-lesson="{PATH}"]')).to_contain_text("1 of 11 done")
