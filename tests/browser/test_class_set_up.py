"""An instructor's way: makes a class, opens its lessons, shows its code, reads a roster, and gives points."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.classroom.classes.class_lessons import list_lessons
from app.classroom.classes.members import join
from app.classroom.classes.school_classes import find_class
from app.classroom.people import people
from app.classroom.people.passwords import HASHER
from app.classroom.people.roles import Role
from app.classroom.store.times import format_time, now_ms
from app.classroom.work.attempts import save_attempt
from app.main import create_app
from app.settings import Settings
from app.web.pages.teaching.my_classes import make_with_lessons
from app.web.services import Services
from tests.browser.axe import violations
from tests.browser.conftest import require_assets
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner
from tests.browser.task_course import PATH, make_catalogue
from tests.classroom.sample_attempts import LIMIT, new_attempt

PASSWORD = "correct horse battery"


@dataclass(frozen=True)
class School:
    """A server with an instructor of the name Tess, whose person has the id 1."""

    address: str
    services: Services

    def do(self, change: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Make a change in the database. In this thread, Playwright's event loop runs."""
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: self.services.database.enqueue(change, *args, **kwargs).result()).result()

    def join(self, learner: str, name: str) -> None:
        code = self.do(find_class, 1, 1).code
        self.do(join, learner, code, name, None, False, now_ms() - 1000)


@pytest.fixture
def school(tmp_path: Path) -> Iterator[School]:
    require_assets()
    app = create_app(Settings(state_folder=tmp_path / "state"), StagedRunner(), make_catalogue())
    school = School("", app.state.services)
    teacher = school.do(people.make_person, "Tess", Role.INSTRUCTOR, now_ms())
    school.do(people.set_password, teacher.id, HASHER.hash(PASSWORD))
    with serving(app) as address:
        yield School(address, app.state.services)


def open_signed_in(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(f"{address}/en/sign-in")
    page.get_by_label("Name").fill("Tess")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("link", name="The classes that you teach").click()
    return page


def test_from_an_empty_list_to_given_points(school: School, new_context: Callable[..., BrowserContext], tmp_path: Path) -> None:
    page = open_signed_in(new_context(timezone_id="Asia/Shanghai"), school.address)
    expect(page.get_by_text("Show its code.")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Monday <b>")
    page.get_by_role("button", name="Make the class").click()

    expect(page.get_by_role("status").filter(has_text="The class is made.")).to_be_visible()
    page.get_by_role("group").locator("summary").first.click()
    page.locator("input[name=add]").first.check()
    page.get_by_role("button", name="Add the ticked lessons").click()
    page.locator("select[name=state]").select_option("later")
    page.locator("input[name=opens]").fill("2096-03-02T06:30")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    expect(page.locator("input[name=opens]")).to_have_value("2096-03-02T06:30")
    (lesson,) = school.do(list_lessons, 1)
    assert (lesson.lesson, format_time(lesson.opens_ms)) == (PATH, "2096-03-01T22:30:00.000Z")
    assert violations(page) == []
    page.locator("select[name=state]").select_option("open")
    page.get_by_role("button", name="Save").click()

    page.get_by_role("link", name="Code").click()
    expect(page.locator("[data-joined]")).to_have_text("0")
    school.join("ada", "=Ada")
    expect(page.locator("[data-joined]")).to_have_text("1")  # by itself
    assert violations(page) == []

    exercise = school.services.catalogue.course.lessons[0].exercises[0]
    for passed in (True, False):
        attempt = new_attempt(lesson=PATH, exercise=exercise.id, passed=passed, at_ms=now_ms())
        school.do(save_attempt, "ada", attempt, limit_bytes=LIMIT)
    page.get_by_role("link", name="People").click()
    roster = tmp_path / "roster.csv"
    roster.write_bytes("姓名,学号\n王小明,0012\n".encode("gb18030"))
    page.get_by_label("From a file").set_input_files(roster)
    expect(page.locator("textarea")).to_have_value("姓名,学号\n王小明,0012\n")
    page.get_by_role("button", name="Check the list").click()
    page.get_by_role("button", name="Add these people").click()
    expect(page.get_by_role("row", name="王小明")).to_contain_text("0012")
    assert violations(page) == []

    page.get_by_role("link", name="Points", exact=True).click()
    assert violations(page) == []
    page.get_by_role("row", name="=Ada").get_by_role("link", name="1", exact=True).click()
    expect(page.locator(".points-judged li")).to_have_count(2)
    expect(page.locator(".points-judged .chosen")).to_contain_text("passed")
    page.get_by_label("Give other points").fill("0,5")
    page.get_by_label("Reason").fill("helped")
    page.keyboard.press("Enter")
    expect(page.get_by_text("These points count now.")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name="Points", exact=True).click()
    expect(page.get_by_role("row", name="=Ada").get_by_title("given by a teacher")).to_have_text("0.5*")


def test_lessons_are_moved_by_keyboard_without_loading_the_page(school: School, new_context: Callable[..., BrowserContext]) -> None:
    school.do(make_with_lessons, 1, "Monday", [PATH, "no/longer", "no/more"], now_ms())
    page = open_signed_in(new_context(), school.address)
    page.goto(f"{school.address}/en/teach/1/lessons")
    page.evaluate("window.same = true")
    button = page.locator(f'button[value="down:{PATH}"]')
    with page.expect_response("**/teach/1/lessons"):
        button.press("Enter")
    expect(button).to_be_focused()
    expect(page.locator("#live")).to_have_text("Place 2 of 3")
    assert page.evaluate("window.same")
    assert [one.lesson for one in school.do(list_lessons, 1)] == ["no/longer", PATH, "no/more"]
    page.route("**/teach/1/lessons", lambda route: route.abort())
    button.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("The new order was not saved. Press “Save” to try again.")
    expect(page.locator(f'button[value="up:{PATH}"]')).to_be_focused()
