"""A real `gradroom serve` on a free loopback port, started and ended by the benchmark."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

READY_SECONDS = 120.0
END_SECONDS = 30.0
TOKEN = "the benchmark's own operator"
ANY_RATE = {f"GRADROOM_{name}": "100000" for name in ("RATE_PER_LEARNER", "BURST_PER_LEARNER", "RATE_PER_ADDRESS", "BURST_PER_ADDRESS")}


class ServerError(Exception):
    """The server did not start. The message ends with what it wrote."""


@dataclass(frozen=True)
class Server:
    pid: int
    host: str
    port: int
    ready_after_seconds: float

    def get(self, path: str) -> Any:
        """Return the JSON at a path."""
        request = urllib.request.Request(f"http://{self.host}:{self.port}{path}", headers={"Authorization": f"Bearer {TOKEN}"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)


@contextmanager
def serve(settings: Mapping[str, str] | None = None, before: Sequence[str] = ()) -> Iterator[Server]:
    """Yield a server that can run programs, with these environment variables in addition to ours. Raises ServerError.

    `before`: words to put before its command.
    """
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="gradroom-bench-") as folder, open(os.path.join(folder, "log"), "w+b") as log:
        process = subprocess.Popen(
            [*before, sys.executable, "-m", "app.cli", "serve", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=log,
            env=os.environ
            | {"GRADROOM_STATE_FOLDER": os.path.join(folder, "state"), "GRADROOM_LOG_LEVEL": "warning", "GRADROOM_OPERATOR_TOKEN": TOKEN}
            | dict(settings or {}),
        )
        try:
            host, port = read_address(process)
            await_ready(host, port)
            yield Server(process.pid, host, port, round(time.perf_counter() - started, 2))
        except ServerError as error:
            log.seek(0)
            raise ServerError(f"{error}\n{log.read().decode(errors='replace')[-4000:]}") from None
        finally:
            end(process)


def read_address(process: "subprocess.Popen[bytes]") -> tuple[str, int]:
    assert process.stdout is not None
    line = process.stdout.readline().decode()  # the end of file if it dies
    address = urlsplit(line.rpartition(" ")[2].strip())
    if not address.hostname or not address.port:
        raise ServerError(f"the server did not say where it is: {line!r}")
    return address.hostname, address.port


def await_ready(host: str, port: int) -> None:
    deadline = time.monotonic() + READY_SECONDS
    answer = ""
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"http://{host}:{port}/readyz", timeout=10).close()
            return
        except urllib.error.HTTPError as error:
            answer = error.read().decode(errors="replace")
        except OSError as error:
            answer = str(error)
        time.sleep(0.05)
    raise ServerError(f"the server is not ready after {READY_SECONDS:g} s: {answer}")


def end(process: "subprocess.Popen[bytes]") -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
