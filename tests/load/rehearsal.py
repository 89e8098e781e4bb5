"""Rehearses a class with real browsers among its learners: `python -m tests.load.rehearsal [--postgresql] [--learners N] [--minutes N]`.

It starts a server on loopback (with --postgresql two web processes and a PostgreSQL server, else one on SQLite), makes a class, and lets
`gradroom loadtest` play the learners and an instructor. Three learners more have real browsers, one of them 390 pixels wide; a fourth
browser shows the board and a fifth the projector. It prints JSON: the load test's report, what the browsers measured, in seconds, and the
processor and memory of each kind of process. With --store FOLDER the store is left there, for `tests.load.stuck_thresholds`.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import msgspec
from playwright.sync_api import Browser, Page, Request, sync_playwright

from app.loadtest.report import summarise_waits
from tests.bench.figures import say
from tests.bench.server import Server, serve
from tests.browsers import find_chromium
from tests.load.process_use import ProcessUse
from tests.postgresql import PostgresServer, find_programs

CLASS, PATH = "Monday group", "Why is my second derivative wrong?"
LESSON = "backward-twice/sinh-bad"
WIDTHS = (1440, 1280, 390)
ROUND_SECONDS = 15.0  # so that the rounds of a rehearsal of ten minutes fall into the seconds in which all learners press Run
PATIENCE_MS = 30_000
NEWS = re.compile(r"\d+ new: update")


def operate(settings: Mapping[str, str], *words: str) -> str:
    """Run a command of the operator and return what it prints."""
    command = [sys.executable, "-m", "app.cli", *words]
    return subprocess.run(command, env=os.environ | settings, check=True, capture_output=True, text=True).stdout


def add_instructor(settings: Mapping[str, str], name: str) -> str:
    """Add an instructor and return the path of their link."""
    found = re.search(r"/sign-in/\S+", operate(settings, "instructor", "add", name))
    assert found
    return found[0]


@contextmanager
def serving(postgres: bool, store: Path) -> Iterator[tuple[Server, PostgresServer | None, Mapping[str, str]]]:
    """Yield a server, its PostgreSQL server, if any, and the settings with which commands reach its store."""
    with ExitStack() as stack:
        settings, database = {"GRADROOM_STATE_FOLDER": str(store)}, None
        if postgres:
            programs = find_programs()
            if programs is None:
                raise SystemExit("PostgreSQL is not installed")
            database = PostgresServer(programs)
            stack.callback(database.close)
            settings |= {"GRADROOM_DATABASE_URL": database.make_database(), "GRADROOM_WEB_PROCESSES": "2"}
        yield stack.enter_context(serve(settings)), database, settings


class Classroom:
    """The five browsers. `seconds` are the waits that they measured, by what was waited for."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser, self._address = browser, address
        self.seconds: dict[str, list[float]] = {}
        self.faults: list[str] = []
        self.code = ""
        self.learners: list[Page] = []

    def open_context(self, width: int = 1440, height: int = 900) -> Page:
        page = self._browser.new_context(viewport={"width": width, "height": height}).new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.faults.append(f"{page.url}: {error}"))
        page.on("response", lambda answer: self._note(answer.status, answer.url) if answer.status >= 400 else None)
        return page

    def _note(self, status: int, url: str) -> None:
        """A second run of a program gives way to first ones with a 503, and the page asks again later."""
        if not (status == 503 and url.endswith("/trace")):
            self.faults.append(f"{status} {url}")

    def make_class(self, link: str) -> None:
        """Sign in by the link, make the class from a path, and open the board."""
        self.board = page = self.open_context()
        page.goto(self._address + link)
        for field in page.locator("input[type=password]").all():
            field.fill("correct horse battery")
        page.locator("main form button").last.click()
        page.wait_for_url("**/account*")
        page.goto(f"{self._address}/en/teach")
        page.get_by_label("Name").fill(CLASS)
        page.get_by_text(PATH).click()
        page.get_by_role("button", name="Make the class").click()
        page.wait_for_url("**/lessons*")
        page.goto(f"{self._address}/en/teach/1/code")
        found = re.search(r"/join/([0-9A-Z]{8})", page.content())
        assert found
        self.code = found[1]
        self.time("board", lambda: page.goto(f"{self._address}/en/teach/1"))

    def join(self) -> None:
        """Let three learners join, and open the lesson."""
        for number, width in enumerate(WIDTHS):
            page = self.open_context(width)
            page.goto(f"{self._address}/en/join/{self.code}")
            page.get_by_label("Your name in the class").fill(f"Browser {number}")
            page.get_by_role("button", name="Join", exact=True).click()
            page.get_by_role("heading", name="You are in").wait_for()
            self.time("lesson", partial(page.goto, f"{self._address}/en/{LESSON}"))
            self.learners.append(page)

    def play_round(self, number: int) -> None:
        """Each learner submits the exercise's starter. The first one raises or lowers a hand, and the board shows what is new."""
        for page in self.learners:
            self.time("submission", partial(self._submit, page))
        self.update_board()
        hand = self.learners[0].locator("section.exercise").first.locator("ask-for-help")
        if number % 2 == 0:
            hand.get_by_role("button", name="Ask for help").click()
            hand.get_by_role("button", name="Raise my hand").click()
            self.time("hand on the board", lambda: self.board.get_by_text(NEWS).first.wait_for())
        else:
            hand.get_by_role("button", name=re.compile("Lower|need no")).first.click()
        self.update_board()

    def _submit(self, page: Page) -> None:
        """Submit, and wait for the end of the answer, which the page may close itself after the last event."""
        ended: list[Request] = []
        for event in ("requestfinished", "requestfailed"):
            page.on(event, lambda request: ended.append(request) if request.url.endswith("/submissions") else None)
        page.locator("section.exercise").first.get_by_role("button", name=re.compile("^(Submit|Check)")).first.click()
        while not ended:
            page.wait_for_timeout(10)

    def update_board(self) -> None:
        news = self.board.get_by_role("button", name=NEWS)
        if news.count():
            self.time("update of the board", news.first.click)

    def show(self) -> None:
        """Open the projector for an attempt and turn to the next one."""
        link = self.board.locator("a[href*='/show/']").first
        if not link.count():
            return
        if not hasattr(self, "projector"):
            self.projector = self.open_context(1280, 720)
            self.projector.context.add_cookies(self.board.context.cookies())  # type: ignore[arg-type]
        self.time("projector", lambda: self.projector.goto(self._address + (link.get_attribute("href") or "")))
        self.projector.keyboard.press("n")

    def time(self, what: str, act: Callable[[], object]) -> None:
        began = time.monotonic()
        act()
        self.seconds.setdefault(what, []).append(round(time.monotonic() - began, 3))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--learners", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--store", type=Path)
    options = parser.parse_args()
    with ExitStack() as stack:
        store = options.store or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gradroom-rehearsal-")))
        server, database, settings = stack.enter_context(serving(options.postgresql, store))
        link, second = add_instructor(settings, "Instructor"), add_instructor(settings, "Rehearsal")
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        address = f"http://{server.host}:{server.port}"
        room = Classroom(browser, address)
        room.make_class(link)
        operate(settings, "class", "instructor", CLASS, "Rehearsal")
        words = ["loadtest", address, "--class", room.code, "--instructor", address + second, "--json"]
        words += ["--learners", str(options.learners), "--minutes", str(options.minutes)]
        room.join()  # first, because three browsers that start on the server's machine take its processors from the others' arrival
        loadtest = subprocess.Popen([sys.executable, "-m", "app.cli", *words], stdout=subprocess.PIPE)
        use = ProcessUse(
            {"server": server.pid, "loadtest": loadtest.pid, "browsers and this": os.getpid()}
            | ({"postgresql": database.pid} if database else {})
        )
        began, rounds = time.monotonic(), 0
        while loadtest.poll() is None:
            room.play_round(rounds)
            room.show()
            rounds += 1
            use.look()
            say(f"round {rounds}: { ({what: seconds[-1] for what, seconds in room.seconds.items()}) }")
            room.board.wait_for_timeout(1000 * (ROUND_SECONDS - (time.monotonic() - began) % ROUND_SECONDS))
        report = json.loads(loadtest.stdout.read())  # type: ignore[union-attr]
        print(
            json.dumps(
                {
                    "loadtest": report,
                    "browsers": {what: msgspec.to_builtins(summarise_waits(seconds)) for what, seconds in room.seconds.items()},
                    "faults": room.faults,
                    "use": use.report(),
                },
                indent=1,
            )
        )
        if database and options.store:
            with (store / "rehearsal.sql").open("wb") as file:
                url = settings["GRADROOM_DATABASE_URL"]
                subprocess.run(["pg_dump", "--no-owner", url], stdout=file, check=True)


if __name__ == "__main__":
    main()
