"""The app in a real browser: one server with the real runner and sandbox for all tests, one with a staged runner."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

from app.lessons.course.catalogue import Catalogue
from app.main import create_app
from app.settings import Settings
from tests.browser.lesson_page import LessonPage
from tests.browser.playground_page import PLAYGROUND, PlaygroundPage
from tests.browser.site import serving
from tests.browser.staged_runner import MessageBroker, StagedRunner
from tests.browser.task_course import PATH, make_catalogue
from tests.browser.task_page import TaskPage
from tests.own_course import load_own_course
from tests.patience import PATIENCE_SECONDS
from tests.programs import Programs

# Chromium prepares its own pages for the address bar of every window, which takes as long as ours, and nobody types there. A second list
# replaces the first, which is Playwright's (chromiumSwitches.ts), so this one begins with all of it.
DISABLED_FEATURES = (
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,"
    "MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,TcpPortRandomizationWin,OptimizationHints,"
    "NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,msForceBrowserSignIn,msEdgeUpdateLaunchServicesPreferredVersion,"
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,"
    "ScriptStreaming"  # parses a script while it comes, although it was compiled for the page before
)
FLAGS = (
    f"--disable-features={DISABLED_FEATURES}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--host-resolver-rules=MAP room.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # test_plain_http.py; see Watch
    "--renderer-process-limit=1",  # a process for each page costs a quarter of its time
    "--js-flags=--no-opt --no-maglev",  # pages are closed before optimized functions would pay
    "--v8-cache-options=none",  # contexts like ours never read what would be stored
)
PAGE_OPTIONS = ("width", "height", "color_scheme", "forced_colors")  # options that a page can be given after it was made
SINH_BAD = "/en/backward-twice/sinh-bad"
# Removes what ran and the reader's place; false if a text was changed or something still runs.
PUT_BACK = """async () => {
    const cells = [...document.querySelectorAll("code-cell")].map(({ cell }) => cell), { page } = cells[0];
    if (page.busy.value || page.texts.some((text) => text.changed.value)) return false;
    if (document.fullscreenElement) await document.exitFullscreen();
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    document.activeElement.blur();
    for (const cell of cells) { cell.trace.drop(); cell.findings.drop(); cell.sources.value = null; }
    for (const cell of cells) cell.run.value = cell.shown.value = cell.last.value = window.atFirst;
    page.column.value = page.wanted.value = page.pointed.value = page.target.value = null;
    page.active.value = cells[0];
    for (const { editor } of document.querySelectorAll("code-editor")) editor.view.dispatch({ selection: { anchor: 0 } });
    for (const results of document.querySelectorAll("run-results")) results.removeAttribute("chosen");
    for (const output of document.querySelectorAll("run-output")) Object.assign(output, { opened: 0, copied: false });
    document.getElementById("live").textContent = "";
    scrollTo(0, 0);
    return true;
}"""
OpenPage = Callable[..., Page]
WIDTH, HEIGHT = 1440, 900

# axe alone keeps a page busy for seconds, and everything after it waits
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
    """Yield the address of the app with the real runner, lessons and assets."""
    require_assets()
    settings = Settings(state_folder=tmp_path_factory.mktemp("state"), runner_socket=programs.socket)
    with serving(create_app(settings, catalogue=load_own_course())) as address:
        yield address


def serve_stage(folder: Path, catalogue: Catalogue) -> Iterator[tuple[str, StagedRunner]]:
    require_assets()
    runner = StagedRunner()
    with serving(create_app(Settings(state_folder=folder), runner, catalogue)) as address:
        yield address, runner


@pytest.fixture(scope="session")
def stage_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, StagedRunner]]:
    yield from serve_stage(tmp_path_factory.mktemp("state"), load_own_course())


@pytest.fixture(scope="session")
def task_stage_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, StagedRunner]]:
    yield from serve_stage(tmp_path_factory.mktemp("state"), make_catalogue())


@pytest.fixture
def stage(stage_server: tuple[str, StagedRunner]) -> tuple[str, StagedRunner]:
    """Return the address of the app with a staged runner, and that runner without the instructions of earlier tests."""
    stage_server[1].reset()
    return stage_server


@pytest.fixture
def task_stage(task_stage_server: tuple[str, StagedRunner]) -> tuple[str, StagedRunner]:
    """Return the same as `stage`, with the course that has a task of every kind."""
    task_stage_server[1].reset()
    return task_stage_server


class Watch:
    """A browser context and its failures: an error in a page, a violated policy, a request to another host.

    No other host is found, so a request to one fails. Only failures are listened to, because reporting every request takes time.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.addresses: set[str] = set()  # the sites of which it may have stored something
        self.hosts = {""}  # ours: a request may fail after its test
        self.wrong: list[str] = []
        context.on("weberror", lambda error: self.wrong.append(str(error.error)))
        context.on("console", lambda message: self.wrong.append(message.text) if "Content Security Policy" in message.text else None)
        context.on("requestfailed", self.note_strange)

    def note_strange(self, request: Request) -> None:
        if urlsplit(request.url).netloc not in self.hosts:
            self.wrong.append(request.url)

    def open_page(self, address: str, width: int | None = None, height: int | None = None, **options: Any) -> Page:
        """Return an empty page that is to go to an address."""
        self.addresses.add(address)
        self.hosts.add(urlsplit(address).netloc)
        page = self.context.new_page()
        if width or height:
            page.set_viewport_size({"width": width or WIDTH, "height": height or HEIGHT})
        if options:
            page.emulate_media(**options)
        return page

    def forget(self) -> None:
        """Reset the context to that of a reader who has been here before: only its cache remains."""
        blank, *pages = self.context.pages
        for page in pages:
            page.close()
        self.context.clear_cookies()
        self.context.clear_permissions()
        self.context.set_offline(False)
        session = self.context.new_cdp_session(blank)
        for address in self.addresses:
            session.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "local_storage,indexeddb"})
        session.detach()
        self.addresses.clear()

    def check(self) -> None:
        wrong, self.wrong = self.wrong, []
        assert wrong == []


