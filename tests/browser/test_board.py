"""A teacher's way at the board: somebody stuck is seen and helped, rows move only when asked, and a lost connection is found again."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from playwright.sync_api import BrowserContext, Page, expect
from sqlalchemy import Connection, select

from app.classroom.classes.class_lessons import ClassLesson, set_lessons
from app.classroom.classes.class_notices import announce
from app.classroom.people import people, person_sessions
from app.classroom.people.roles import Role
from app.classroom.store.schema.tables import PersonRow
from app.classroom.store.times import now_ms
from app.main import create_app
from app.settings import Settings
from app.web.guards.person_cookies import PERSON_COOKIE
from app.web.services import Services
from tests.browser.axe import violations
from tests.browser.conftest import require_assets
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner
from tests.browser.task_course import PATH, make_catalogue
from tests.classroom.classes.planted_class import plant_attempt, plant_class, plant_member

PLACE = (PATH, "square-blank")
NAMES = ("<i>Ana</i> Ferreira", "Bo\u202e Chen", "Cy")


@dataclass
class BoardRoom:
    """A served app with a class: two of three members fail at the same check, four and two times. `cookie` is the teacher's."""

    address: str
    app: FastAPI
    class_id: int
    cookie: str

    def change(self, make: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Change something of the class and notify its boards."""
        services: Services = self.app.state.services

        def make_change(connection: Connection) -> Any:
            made = make(connection, *args, **kwargs)
            announce(connection, self.class_id)
            return made

        made = services.database.enqueue(make_change).result()
        services.notices.look_soon()
        return made

    def end_streams(self) -> None:
        services: Services = self.app.state.services

        def end_viewers() -> None:
            for feed in services.boards._feeds.values():
                for viewer in list(feed.viewers):
                    viewer.end()

        assert services.notices._loop is not None
        services.notices._loop.call_soon_threadsafe(end_viewers)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[BoardRoom]:
    require_assets()
    app = create_app(Settings(state_folder=tmp_path / "state"), StagedRunner(), make_catalogue())
    services: Services = app.state.services

    def plant(connection: Connection) -> tuple[int, str]:
        at_ms = now_ms()
        teacher = people.make_person(connection, "Tess Teacher", Role.INSTRUCTOR, at_ms)
        class_id = plant_class(connection, teacher.id)
        set_lessons(connection, teacher.id, class_id, [ClassLesson(lesson=PATH, opens_ms=1)])
        for name, tries in zip(NAMES, (4, 2, 0), strict=True):
            _, learner = plant_member(connection, class_id, name, number=f"4100{tries}", place=PLACE, here=6, now_ms=at_ms)
            for number in range(tries):
                source = f"# {name}, 4100{tries}\nx = {number}\n"
                plant_attempt(connection, learner, tries - number, place=PLACE, source=source, failing=("value",), now_ms=at_ms)
        return class_id, person_sessions.make_session(connection, teacher.id, "", at_ms)

    with serving(app) as address:
        class_id, token = services.database.enqueue(plant).result()
        header = services.person_cookies.header(token, secure=False)
        yield BoardRoom(address, app, class_id, header.partition(";")[0].partition("=")[2])


@pytest.fixture
def context(room: BoardRoom, new_context: Callable[..., BrowserContext]) -> BrowserContext:
    context = new_context()
    context.add_cookies([{"name": PERSON_COOKIE, "value": room.cookie, "url": room.address}])
    return context


def open_board(room: BoardRoom, context: BrowserContext) -> Page:
    """Open the board. It shows three rows, and its stream has begun."""
    page = context.new_page()
    with page.expect_response("**/board/events*"):
        page.goto(f"{room.address}/en/teach/{room.class_id}")
    expect(page.locator(".board-row")).to_have_count(3)
    return page


def row_of(page: Page, group: str, name: str) -> Any:
    return page.locator(f".board-group.{group} .board-row", has_text=name)


def test_the_first_member_takes_the_place_of_the_note_that_there_is_none(room: BoardRoom, context: BrowserContext) -> None:
    class_id = room.change(lambda connection: plant_class(connection, *connection.scalars(select(PersonRow.id))))
    page = context.new_page()
    page.goto(f"{room.address}/en/teach/{class_id}")
    note = page.get_by_text("Nobody is in this class yet.")
    expect(note).to_be_visible()

    def join(connection: Connection) -> None:
        plant_member(connection, class_id, "Ana", now_ms=now_ms())
        announce(connection, class_id)

    room.change(join)
    page.get_by_role("button", name="update").click()
    expect(page.locator(".board-row")).to_have_count(1)
    expect(note).to_be_hidden()


def test_somebody_stuck_is_seen_and_helped_and_rows_move_only_when_asked(room: BoardRoom, context: BrowserContext) -> None:
    page = open_board(room, context)
    ana = row_of(page, "stuck", NAMES[0])
    expect(ana).to_contain_text("4 submissions, always the same check")
    expect(row_of(page, "working", "Chen")).to_have_count(1)
    assert violations(page) == []
    cy = row_of(page, "working", NAMES[2])
    room.change(raise_hand, NAMES[2])
    update = page.get_by_role("button", name="1 new: update")
    expect(update).to_be_visible()
    expect(cy).to_contain_text("hand raised")  # where it stood
    page.keyboard.press("u")
    expect(row_of(page, "hand", NAMES[2])).to_have_count(1)
    expect(update).to_have_count(0)
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(ana).to_be_focused()
    page.keyboard.press("Enter")
    drawer = page.locator("member-drawer")
    expect(drawer.locator("attempt-view")).to_have_count(4)
    expect(drawer.locator(".l.old")).to_have_text("x = 2")
    drawer.get_by_role("button", name="Write a note at line 2").click()
    page.keyboard.type("What should x be?")
    drawer.get_by_role("button", name="Write the note").click()
    expect(drawer.locator(".written-note")).to_contain_text("What should x be? Tess Teacher · not read yet")
    drawer.get_by_role("button", name="I’m coming").click()
    expect(ana).to_contain_text("Tess Teacher is coming")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(ana).to_be_focused()
    page.get_by_label("Hide names").check()
    expect(page.locator(".board")).not_to_contain_text("Ferreira")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.goto(f"{room.address}/en/teach/{room.class_id}/progress")
    expect(page.locator("tbody tr")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []


def raise_hand(connection: Connection, name: str) -> None:
    connection.exec_driver_sql(
        "INSERT INTO raised_hand (member_id, at_ms, lesson, exercise, shares) SELECT id, ?, ?, ?, 0 FROM member WHERE name = ?",
        (now_ms(), *PLACE, name),
    )


def test_after_a_lost_connection_the_board_is_right_again_by_itself(room: BoardRoom, context: BrowserContext) -> None:
    page = open_board(room, context)
    context.route("**/board/events*", lambda route: route.abort())
    room.end_streams()
    lost = page.get_by_text("The connection is lost.")
    expect(lost).to_be_visible()
    room.change(raise_hand, NAMES[2])
    context.unroute("**/board/events*")
    expect(page.get_by_role("button", name="1 new: update")).to_be_visible()
    expect(lost).to_have_count(0)
    room.change(lambda connection: connection.exec_driver_sql("DELETE FROM class_staff"))
    expect(page.get_by_text("You are signed out, or no longer teach this class.")).to_be_visible()
