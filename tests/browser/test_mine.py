"""A learner's stored work on its page, on the map and in histories: exported, imported, handed over, deleted, and looked at."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from sqlalchemy import Connection, create_engine

from app.classroom.work.learners import update_learner
from app.classroom.work.predictions import record_prediction
from app.classroom.work.standings import update_standing
from app.lessons.model.model import Lesson
from app.main import create_app
from app.settings import Settings
from app.web.guards.sessions import Sessions, load_secret
from app.web.storing.stored_predictions import hash_question
from tests.browser.conftest import require_assets
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner, grade
from tests.browser.task_course import PATH, SQUARE, make_catalogue
from tests.browser.task_page import TaskPage
from tests.browser.test_accessibility import violations
from tests.browser.test_exercises import MISTAKEN, PASSED

CELL = "exercise_square-blank"
SECRET = "nobody_else_wrote_this = 1"
LONG_AGO_MS = 1_700_000_000_000
OF_A_NEWCOMER = {f"gradroom/{name}" for name in ("left", "last-lesson", "untold")}  # the other tab stays at its lesson


@dataclass(frozen=True)
class Room:
    """The app with a staged runner, and where it keeps what learners did."""

    address: str
    settings: Settings
    runner: StagedRunner

    def holds(self, text: str) -> bool:
        """Return whether any file of the store contains the text."""
        return any(text.encode() in file.read_bytes() for file in self.settings.state_folder.glob("classroom.sqlite3*"))

    def predict_wrongly(self, context: BrowserContext, *names: str) -> None:
        """Store wrong answers to these predictions, given long ago."""
        with self.stored_work(context) as (connection, learner, lesson):
            for name in names:
                prediction = lesson.prediction(name)
                assert prediction
                about = hash_question(lesson, prediction)
                told: dict[str, Any] = {"learner": learner, "lesson": PATH, "prediction": name, "about": about, "answer": '"1"'}
                record_prediction(connection, **told, right=False, now_ms=LONG_AGO_MS)

    def pass_all(self, context: BrowserContext) -> None:
        """Store that the learner has passed all exercises."""
        with self.stored_work(context) as (connection, learner, lesson):
            learner_id = update_learner(connection, learner, LONG_AGO_MS, lesson=PATH)
            own: dict[str, Any] = {"learner_id": learner_id, "lesson": PATH, "passed": True, "now_ms": LONG_AGO_MS}
            for exercise in lesson.exercises:
                update_standing(connection, **own, exercise=exercise.id)

    @contextmanager
    def stored_work(self, context: BrowserContext) -> Iterator[tuple[Connection, str, Lesson]]:
        (cookie,) = (one["value"] for one in context.cookies() if one["name"] == "learner")
        learner = Sessions(load_secret(self.settings)).read(cookie)
        lesson = make_catalogue().lesson(PATH)
        assert learner and lesson
        engine = create_engine(f"sqlite:///{self.settings.state_folder}/classroom.sqlite3")
        with engine.begin() as connection:
            yield connection, learner, lesson
        engine.dispose()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    require_assets()
    settings = Settings(state_folder=tmp_path_factory.mktemp("state"))
    runner = StagedRunner()
    with serving(create_app(settings, runner, make_catalogue())) as address:
        yield Room(address, settings, runner)


@pytest.fixture
def visit(room: Room, first_visit: Callable[..., Page]) -> Callable[..., Page]:
    """Open a page on a new device, or on the given one."""
    room.runner.reset()

    def open_it(path: str, context: BrowserContext | None = None, **options: Any) -> Page:
        if context is None:
            return first_visit(room.address, path, **options)
        page = context.new_page()
        page.goto(room.address + path)
        return page

    return open_it


def write_kept(page: Page, source: str) -> TaskPage:
    """Write the exercise's code, and wait until the server has stored it."""
    lesson = TaskPage(page)
    with page.expect_response(lambda response: f"/api/me/drafts/{PATH}/{CELL}" in response.url and response.ok):
        lesson.write(source, CELL)
    return lesson


def submit(room: Room, lesson: TaskPage, source: str, verdict: Any, words: str) -> None:
    room.runner.plays.append(grade(verdict))
    lesson.write(source, CELL)
    lesson.submit()
    expect(lesson.verdict()).to_contain_text(words)
    expect(lesson.verdict()).not_to_contain_text("edited since")


def run_kept(page: Page, name: str = "square") -> None:
    with page.expect_response(lambda response: "/api/me/work" in response.url and response.ok):
        TaskPage(page).run(name)


