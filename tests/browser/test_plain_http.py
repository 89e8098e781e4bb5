"""A class over plain HTTP, reached by a name that is not this machine's own: browsers call that not secure, and take some things away."""

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from app.main import create_app
from app.settings import Settings
from tests.browser.conftest import SINH_BAD, require_assets
from tests.browser.lesson_page import LessonPage
from tests.browser.playground_page import PlaygroundPage
from tests.browser.site import serving
from tests.own_course import load_own_course
from tests.programs import Programs

ROOM = "room.test"  # the browser of these tests takes it for 127.0.0.1 and, unlike that, for a stranger's


@pytest.fixture(scope="module")
def room(programs: Programs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app by its name in the classroom's network."""
    require_assets()
    settings = Settings(state_folder=tmp_path_factory.mktemp("state"), runner_socket=programs.socket, allowed_hosts=(ROOM,))
    with serving(create_app(settings, catalogue=load_own_course())) as address:
        yield f"http://{ROOM}:{urlsplit(address).port}"


@pytest.fixture
def page(room: str, first_visit: Callable[..., Page]) -> Page:
    """The lesson."""
    page = first_visit(room, SINH_BAD)
    assert page.evaluate("[isSecureContext, typeof navigator.clipboard, typeof navigator.locks]") == [False, "undefined", "undefined"]
    return page


@pytest.fixture
def lesson(page: Page) -> LessonPage:
    return LessonPage(page)


def test_cells_run_and_show_their_results(lesson: LessonPage) -> None:
    lesson.run()
    expect(lesson.results().get_by_role("heading", name="gradgradcheck")).to_be_visible()
    lesson.run("sinh-bad-graph")
    expect(lesson.results("sinh-bad-graph").locator("svg .node.isolated")).to_have_count(1)


def test_a_run_can_be_stopped(lesson: LessonPage) -> None:
    lesson.write("while True:\n    pass")
    lesson.editor().press("Shift+Enter")
    lesson.says("Running")
    lesson.button("Stop").click()
    lesson.says("Stopped")


def test_code_is_copied_without_a_clipboard_to_ask_for(lesson: LessonPage) -> None:
    lesson.write("print('copied')")
    lesson.button("Copy the code").click()
    lesson.write("replaced")
    lesson.editor().press("Control+a")
    lesson.editor().press("Control+v")
    assert lesson.text() == "print('copied')"


def test_edits_and_progress_are_kept(lesson: LessonPage, room: str) -> None:
    lesson.run()
    lesson.write("print('kept')")
    lesson.page.reload()
    assert lesson.text() == "print('kept')"
    lesson.page.goto(f"{room}/en/map")
    expect(lesson.page.locator('[data-lesson="backward-twice/sinh-bad"]')).to_contain_text("1 of 7 done")


def test_another_tab_is_heard(lesson: LessonPage, room: str) -> None:
    other = lesson.page.context.new_page()
    other.goto(room + SINH_BAD)
    LessonPage(other).write("print('there')")
    expect(lesson.editor()).to_have_text("print('there')")


def test_a_learner_keeps_one_cookie(lesson: LessonPage) -> None:
    (first,) = lesson.page.context.cookies()
    lesson.page.reload()
    assert lesson.page.context.cookies()[0]["value"] == first["value"]
    assert not first["secure"]


def test_the_results_fill_the_screen(lesson: LessonPage) -> None:
    lesson.run("sinh-bad-graph")
    results = lesson.results("sinh-bad-graph")
    results.get_by_role("button", name="Full screen", exact=True).click()
    expect(results.get_by_role("button", name="Leave full screen")).to_be_visible()


def test_a_cell_opens_in_the_playground_and_a_link_to_it_is_had(page: Page) -> None:
    LessonPage(page).cell().get_by_role("link", name="Open in the playground").click()
    page.wait_for_url("**/en/playground#program=*")
    bench = PlaygroundPage(page)
    bench.is_called("sinh_bad.py")
    bench.tool("New program").click()
    bench.is_called("Program")
    bench.write("print('mine')")
    bench.tool("Share").click()
    expect(bench.note()).to_contain_text("Link copied.")
    bench.choose("Download", "Python file (.py)")
