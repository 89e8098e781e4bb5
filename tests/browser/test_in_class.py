"""A learner's way in a class: joined on one device, resumed on another, a hand raised and lowered, a computer handed on, and out again."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastapi import FastAPI
from playwright.sync_api import BrowserContext, Page, expect
from sqlalchemy import select

from app.classroom.classes import class_lessons, hands, school_classes
from app.classroom.classes.class_lessons import ClassLesson
from app.classroom.people import people
from app.classroom.people.roles import Role
from app.classroom.store.schema.class_tables import MemberRow
from app.classroom.store.times import DAY_MS, now_ms
from app.main import create_app
from app.settings import Settings
from app.web.services import Services
from tests.browser.axe import violations, violations_in_the_other_theme
from tests.browser.conftest import require_assets, resize
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner
from tests.browser.task_course import PATH, make_catalogue

NAME = "A class with a rather long name, فيزياء"
EXERCISE = "section.exercise"
STORE_DRAFT = "localStorage.setItem('gradroom/draft/x', 'of the reader before')"
AWAIT_CLEARED = "async () => { while (localStorage.getItem('gradroom/draft/x')) await new Promise(requestAnimationFrame); }"


@dataclass
class Room:
    """A served app with a class."""

    address: str
    app: FastAPI
    teacher: int
    class_id: int
    code: str

    @property
    def services(self) -> Services:
        services: Services = self.app.state.services
        return services

    def come(self, helper: str) -> None:
        """Let a teacher say that they are coming to the only member."""
        database = self.services.database
        (member_id,) = database.enqueue(lambda db: db.execute(select(MemberRow.id)).scalars().all()).result()
        database.enqueue(hands.mark_coming, self.teacher, self.class_id, member_id, helper, now_ms()).result()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    require_assets()
    app = create_app(Settings(state_folder=tmp_path / "state"), StagedRunner(), make_catalogue())
    database = app.state.services.database
    with serving(app) as address:
        teacher = database.enqueue(people.make_person, "Emmy", Role.INSTRUCTOR, now_ms()).result().id
        class_id = database.enqueue(school_classes.make_class, teacher, NAME, now_ms()).result()
        lessons = [ClassLesson(lesson=PATH, opens_ms=0)]
        database.enqueue(class_lessons.set_lessons, teacher, class_id, lessons).result()
        code = database.enqueue(school_classes.find_class, teacher, class_id).result().code
        yield Room(address, app, teacher, class_id, code)


def join(page: Page, room: Room) -> str:
    """Join by typing the code, and return the resume code."""
    page.goto(f"{room.address}/en/join")
    page.get_by_label("Code of the class").fill(f"{room.code[:4]} {room.code[4:]}".lower())
    page.keyboard.press("Enter")
    page.get_by_label("Your name in the class").fill("Ana")
    page.get_by_role("button", name="Join", exact=True).click()
    expect(page.get_by_role("heading", name="You are in")).to_be_visible()
    return page.locator("#code").inner_text()


def test_from_the_code_on_the_projector_to_the_way_out(room: Room, new_context: Callable[..., BrowserContext]) -> None:
    first = new_context()
    page = first.new_page()
    code = join(page, room)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert code in download.value.path().read_text()

    other = new_context().new_page()
    other.goto(f"{room.address}/en/resume")
    other.evaluate(STORE_DRAFT)
    for typed, answered in (("0" * 16, other.get_by_role("alert")), (code, other.get_by_text("Your name here: Ana"))):
        assert other.evaluate("localStorage.getItem('gradroom/draft/x')")  # a wrong code clears nothing
        other.get_by_label("Resume code").fill(typed)
        other.keyboard.press("Enter")
        expect(answered).to_be_visible()
    other.evaluate(AWAIT_CLEARED)
    expect(other.get_by_role("link", name=NAME)).to_be_visible()  # in the header
    other.evaluate(f"localStorage.setItem('gradroom/left', 'resuming'); {STORE_DRAFT}")  # as if the page had been left before
    other.goto(f"{room.address}/en/{PATH}")
    expect(other.get_by_text("This browser goes on where you were.")).to_be_visible()
    other.evaluate(AWAIT_CLEARED)
    other.goto(f"{room.address}/en/{PATH}")

    page.goto(f"{room.address}/en/{PATH}")
    control = page.locator(EXERCISE).first.locator("ask-for-help")
    control.get_by_role("button", name="Ask for help").click()
    expect(control.get_by_role("checkbox")).not_to_be_checked()
    control.get_by_role("button", name="Raise my hand").click()
    expect(control.get_by_text("Your hand is raised.")).to_be_visible()
    tab = first.new_page()
    with page.expect_event("requestfailed", lambda request: "class-events" in request.url):  # one stream for both tabs
        tab.goto(f"{room.address}/en/{PATH}")
    room.come("Noether")
    for one in (page, tab, other):
        expect(one.locator(EXERCISE).first.get_by_text("Noether\u2069 is coming.")).to_be_visible()
    other.locator(EXERCISE).first.get_by_role("button", name="Lower my hand").click()
    expect(control.get_by_role("button", name="Ask for help")).to_be_visible()

    page.evaluate(STORE_DRAFT)
    page.goto(f"{room.address}/en/class/{room.class_id}")
    page.get_by_role("button", name="Hand this computer on").click()
    page.get_by_role("button", name="I have the code").click()
    expect(page.get_by_role("heading", name="This computer is ready")).to_be_visible()
    page.evaluate(AWAIT_CLEARED)
    expect(page.get_by_role("link", name=NAME)).to_have_count(0)

    other.goto(f"{room.address}/en/class/{room.class_id}")
    other.get_by_text("Leave…").click()
    other.get_by_role("button", name="Leave the class").click()
    expect(other.get_by_role("heading", name="My work")).to_be_visible()
    expect(other.get_by_role("link", name=NAME)).to_have_count(0)


def test_joining_and_leaving_work_without_scripts(room: Room, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(java_script_enabled=False).new_page()
    join(page, room)
    page.get_by_role("link", name="To the lessons of the class").click()
    page.get_by_text("Leave…").click()
    page.get_by_role("button", name="Leave the class").click()
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    expect(page.get_by_role("link", name=NAME)).to_have_count(0)


def test_the_pages_of_a_class_are_accessible_and_fit_a_phone(room: Room, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(color_scheme="light", width=360, height=740).new_page()

    def look(path: str = "") -> None:
        if path:
            page.goto(f"{room.address}{path}")
        assert violations(page) == [], path
        assert violations_in_the_other_theme(page, "dark") == [], path
        page.emulate_media(color_scheme="light")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path

    look(f"/zh-Hans/join/{room.code}")
    join(page, room)
    look()
    for path in (f"/en/class/{room.class_id}", "/zh-Hans/resume", "/en/join?code=x", "/en/map", "/en/"):
        look(path)
    page.goto(f"{room.address}/en/{PATH}")
    control = page.locator(EXERCISE).first.locator("ask-for-help")
    control.get_by_role("button", name="Ask for help").click()
    look()
    control.get_by_role("button", name="Raise my hand").click()
    room.come("Noether")
    expect(control.get_by_text("is coming")).to_be_visible()
    look()
    later = [ClassLesson(lesson=PATH, opens_ms=now_ms() + DAY_MS)]
    room.services.database.enqueue(class_lessons.set_lessons, room.teacher, room.class_id, later).result()
    look(f"/en/{PATH}")
    expect(page.get_by_text("has not opened this lesson yet")).to_be_visible()


def test_the_name_of_a_class_finds_room_in_the_header(room: Room, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    join(page, room)
    for path in (f"/en/{PATH}", f"/zh-Hans/class/{room.class_id}"):
        page.goto(f"{room.address}{path}")
        for width in (570, 700, 820, 1040, 1400):
            resize(page, width, 740)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