def make_context(browser: Browser, width: int = WIDTH, height: int = HEIGHT, **options: Any) -> BrowserContext:
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **options)
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    return context


def resize(page: Page, width: int, height: int = HEIGHT) -> None:
    """Resize the window, and wait until the page is drawn in the new size."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(
        """([width, height]) => new Promise((done) => {
            const frame = () => innerWidth === width && innerHeight === height ? requestAnimationFrame(done) : requestAnimationFrame(frame);
            frame();
        })""",
        [width, height],
    )


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Yield a function that makes a browser context with an empty cache, closed after the test. It costs a third more than `empty_page`."""
    contexts: list[BrowserContext] = []

    def make(**options: Any) -> BrowserContext:
        contexts.append(make_context(browser, **options))
        return contexts[-1]

    yield make
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def idle_watches() -> dict[frozenset[tuple[str, Any]], list[Watch]]:
    """Return contexts for the next tests, by their options. Scripts are fetched and compiled once for all of them."""
    return defaultdict(list)


@pytest.fixture
def take_watch(browser: Browser, idle_watches: dict[frozenset[tuple[str, Any]], list[Watch]]) -> Iterator[Callable[..., Watch]]:
    """Yield a function that returns a context like a new one at each call. Fails the test if anything went wrong in one."""
    taken: list[tuple[list[Watch], Watch]] = []

    def take(**options: Any) -> Watch:
        idle = idle_watches[frozenset(options.items())]
        if not idle:
            idle.append(Watch(make_context(browser, **options)))
            idle[0].context.new_page()  # stays, and with it the window: a page in a window of its own takes longer to open
        taken.append((idle, idle.pop()))
        return taken[-1][1]

    yield take
    for idle, watch in reversed(taken):
        watch.forget()
        idle.append(watch)
    for _, watch in taken:
        watch.check()


@pytest.fixture
def empty_page(take_watch: Callable[..., Watch]) -> Callable[..., Page]:
    """Return a function that makes a page, which is to go to an `address`, in a browser without stored data.

    Fails the test if anything went wrong in the page. Changes to the context itself, such as `route`, `clock` or `add_init_script`, would
    remain: they need `new_context`.
    """

    def make(address: str, **options: Any) -> Page:
        of_page = {name: options.pop(name) for name in PAGE_OPTIONS if name in options}
        return take_watch(**options).open_page(address, **of_page)

    return make


