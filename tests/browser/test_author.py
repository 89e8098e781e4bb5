"""Author mode in a browser: the page follows the files, complains in place, and records what a cell shows."""

import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from fastapi import FastAPI
from playwright.sync_api import Page, expect

from app.authoring.author_mode.author_tools import AuthorTools
from app.authoring.author_mode.live_catalogue import LiveCatalogue
from app.lessons.cells.recordings import recording_file
from app.lessons.course.catalogue import load_catalogue
from app.main import create_app
from app.protocol.event import RunEvent, Started
from app.protocol.run import RunOrder
from app.runner.client import Runner, RunStream
from app.runner.socket_runner import SocketRunner
from app.settings import Settings
from app.web.guards.access import AuthorRoute
from tests import frameworks_course
from tests.authoring.frameworks_runner import FrameworksRunner
from tests.authoring.written_course import write_course
from tests.browser.conftest import require_assets
from tests.browser.lesson_page import LessonPage
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner, StagedStream
from tests.browser.test_accessibility import violations
from tests.programs import Programs

FIRST = "/en/one/first"
THIS_MINUTE = re.compile(r"This page shows the version of \d\d:\d\d\.")
OF_AN_EARLIER = re.compile(r"这一页显示的是 \d\d:\d\d 的版本，之后的改动还无法显示。")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return write_course(tmp_path / "course")


def create_author_app(settings: Settings, runner: Runner) -> FastAPI:
    catalogue = LiveCatalogue(partial(load_catalogue, settings.lessons_folder))
    author_tools = AuthorTools(catalogue, settings.lessons_folder, runner, settings.limits, settings.lesson_factor, AuthorRoute)
    return create_app(settings, runner, catalogue, author=author_tools)


@pytest.fixture
def author_site(programs: Programs, course: Path, tmp_path: Path) -> Iterator[str]:
    settings = Settings(state_folder=tmp_path / "state", runner_socket=programs.socket, lessons_folder=course)
    with serving(create_author_app(settings, SocketRunner(settings.socket))) as address:
        yield address


@pytest.fixture
def page(author_site: str, first_visit: Callable[..., Page]) -> Page:
    page = first_visit(author_site, FIRST)
    expect(page.get_by_role("complementary", name="Author mode")).to_be_visible()
    return page


