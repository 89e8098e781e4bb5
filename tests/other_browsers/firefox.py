"""Drives Firefox, as Debian packages it, over WebDriver BiDi, which needs neither a driver nor geckodriver."""

import base64
import itertools
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.other_browsers.driver import DriverError
from tests.patience import PATIENCE_SECONDS, wait_for

PROGRAMS = ("firefox-esr", "firefox")


class Firefox:
    name = "Firefox"

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._numbers = itertools.count(1)
        self.version = self._ask("session.new", capabilities={})["capabilities"]["browserVersion"]
        self._context = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def open(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        answer = self._ask(
            "script.evaluate", expression=f"JSON.stringify([{expression}])", target={"context": self._context}, awaitPromise=False
        )
        if answer["type"] != "success":
            raise DriverError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])[0]

    def act(self, source: dict[str, Any]) -> None:
        self._ask("input.performActions", context=self._context, actions=[source])

    def resize(self, width: int, height: int) -> None:
        self._ask("browsingContext.setViewport", context=self._context, viewport={"width": width, "height": height})

    def print_pdf(self) -> bytes:
        return base64.b64decode(self._ask("browsingContext.print", context=self._context, background=True)["data"])

    def _ask(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self._connection.recv(timeout=PATIENCE_SECONDS))).get("id") != number:
            pass  # an event
        if answer["type"] == "error":
            raise DriverError(f"{method}: {answer['message']}")
        return answer["result"]


@contextmanager
def running_firefox() -> Iterator[Firefox | None]:
    """Yield a Firefox without a window and with a profile of its own; None if Firefox is not installed."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="gradroom-firefox-", ignore_cleanup_errors=True) as profile:
        said = Path(profile, "WebDriverBiDiServer.json")
        command = [program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(lambda: said.exists() and said.read_text().endswith("}"), lambda: "Firefox did not say where it listens")
            with connect(f"ws://127.0.0.1:{json.loads(said.read_text())['ws_port']}/session", max_size=None) as connection:
                yield Firefox(connection)
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)