@pytest.fixture
def first_visit(empty_page: Callable[..., Page]) -> Callable[..., Page]:
    """Return a function that opens a page in a browser that stores nothing but the cookie of a `learner`."""

    def open_it(address: str, path: str, learner: Page | None = None, **options: Any) -> Page:
        page = empty_page(address, **options)
        if learner:
            page.context.add_cookies([cookie for cookie in learner.context.cookies(address) if cookie["name"] == "learner"])  # type: ignore[misc]
        page.goto(address + path)
        return page

    return open_it


@pytest.fixture
def open_page(site: str, take_watch: Callable[..., Watch]) -> OpenPage:
    """Return a function that opens pages of the app with the real runner, all in one browser.

    Fails the test if anything went wrong in them.
    """
    watch = take_watch()

    def open_it(path: str = SINH_BAD, width: int | None = None, height: int | None = None, **options: Any) -> Page:
        page = watch.open_page(site, width, height, **options)
        page.goto(site + path)
        return page

    return open_it


@pytest.fixture
def bench(open_page: OpenPage) -> PlaygroundPage:
    return PlaygroundPage(open_page(PLAYGROUND))


@pytest.fixture
def lesson(request: pytest.FixtureRequest) -> LessonPage:
    """Return a lesson with the real runner; with the mark `same_page`, with the real runner's earlier answers to the same program."""
    if request.node.get_closest_marker("same_page"):
        return RelayedPage(*request.getfixturevalue("same_page"), request.getfixturevalue("relay"))
    return LessonPage(request.getfixturevalue("open_page")())


@pytest.fixture
def staged(request: pytest.FixtureRequest, stage: tuple[str, StagedRunner]) -> tuple[LessonPage, StagedRunner]:
    """Return a lesson with the staged runner."""
    address, runner = stage
    if request.node.get_closest_marker("same_page"):
        return LessonPage(request.getfixturevalue("same_page")[0]), runner
    return LessonPage(request.getfixturevalue("first_visit")(address, SINH_BAD)), runner


class RelayedPage(LessonPage):
    """A lesson of a staged runner that relays: a program runs only the first time."""

    def __init__(self, page: Page, runner: StagedRunner, relay: MessageBroker) -> None:
        super().__init__(page)
        self._runner, self._relay = runner, relay
        runner.ordinary = relay.play()

    def run(self, name: str = "sinh-bad", source: str | None = None) -> None:
        """Run a cell. If `source` is given, that is run instead; the cell's text stays unchanged."""
        if source is not None:
            self._runner.plays = [self._relay.play(source)]
        super().run(name)


@pytest.fixture(scope="session")
def relay(programs: Programs) -> MessageBroker:
    return MessageBroker(programs.socket)


@pytest.fixture(scope="session")
def stage_watch(browser: Browser) -> Watch:
    return Watch(make_context(browser))


@pytest.fixture
def same_page(request: pytest.FixtureRequest, stage: tuple[str, StagedRunner], stage_watch: Watch) -> Iterator[tuple[Page, StagedRunner]]:
    """Yield a lesson of the staged runner that stays open and is reset after each test with the mark of this name.

    A test may change only what runs show and the reader's place; otherwise the next test gets another page.
    """
    (address, runner), failed = stage, request.session.testsfailed
    if not stage_watch.context.pages:  # the first time, and if it could not be reset
        page = stage_watch.open_page(address)
        page.goto(address + SINH_BAD)
        page.evaluate("window.atFirst = document.querySelector('code-cell').cell.run.value")
    (page,) = stage_watch.context.pages
    yield page, runner
    stage_watch.context.clear_permissions()
    page.mouse.move(0, 0)
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.emulate_media(media="null", color_scheme="null", forced_colors="null")
    if page.url != address + SINH_BAD or request.session.testsfailed > failed or not page.evaluate(PUT_BACK):
        page.close()
    stage_watch.check()


@pytest.fixture
def open_tasks(task_stage: tuple[str, StagedRunner], first_visit: Callable[..., Page]) -> Callable[..., tuple[TaskPage, StagedRunner]]:
    """Return a function that opens the lesson with a task of every kind."""
    address, runner = task_stage

    def open_it(lang: str = "en", **options: Any) -> tuple[TaskPage, StagedRunner]:
        return TaskPage(first_visit(address, f"/{lang}/{PATH}", **options)), runner

    return open_it