def kept_keys(page: Page) -> set[str]:
    return set(page.evaluate("Object.keys(localStorage)"))


def standing(page: Page) -> Locator:
    return page.locator("mine-attempts .standing-mark")


def test_work_is_taken_away_and_brought_to_another_device(room: Room, visit: Callable[..., Page], tmp_path: Path) -> None:
    here = visit(f"/en/{PATH}")
    run_kept(here)
    submit(room, TaskPage(here), SQUARE + "# of here\n", MISTAKEN, "Not yet")
    here.goto(f"{room.address}/en/mine")
    expect(here.locator("mine-holdings")).to_contain_text("Submissions with a receipt")
    with here.expect_download() as download:
        here.get_by_role("button", name="Download my work").click()
    zipped = tmp_path / download.value.suggested_filename
    download.value.save_as(zipped)
    assert re.fullmatch(r"gradroom-[\d-]{10}\.zip", zipped.name)
    here.locator("mine-attempts summary").filter(visible=True).click()
    receipt = here.locator("mine-attempts td code").inner_text()

    there = visit("/en/mine")
    expect(there.locator("mine-holdings")).to_have_text("Nothing of yours is kept.")
    expect(there.get_by_text("Nothing yet")).to_be_visible()
    expect(there.get_by_role("link", name="Begin: A square of your own")).to_be_visible()
    there.locator("input[type=file]").set_input_files({"name": "notes.zip", "mimeType": "application/zip", "buffer": b"no zip"})
    expect(there.locator("mine-moving .failure-words")).to_contain_text("This file is not a zip.")
    there.locator("input[type=file]").set_input_files(zipped)
    expect(there.locator(".mine-brought")).to_contain_text("Your work is here.")
    expect(standing(there).filter(visible=True)).to_have_text("tried")
    expect(there.get_by_role("region", name="Where to go on").get_by_role("listitem")).to_have_count(1)
    there.locator("mine-attempts summary").filter(visible=True).click()
    expect(there.locator("mine-attempts td code")).to_have_text(receipt)
    there.locator("input[type=file]").set_input_files(zipped)
    expect(there.locator(".mine-brought")).to_contain_text("Everything in this zip was here already.")
    there.goto(f"{room.address}/en/{PATH}")
    assert TaskPage(there).text(CELL) == SQUARE + "# of here\n"


def test_a_finished_lesson_and_a_rule_in_ones_own_words_open_my_work(room: Room, visit: Callable[..., Page]) -> None:
    page = visit(f"/en/{PATH}")
    page.get_by_label("Say it in your own words").fill("Save what backward needs.")
    with page.expect_response(lambda response: f"/api/me/drafts/{PATH}/_rule" in response.url and response.ok):
        page.get_by_role("button", name="Compare").click()
    page.goto(f"{room.address}/en/mine")
    expect(page.get_by_role("region", name="Rules you have met").get_by_role("listitem")).to_contain_text("Save the input")
    expect(page.get_by_role("region", name="What you can do now")).to_contain_text("No lesson is finished yet.")
    room.pass_all(page.context)
    page.reload()
    able = page.get_by_role("region", name="What you can do now")
    expect(able).to_contain_text("Finished lessons: 1 of 1.")
    able.locator("summary").click()
    expect(able.get_by_role("link", name="A square of your own")).to_have_count(2)
    expect(page.get_by_role("region", name="Where to go on")).to_contain_text("Every lesson is finished.")


def test_what_the_server_had_missed_is_shown_once_it_has_it(room: Room, visit: Callable[..., Page]) -> None:
    page = visit(f"/en/{PATH}")
    page.route("**/api/me/work", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "/api/me/work" in request.url):
        TaskPage(page).run("square")
    page.unroute("**/api/me/work")
    page.goto(f"{room.address}/en/mine")
    expect(page.get_by_role("link", name="Go on: A square of your own")).to_be_visible()


