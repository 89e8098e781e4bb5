"""An instructor's way: a link, a password, out and in again, and the end of another session."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from app.classroom.people.roles import Role
from app.main import create_app
from app.serving.operating import instructor_commands, operated_store
from app.settings import Settings
from tests.browser.axe import violations, violations_in_the_other_theme
from tests.browser.conftest import require_assets, resize
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner
from tests.browser.task_course import make_catalogue

NAME, PASSWORD = "Ada Lovelace", "correct horse battery"
MakeLink = Callable[[str], str]


@pytest.fixture
def school(tmp_path: Path) -> Iterator[tuple[str, Settings]]:
    """The address of a server, and its settings."""
    require_assets()
    settings = Settings(state_folder=tmp_path / "state")
    with serving(create_app(settings, StagedRunner(), make_catalogue())) as address:
        yield address, settings


@pytest.fixture
def make_link(school: tuple[str, Settings], monkeypatch: pytest.MonkeyPatch) -> MakeLink:
    """Add a person, as the operator does while the server runs, and return their link."""
    monkeypatch.setattr(operated_store, "become_web_user", lambda settings: None)
    address, settings = school
    return lambda name: add_instructor(settings, name, address)


def add_instructor(settings: Settings, name: str, address: str) -> str:
    """Run the operator's command that adds an instructor, and return the link that it prints."""
    with ThreadPoolExecutor(1) as thread:  # in this one, Playwright's event loop runs
        return thread.submit(instructor_commands.add, settings, name, Role.INSTRUCTOR, address).result().split()[-1]


def sign_in(page: Page) -> None:
    """Sign in by keyboard alone."""
    page.get_by_label("Name").fill(NAME)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()


def test_from_the_link_to_the_end_of_another_session(
    school: tuple[str, Settings], make_link: MakeLink, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context().new_page()
    page.goto(make_link(NAME))
    expect(page.get_by_text(f"This link is for {NAME}.")).to_be_visible()
    password = page.get_by_label("Password", exact=True)
    password.fill(PASSWORD)
    page.get_by_role("button", name="Show").click()
    expect(password).to_have_attribute("type", "text")
    page.get_by_role("button", name="Hide").click()
    expect(password).to_have_attribute("type", "password")
    page.get_by_role("button", name="Set the password and sign in").click()
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    expect(page.get_by_role("link", name=f"Signed in as {NAME}")).to_be_visible()

    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.get_by_role("link", name=f"Signed in as {NAME}")).to_have_count(0)
    page.get_by_label("Name").fill(NAME)
    page.get_by_label("Password", exact=True).fill("not this password")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("The name or the password is wrong.")
    sign_in(page)

    other = new_context(java_script_enabled=False).new_page()
    other.goto(f"{school[0]}/en/sign-in")
    sign_in(other)
    page.reload()
    page.get_by_role("button", name="Sign out of").click()
    expect(page.get_by_role("status").filter(has_text="That browser is signed out.")).to_be_visible()
    other.reload()
    expect(other.get_by_role("heading", name="Nobody is signed in here")).to_be_visible()
    other.get_by_role("link", name="Sign in").click()
    expect(other.get_by_label("Name")).to_be_visible()


def test_the_pages_are_accessible_and_fit_a_phone(
    school: tuple[str, Settings], make_link: MakeLink, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(color_scheme="light", width=360, height=740).new_page()
    link = make_link(NAME)

    def look() -> None:
        assert violations(page) == []
        assert violations_in_the_other_theme(page, "dark") == []
        page.emulate_media(color_scheme="light")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360

    page.goto(f"{school[0]}/zh-Hans/sign-in")
    look()
    page.goto(link)
    look()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    look()
    page.goto(link)
    expect(page.get_by_role("heading", name="This link does not work any more")).to_be_visible()
    look()


def test_a_long_name_finds_room_in_the_header(make_link: MakeLink, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    page.goto(make_link("Augusta Ada King-Noel, Countess of Lovelace"))
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    for width in (570, 700, 820, 1040, 1400):
        resize(page, width, 740)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
