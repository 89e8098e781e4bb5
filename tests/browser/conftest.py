"""The app in a real browser: one server with the real runner and sandbox for all tests, one with a staged runner."""

import functools
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from app.main import create_app
from app.settings import Settings
from tests.browser.lesson_page import LessonPage
from tests.browser.playground_page import PLAYGROUND, PlaygroundPage
from tests.browser.site import serving
from tests.browser.staged_runner import StagedRunner
from tests.browser.task_course import PATH, make_catalogue
from tests.browser.task_page import TaskPage
from tests.own_course import load_own_course
from tests.patience import PATIENCE_SECONDS
from tests.programs import Programs

# For the address bar of every window Chromium prepares pages of its own, which take as long as ours, and nobody types there. A second list
# takes the place of the first, which is Playwright's (chromiumSwitches.ts), so this one begins with all of that.
DISABLED_FEATURES = (
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,"
    "MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,TcpPortRandomizationWin,OptimizationHints,"
    "NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,msForceBrowserSignIn,msEdgeUpdateLaunchServicesPreferredVersion,"
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup"
)
FLAGS = (
    f"--disable-features={DISABLED_FEATURES}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--host-resolver-rules=MAP room.test 127.0.0.1",  # test_plain_http.py
    "--renderer-process-limit=1",  # a process for each page costs a quarter of its time
)
SINH_BAD = "/en/backward-twice/sinh-bad"
OpenPage = Callable[..., Page]

# axe alone keeps a page busy for seconds, and all that comes after it waits
expect.set_options(timeout=PATIENCE_SECONDS * 1000)


@pytest.fixture(scope="session")
def browser(chromium_path: str, programs: Programs) -> Iterator[Browser]:
    """Comes after `programs`, which calls asyncio.run: Playwright's own loop runs in this thread from here on."""
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
    with serving(create_app(settings, catalogue=load_own_course())) as address:
        yield address


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, StagedRunner]]:
    """The address of the app with a staged runner, and that runner."""
    require_assets()
    runner = StagedRunner()
    settings = Settings(state_folder=tmp_path_factory.mktemp("state"))
    with serving(create_app(settings, runner, load_own_course())) as address:
        yield address, runner


@pytest.fixture(scope="session")
def task_stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, StagedRunner]]:
    """As `stage`, with the course that has a task of every kind."""
    require_assets()
    runner = StagedRunner()
    settings = Settings(state_folder=tmp_path_factory.mktemp("state"))
    with serving(create_app(settings, runner, make_catalogue())) as address:
        yield address, runner


class Watch:
    """A browser context and what went wrong in it: an error in a page, a violated policy, a request to another host."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context, self.address = context, address
        self.wrong: list[str] = []
        host = urlsplit(address).netloc
        context.on("weberror", lambda error: self.wrong.append(str(error.error)))
        context.on("console", lambda message: self.wrong.append(message.text) if "Content Security Policy" in message.text else None)
        context.on("request", lambda request: self.wrong.append(request.url) if urlsplit(request.url).netloc not in ("", host) else None)

    def forget(self) -> None:
        """Makes the context as new, but for its cache: that of a reader who has been here before."""
        blank, *pages = self.context.pages
        for page in pages:
            page.close()
        self.context.clear_cookies()
        self.context.clear_permissions()
        self.context.set_offline(False)
        session = self.context.new_cdp_session(blank)
        session.send("Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": "local_storage,indexeddb"})
        session.detach()

    def check(self) -> None:
        wrong, self.wrong = self.wrong, []
        assert wrong == []


def make_context(browser: Browser, width: int = 1440, height: int = 900, **options: Any) -> BrowserContext:
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **options)
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    return context


@pytest.fixture(scope="session")
def watches(browser: Browser) -> Iterator[Callable[[str], Watch]]:
    """Of each address one context for most tests, so that scripts are fetched and compiled once."""

    @functools.cache
    def watch(address: str) -> Watch:
        context = make_context(browser)
        context.new_page()  # stays, and with it the window: a page in a window of its own takes longer to open
        made.append(context)
        return Watch(context, address)

    made: list[BrowserContext] = []
    yield watch
    for context in made:
        context.close()


@pytest.fixture(scope="session")
def watch(site: str, watches: Callable[[str], Watch]) -> Watch:
    return watches(site)


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes a browser context of its own: a first visit. Closed after the test."""
    contexts: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        contexts.append(make_context(browser, **options))
        return contexts[-1]

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def first_visit(new_context: Callable[..., BrowserContext]) -> Iterator[Callable[..., Page]]:
    """Opens a page in a browser that keeps nothing yet but the cookie of a `learner`; fails the test if anything went wrong in it."""
    opened: list[Watch] = []

    def open_it(address: str, path: str, learner: Page | None = None, **options: Any) -> Page:
        opened.append(Watch(new_context(**options), address))
        context = opened[-1].context
        if learner:
            context.add_cookies([cookie for cookie in learner.context.cookies(address) if cookie["name"] == "learner"])  # type: ignore[misc]
        page = context.new_page()
        page.goto(address + path)
        return page

    yield open_it
    for watch in opened:
        watch.check()


@pytest.fixture
def visit_as_new(watches: Callable[[str], Watch], first_visit: Callable[..., Page]) -> Iterator[Callable[..., Page]]:
    """As `first_visit`, but in a browser that others have used and that was made as new, where no `options` ask for another one."""
    used: set[Watch] = set()

    def open_it(address: str, path: str, **options: Any) -> Page:
        if options:
            return first_visit(address, path, **options)
        watch = watches(address)
        used.add(watch)
        page = watch.context.new_page()
        page.goto(address + path)
        return page

    yield open_it
    for watch in used:
        watch.forget()
        watch.check()


@pytest.fixture
def open_page(watch: Watch) -> Iterator[OpenPage]:
    """Opens a page of the app with the real runner; fails the test if anything went wrong in the page."""
    watch.forget()

    def open_it(path: str = SINH_BAD, width: int = 1440, height: int = 900) -> Page:
        page = watch.context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.goto(watch.address + path)
        return page

    yield open_it
    watch.check()


@pytest.fixture
def bench(open_page: OpenPage) -> PlaygroundPage:
    return PlaygroundPage(open_page(PLAYGROUND))


@pytest.fixture
def lesson(open_page: Callable[..., Page]) -> LessonPage:
    return LessonPage(open_page())


@pytest.fixture
def staged(stage: tuple[str, StagedRunner], visit_as_new: Callable[..., Page]) -> tuple[LessonPage, StagedRunner]:
    """A lesson with the staged runner."""
    address, runner = stage
    runner.plays.clear()
    runner.orders.clear()
    return LessonPage(visit_as_new(address, SINH_BAD)), runner


@pytest.fixture
def open_tasks(task_stage: tuple[str, StagedRunner], visit_as_new: Callable[..., Page]) -> Callable[..., tuple[TaskPage, StagedRunner]]:
    """Opens the lesson that has a task of every kind."""
    address, runner = task_stage
    runner.plays.clear()
    runner.orders.clear()

    def open_it(lang: str = "en", **options: Any) -> tuple[TaskPage, StagedRunner]:
        return TaskPage(visit_as_new(address, f"/{lang}/{PATH}", **options)), runner

    return open_it