@pytest.mark.parametrize("way", ["delete", "leave"])
def test_nothing_is_left_for_whoever_comes_next(room: Room, visit: Callable[..., Page], way: str) -> None:
    secret = f"{SECRET}  # {way}"
    tab = visit(f"/en/{PATH}")
    starter = TaskPage(tab).text(CELL)
    write_kept(tab, secret)
    run_kept(tab)
    assert room.holds(secret)
    (before,) = (one["value"] for one in tab.context.cookies() if one["name"] == "learner")
    page = visit("/en/mine", tab.context)
    page.get_by_role("button", name="Delete…" if way == "delete" else "Hand it over…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Download my work first")).to_be_enabled()
    assert violations(page, within="dialog[open]") == []
    go = dialog.get_by_role("button", name="Delete everything" if way == "delete" else "Forget me on this computer")
    if way == "delete":
        expect(go).to_be_disabled()
        dialog.get_by_label("Yes, delete all of it.").check()
    with tab.expect_navigation():
        go.click()
    expect(page.locator(".done")).to_contain_text("Everything is deleted." if way == "delete" else "This browser has forgotten you.")
    expect(page.locator("mine-holdings")).to_have_text("Nothing of yours is kept.")
    expect(page.locator("mine-browser dd")).to_have_text(["0", "0"])
    assert kept_keys(page) <= OF_A_NEWCOMER
    assert TaskPage(tab).text(CELL) == starter
    assert secret not in str(tab.evaluate("JSON.stringify(localStorage)"))
    assert [one["value"] for one in page.context.cookies() if one["name"] == "learner"] != [before]
    assert room.holds(secret) == (way == "leave")


def test_a_page_that_is_closed_while_it_hands_over_is_finished_by_the_next(
    visit: Callable[..., Page], new_context: Callable[..., BrowserContext], room: Room
) -> None:
    """Otherwise the browser would send what it stores as the work of the learner with the new cookie."""
    page = visit(f"/en/{PATH}", new_context())
    write_kept(page, SECRET)
    (before,) = (one["value"] for one in page.context.cookies() if one["name"] == "learner")
    page.goto(f"{room.address}/en/mine")
    page.route("**/api/me/leave", lambda route: None)  # it is never answered
    page.get_by_role("button", name="Hand it over…").click()
    with page.expect_request("**/api/me/leave"):
        page.get_by_role("button", name="Forget me on this computer").click()
    next_page = visit(f"/en/{PATH}", page.context)
    page.close(run_before_unload=True)  # else Playwright waits for the end of the page, and now and then for ever, as it has a request open
    expect(next_page.locator(".done")).to_contain_text("This browser has forgotten you.")
    assert next_page.evaluate("JSON.stringify(localStorage)").count(SECRET) == 0
    assert [one["value"] for one in next_page.context.cookies() if one["name"] == "learner"] != [before]
    next_page.goto(f"{room.address}/en/{PATH}")
    assert SECRET not in TaskPage(next_page).text(CELL)


def test_a_server_that_is_away_is_told_and_nothing_is_cleared(room: Room, visit: Callable[..., Page]) -> None:
    page = visit(f"/en/{PATH}")
    write_kept(page, SECRET)
    page.goto(f"{room.address}/en/mine")
    page.route("**/api/me", lambda route: route.abort())
    page.get_by_role("button", name="Delete…").click()
    page.get_by_label("Yes, delete all of it.").check()
    page.get_by_role("dialog").get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("dialog").locator(".failure-words")).to_contain_text("The server is out of reach.")
    page.goto(f"{room.address}/en/{PATH}")
    assert TaskPage(page).text(CELL) == SECRET


def test_an_earlier_submission_is_compared_and_brought_back(room: Room, visit: Callable[..., Page]) -> None:
    page = visit(f"/en/{PATH}")
    lesson = TaskPage(page)
    wrong, right = SQUARE.replace("2 * x *", "2 *"), SQUARE + "# now right\n"
    submit(room, lesson, wrong, MISTAKEN, "Not yet")
    submit(room, lesson, right, PASSED, "Passed")
    lesson.button("History", CELL).click()
    dialog = page.get_by_role("dialog", name="History of square_blank.py")
    expect(dialog.locator("label", has_text="submitted")).to_have_count(2)
    dialog.locator("label", has_text="checks pass").click()
    expect(dialog).to_contain_text("SECRET-MISTAKE")
    expect(dialog).to_contain_text("Receipt")
    expect(dialog.locator("ins")).to_contain_text("return 2 * grad_output")
    assert violations(page, within="dialog[open]") == []
    dialog.get_by_role("button", name="Restore this version").click()
    assert lesson.text(CELL) == wrong
    expect(lesson.code()).to_be_focused()
    expect(lesson.exercise().locator(".standing-mark")).to_have_text("passed")
    lesson.button("Undo restoring", CELL).click()
    assert lesson.text(CELL) == right


