"""The app in a real browser: one server with the real runner and sandbox for all tests, one with a staged runner."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from app.main import create_app
from app.settings import Settings
from tests.browser.lesson_page import LessonPage
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner
from tests.programs import Programs

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
)
SINH_BAD = "/en/backward-twice/sinh-bad"
Open = Callable[..., LessonPage]


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=[*FLAGS])
        yield browser
        browser.close()


def require_assets() -> None:
    if not (Settings().static_folder / "manifest.json").exists():
        pytest.fail("the front end is not built: node static/build.mjs")


@pytest.fixture(scope="session")
def site(programs: Programs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app with the real runner, lessons and assets."""
    require_assets()
    settings = Settings(state_folder=tmp_path_factory.mktemp("state"), runner_socket=programs.socket)
    with serving(create_app(settings)) as address:
        yield address


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, StagedRunner]]:
    """The address of the app with a staged runner, and that runner."""
    require_assets()
    runner = StagedRunner()
    settings = Settings(state_folder=tmp_path_factory.mktemp("state"), runner_wait_seconds=0)
    with serving(create_app(settings, runner)) as address:
        yield address, runner


@contextmanager
def watched(context: BrowserContext, address: str) -> Iterator[list[str]]:
    """Collects what must never happen: an error in a page, a violated policy, a request to another host."""
    wrong: list[str] = []
    context.on("weberror", lambda error: wrong.append(str(error.error)))
    context.on("console", lambda message: wrong.append(message.text) if "Content Security Policy" in message.text else None)
    host = urlsplit(address).netloc
    context.on("request", lambda request: wrong.append(request.url) if urlsplit(request.url).netloc not in ("", host) else None)
    yield wrong
    assert wrong == []


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes a browser context: a fresh profile of its own, closed after the test."""
    contexts: list[BrowserContext] = []

    def make(width: int = 1440, height: int = 900, **options: object) -> BrowserContext:
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **options)  # type: ignore[arg-type]  # passed on
        context.set_default_timeout(10_000)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def open_page(site: str, new_context: Callable[..., BrowserContext]) -> Iterator[Callable[..., Page]]:
    """Opens a page of the app with the real runner; fails the test if anything went wrong in the page."""
    context = new_context()
    with watched(context, site):

        def open_it(path: str = SINH_BAD, width: int = 1440, height: int = 900) -> Page:
            page = context.new_page()
            page.set_viewport_size({"width": width, "height": height})
            page.goto(site + path)
            return page

        yield open_it


@pytest.fixture
def lesson(open_page: Callable[..., Page]) -> LessonPage:
    return LessonPage(open_page())


@pytest.fixture
def staged(stage: tuple[str, StagedRunner], new_context: Callable[..., BrowserContext]) -> Iterator[tuple[LessonPage, StagedRunner]]:
    """A lesson with the staged runner."""
    address, runner = stage
    runner.plays.clear()
    runner.orders.clear()
    context = new_context()
    with watched(context, address):
        page = context.new_page()
        page.goto(address + SINH_BAD)
        yield LessonPage(page), runner


@pytest.fixture
def downloads(tmp_path: Path) -> Path:
    return tmp_path