def change(file: Path, before: str, after: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")


def test_a_saved_text_is_shown_anew_where_one_was_reading_and_what_was_typed_stays(page: Page, course: Path) -> None:
    lesson = LessonPage(page)
    lesson.write("print('mine')", "slope")
    page.set_viewport_size({"width": 900, "height": 300})
    page.evaluate("scrollTo(0, 200)")
    change(course / "one/first/en.md", "The end.", "The new end.")
    expect(page.get_by_text("The new end.")).to_be_attached()
    page.wait_for_function("() => scrollY === 200")
    expect(lesson.editor("slope")).to_contain_text("print('mine')")


def test_a_saved_cell_and_a_saved_title_are_shown_anew(page: Page, course: Path) -> None:
    change(course / "one/first/cells/slope.py", "3.0", "4.0")
    expect(LessonPage(page).editor("slope")).to_contain_text("x = 4.0")
    change(course / "one/chapter.toml", '"One"', '"The one"')
    expect(page.get_by_role("navigation", name="Where you are")).to_contain_text("The one")


def test_a_mistake_is_told_at_its_place_over_the_last_good_version_until_it_is_mended(page: Page, course: Path) -> None:
    change(course / "one/first/lesson.toml", 'stdout = ["6.0"]', 'stduot = ["6.0"]')
    panel = page.get_by_role("complementary", name="Author mode")
    expect(panel).to_contain_text('one/first/lesson.toml:8 unknown key "stduot" (did you mean "stdout"?)')
    expect(page.locator(".author-mark + code-cell")).to_have_attribute("data-cell", "slope")
    change(course / "one/first/en.md", "The end.", "[The end](../nowhere).")
    expect(page.locator(".author-mark + #section-another-part")).to_be_visible()
    expect(page.get_by_text("The end.", exact=True)).to_be_visible()  # the last good version
    assert violations(page) == []
    change(course / "one/first/en.md", "[The end](../nowhere)", "The very end")
    change(course / "one/first/lesson.toml", "stduot", "stdout")
    expect(page.get_by_text("The very end.")).to_be_visible()
    expect(page.locator(".author-mark")).to_have_count(0)


def test_a_lesson_that_never_loaded_shows_its_complaints_and_then_itself(page: Page, author_site: str, course: Path) -> None:
    change(course / "one/chapter.toml", '"second"', '"second", "third"')
    third = course / "one/third"
    third.mkdir()
    (third / "lesson.toml").write_text("minutes = 5\n")
    (third / "en.md").write_text("# Third\n\nThe third lesson.\n")
    expect(page.get_by_text("To be fixed in other lessons: 1")).to_be_visible()
    page.goto(f"{author_site}/en/one/third")
    expect(page.get_by_text("expected the text in the language zh-Hans, the file is missing")).to_be_visible()
    (third / "zh-Hans.md").write_text("# 第三课\n\n这是第三课。\n")
    expect(page.get_by_role("heading", name="Third")).to_be_visible()


def test_each_language_is_shown_by_itself_and_says_of_which_minute(page: Page, author_site: str, course: Path) -> None:
    change(course / "one/first/en.md", "The end.", "The end.\n\n## One more part\n\nWhat is not in Chinese yet.")
    expect(page.get_by_text("What is not in Chinese yet.")).to_be_visible()
    expect(page.get_by_role("complementary", name="Author mode")).to_contain_text(THIS_MINUTE)
    page.goto(f"{author_site}/zh-Hans/one/first")
    panel = page.get_by_role("complementary", name="作者模式")
    expect(panel).to_contain_text(OF_AN_EARLIER)
    expect(panel).to_contain_text("expected 3 headings as in en.md, got 2")
    expect(page.get_by_text("结束。")).to_be_visible()
    assert violations(page) == []


def test_what_a_cell_shows_otherwise_is_told_and_recorded_on_request(page: Page, course: Path) -> None:
    change(course / "one/first/cells/slope.py", "3.0", "4.0")
    lesson = LessonPage(page)
    expect(lesson.editor("slope")).to_contain_text("x = 4.0")
    lesson.run("slope")
    mark = page.locator(".author-mark")
    expect(mark).to_contain_text('the cell slope: expected "6.0" on stdout, got "8.0"')
    expect(mark.locator(".removed")).to_have_text('-stdout = ["6.0"]  # at three\n')
    expect(mark.locator(".added")).to_have_text('+stdout = ["8.0"]  # at three\n')
    with page.expect_navigation():  # the file has changed, so the page is loaded anew
        page.get_by_role("button", name="Record what it shows").click()
    expect(mark).to_have_count(0)
    text = (course / "one/first/lesson.toml").read_text()
    assert 'stdout = ["8.0"]' in text
    assert "# the author's own words stay" in text
    assert 'id = "slope"  # the only cell' in text
    lesson.run("slope")
    expect(mark).to_have_count(0)


def test_an_edited_cell_is_not_offered_for_recording(page: Page) -> None:
    lesson = LessonPage(page)
    lesson.write("print('mine')", "slope")
    lesson.run("slope")
    expect(page.locator(".author-mark")).to_contain_text("What was run is not what the files have")
    expect(page.get_by_role("button", name="Record what it shows")).to_have_count(0)


class EveryFramework(StagedRunner):
    """Shows for each cell of the course of frameworks what is recorded."""

    @asynccontextmanager
    async def run(self, order: RunOrder) -> AsyncIterator[RunStream]:
        yield StagedStream(self.answer(order), "r1", order.lang)

    async def answer(self, order: RunOrder) -> AsyncIterator[RunEvent]:
        yield Started("r1")
        yield FrameworksRunner().play(order)


def test_a_record_that_is_out_of_date_is_told_at_its_cell_and_recorded_on_request(tmp_path: Path, first_visit: Callable[..., Page]) -> None:
    require_assets()
    course = frameworks_course.write_course(tmp_path / "course")
    change(course / frameworks_course.PATH / "cells/jax_again.py", "\n", "  # again\n")
    with serving(create_author_app(Settings(state_folder=tmp_path / "state", lessons_folder=course), EveryFramework())) as address:
        page = first_visit(address, f"/en/{frameworks_course.PATH}")
        mark = page.locator(".author-mark:has(~ code-cell[data-cell='jax-again'])")
        file = recording_file(frameworks_course.PATH, "jax-again")
        expect(mark).to_contain_text(f"{file}:2 the cell jax-again: the code of the cell")
        LessonPage(page).run("jax-again")
        expect(mark.last).to_have_text(f"Recording writes the whole result to {file}.Record what it shows")
        assert violations(page) == []
        with page.expect_navigation():
            page.get_by_role("button", name="Record what it shows").click()
        expect(page.get_by_role("complementary", name="Author mode")).not_to_contain_text("recorded/")
        expect(mark).to_have_count(0)


def test_each_of_several_saves_is_seen(page: Page, course: Path) -> None:
    seconds = []
    for number in range(5):
        begin = time.perf_counter()
        change(course / "one/first/en.md", f"Version {number - 1}" if number else "The first lesson", f"Version {number}")
        page.wait_for_selector(f"text=Version {number}")
        seconds.append(f"{time.perf_counter() - begin:.2f}")
    print("from saving to seeing, in seconds:", *seconds)