def test_a_history_without_the_server_has_what_the_browser_has(room: Room, visit: Callable[..., Page]) -> None:
    page = visit(f"/en/{PATH}")
    lesson = TaskPage(page)
    starter = lesson.text(CELL)
    write_kept(page, "x = 2")
    lesson.button("Reset", CELL).click()
    page.route("**/api/me/**", lambda route: route.abort())
    lesson.button("History", CELL).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The server is out of reach.")
    expect(dialog.locator("label")).to_have_text(["before it was reset or replaced", "as the lesson gives it"])
    dialog.get_by_role("button", name="Restore this version").click()
    assert lesson.text(CELL) == "x = 2"
    lesson.button("Undo restoring", CELL).click()
    assert lesson.text(CELL) == starter


def test_map_and_home_show_what_the_server_knows_where_the_browser_knows_nothing(room: Room, visit: Callable[..., Page]) -> None:
    page = visit(f"/en/{PATH}")
    run_kept(page)
    page.goto(f"{room.address}/healthz")
    page.evaluate("localStorage.clear()")
    page.goto(f"{room.address}/en/map")
    expect(page.locator(f'[data-lesson="{PATH}"]')).to_contain_text("1 of 11 done")
    page.goto(f"{room.address}/en/")
    expect(page.get_by_role("link", name="Go on: A square of your own")).to_be_visible()
    page.goto(f"{room.address}/zh-Hans/mine")
    expect(page.locator(f'[data-lesson="{PATH}"]')).to_contain_text("已完成 1/11")


def test_a_pass_with_help_is_told_in_words(room: Room, visit: Callable[..., Page]) -> None:
    page = visit(f"/en/{PATH}")
    lesson = TaskPage(page)
    submit(room, lesson, SQUARE + "# a try\n", MISTAKEN, "Not yet")
    lesson.exercise().get_by_role("button", name="Show the solution").click()
    lesson.exercise().get_by_role("button", name="Show it").click()
    expect(lesson.exercise().locator(".exercise-solution")).to_be_visible()
    submit(room, lesson, SQUARE + "# with help\n", PASSED, "Passed")
    page.goto(f"{room.address}/en/map")
    expect(page.locator(".helped-words")).to_have_text("one exercise passed after seeing the solution")
    page.goto(f"{room.address}/en/mine")
    expect(standing(page).filter(visible=True)).to_have_text("passed after seeing the solution")


def test_questions_come_back_on_the_home_page_until_they_are_switched_off(room: Room, visit: Callable[..., Page]) -> None:
    page = visit("/en/")
    expect(page.locator("#reviews")).to_have_count(0)
    room.predict_wrongly(page.context, "value", "shape", "verdict", "line")
    page.reload()
    expect(page.locator("#reviews li")).to_have_count(3)
    expect(page.locator("#reviews li").first).to_be_hidden()
    page.locator("#reviews summary").first.click()
    expect(page.locator("#reviews li").first).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Turn these off").click()
    expect(page.locator("#reviews")).to_contain_text("These questions are off now.")
    expect(page.locator("#reviews li")).to_have_count(3)
    expect(page.locator("#reviews li").first).to_be_hidden()
    page.get_by_role("link", name="My work").filter(visible=True).last.click()
    with page.expect_response("**/api/me/reviews"):
        page.get_by_label("Show them on the home page").click()
    page.goto(f"{room.address}/en/")
    expect(page.locator("#reviews li")).to_have_count(3)


@pytest.mark.parametrize(("lang", "theme", "width"), [("en", "light", 1440), ("zh-Hans", "dark", 360)])
def test_axe_finds_nothing_to_object_to(room: Room, visit: Callable[..., Page], lang: str, theme: str, width: int) -> None:
    page = visit(f"/{lang}/{PATH}", width=width, color_scheme=theme)
    write_kept(page, SECRET)
    room.predict_wrongly(page.context, "value")
    room.pass_all(page.context)
    page.goto(f"{room.address}/{lang}/mine")
    expect(page.locator("mine-holdings dl")).to_be_visible()
    page.locator(".achieved-in summary").click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_javascript_the_page_says_what_needs_it(visit: Callable[..., Page]) -> None:
    page = visit("/en/mine", java_script_enabled=False)
    assert "The figures and most buttons of this page need JavaScript." in page.content()
    expect(page.locator("mine-forgetting")).to_have_text("Handing over this computer and deleting everything need JavaScript.")
    expect(page.get_by_role("link", name="Download my work")).to_have_attribute("href", "/api/me/export")
