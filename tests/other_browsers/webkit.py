"""Drives WebKitGTK, the engine of Safari, as Debian packages it: its small browser with its own WebDriver, on a screen in memory."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.other_browsers.driver import DriverError, NotOffered
from tests.patience import PATIENCE_SECONDS, wait_for

PROGRAMS = ("WebKitWebDriver", "Xvfb")
# A window cannot be narrower than the browser's own buttons, so these have to be small for a window of 360 px.
SMALL_BUTTONS = "* { min-width: 0; padding: 0; margin: 0; font-size: 5px; }"


class WebKit:
    name = "WebKitGTK"

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._session = ""
        session = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": {}}})
        self.version = session["capabilities"]["browserVersion"]
        self._session = f"/session/{session['sessionId']}"

    def open(self, address: str) -> None:
        self._ask("POST", "/url", {"url": address})

    def evaluate(self, expression: str) -> Any:
        return json.loads(self._ask("POST", "/execute/sync", {"script": f"return JSON.stringify([{expression}])", "args": []}))[0]

    def act(self, source: dict[str, Any]) -> None:
        self._ask("POST", "/actions", {"actions": [source]})

    def resize(self, width: int, height: int) -> None:
        self._ask("POST", "/window/rect", {"width": width, "height": height})

    def print_pdf(self) -> bytes:
        raise NotOffered("WebKitWebDriver cannot print")

    def close(self) -> None:
        self._ask("DELETE", "")

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        value = self._client.request(method, self._session + path, json=body).json()["value"]
        if isinstance(value, dict) and "error" in value:
            raise DriverError(f"{path}: {value['error']}: {value['message']}")
        return value


@contextmanager
def running_webkit() -> Iterator[WebKit | None]:
    """Yield a browser with WebKitGTK; None if its driver, or the screen in memory, is not installed."""
    if not all(map(shutil.which, PROGRAMS)):
        yield None
        return
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gradroom-webkit-", ignore_cleanup_errors=True)))
        Path(folder, "gtk-3.0").mkdir()
        Path(folder, "gtk-3.0", "gtk.css").write_text(SMALL_BUTTONS)
        display = stack.enter_context(running_screen())
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        environment = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(folder)}
        stack.enter_context(running(["WebKitWebDriver", f"--port={port}"], env=environment))
        wait_for(lambda: answers(port), lambda: "WebKitWebDriver does not answer")
        client = stack.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_SECONDS))
        webkit = WebKit(client)
        stack.callback(webkit.close)
        yield webkit


@contextmanager
def running_screen() -> Iterator[str]:
    """Yield the name of an X display without a screen."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24"]
    with os.fdopen(reading) as number, running(command, pass_fds=(writing,), stderr=subprocess.DEVNULL):
        os.close(writing)
        yield f":{number.readline().strip()}"


@contextmanager
def running(command: list[str], **options: Any) -> Iterator[None]:
    process = subprocess.Popen(command, **options)
    try:
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
