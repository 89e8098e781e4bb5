"""The card that explains a word: with the pointer, with the keyboard, gone with Escape, and a link all the same."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.main import create_app
from app.settings import Settings
from tests.browser.conftest import require_assets
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner
from tests.browser.test_accessibility import violations
from tests.lessons.course_folder import CourseFolder
from tests.lessons.doing_folder import add_doing

PAGES = [("/en/one/first", "light"), ("/zh-Hans/one/first", "dark"), ("/en/glossary", "dark"), ("/en/", "light")]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an app that serves the small course of the loader's tests."""
    require_assets()
    catalogue = add_doing(CourseFolder(Path(tmp_path_factory.mktemp("course")))).load()
    settings = Settings(state_folder=tmp_path_factory.mktemp("state"))
    with serving(create_app(settings, StagedRunner(), catalogue)) as address:
        yield address


@pytest.fixture
def page(place: str, first_visit: Callable[..., Page]) -> Page:
    return first_visit(place, "/en/one/first")


def test_a_word_that_is_pointed_at_is_explained_and_the_card_can_be_pointed_at(page: Page) -> None:
    card = page.locator(".glossary-card")
    page.locator(".lede a.term").hover()
    expect(card).to_have_text("incoming gradient What comes in, see second. In the glossary")
    card.hover()
    expect(card.get_by_role("link", name="second")).to_be_visible()
    page.get_by_role("heading", level=1).hover()
    expect(card).to_be_hidden()


def test_a_word_that_the_keyboard_reaches_is_explained_until_escape(page: Page) -> None:
    word = page.locator(".lede a.term")
    word.focus()
    expect(page.locator(".glossary-card")).to_be_visible()
    expect(word).to_have_accessible_description(re.compile("What comes in"))
    page.keyboard.press("Escape")
    expect(page.locator(".glossary-card")).to_be_hidden()
    expect(word).to_be_focused()
    expect(word).not_to_have_attribute("aria-describedby", "glossary-card")


def test_a_folded_answer_is_as_wide_as_the_text_and_set_in_its_face(page: Page) -> None:
    answer, lede = page.locator("details.answer"), page.locator(".lede")
    assert answer.bounding_box()["width"] == page.locator(".text").first.bounding_box()["width"]  # type: ignore[index]
    face = "element => getComputedStyle(element).fontFamily"
    assert answer.evaluate(face) == lede.evaluate(face)


@pytest.mark.parametrize(("path", "theme"), PAGES)
def test_axe_finds_nothing_to_object_to(place: str, first_visit: Callable[..., Page], path: str, theme: str) -> None:
    page = first_visit(place, path, color_scheme=theme)
    for word in page.locator(".lede a.term").all():
        word.focus()
        expect(page.locator(".glossary-card")).to_be_visible()
    assert violations(page) == []


def test_a_card_stands_below_its_word(page: Page) -> None:
    word = page.locator(".lede a.term")
    word.focus()
    at, card = word.bounding_box(), page.locator(".glossary-card").bounding_box()
    assert at is not None and card is not None
    assert 0 < card["y"] - at["y"] < 60
    assert abs(card["x"] - at["x"]) < 2


def test_a_word_leads_to_its_place_in_the_glossary(page: Page) -> None:
    page.locator(".lede a.term").click()
    page.locator(".glossary-card").get_by_role("link", name="In the glossary").click()
    page.wait_for_url(re.compile(r"/en/glossary#term-incoming$"))
    expect(page.get_by_role("term")).to_have_text("incoming gradient")


def test_a_tap_on_a_word_opens_its_card_and_stays_on_the_page(place: str, first_visit: Callable[..., Page]) -> None:
    page = first_visit(place, "/en/one/first", width=390, has_touch=True, is_mobile=True)
    page.locator(".lede a.term").tap()
    expect(page.locator(".glossary-card")).to_be_visible()
    page.get_by_role("heading", level=1).tap()
    expect(page.locator(".glossary-card")).to_be_hidden()
    assert page.url == f"{place}/en/one/first"


def test_a_card_stays_within_a_narrow_window(place: str, first_visit: Callable[..., Page]) -> None:
    page = first_visit(place, "/en/one/first", width=360)
    page.locator(".lede a.term").focus()
    box = page.locator(".glossary-card").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
