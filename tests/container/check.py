"""Starts both services from an image, as compose.yaml says, runs SinhBad through them, and prints what confines it.

    python -m tests.container.check "docker run --rm" gradroom
    python -m tests.container.check "docker run --rm" gradroom --network host  (options for web alone, where no port can be published)

The first argument is the engine's command. Everything that is started is ended; the volumes are called `gradroom-check-…` and stay.
"""

import json
import os
import re
import secrets
import shlex
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from tests.container.options import load_services, run_options
from tests.runtimes.functions import CHECKS, DRAWING, LEAF, SINH_BAD

ADDRESS = "http://127.0.0.1:8000"
READY_SECONDS = 60
TOKEN = secrets.token_urlsafe()
PROGRAM = SINH_BAD + LEAF + CHECKS.replace("(function, x)\n", "(function, x, raise_exception=False)\n") + DRAWING
OUTCOMES = {
    "import os; os.fork()": "forbidden",
    "import socket; socket.socket()": "forbidden",
    **{f"open('{folder}/x', 'w')": "forbidden" for folder in ("/run/gradroom", "/tmp", "/dev/shm", "/scratch", "/var/lib/gradroom")},
    "kept = []\nwhile True: kept.append(bytearray(10**7))": "out_of_memory",
    "import torch; torch.ones(10**10)": "out_of_memory",
    "import time\nfor n in range(70): open(str(n), 'wb').write(b'x' * 10**6)\ntime.sleep(9)": "forbidden",
    "import os, torch\ntorch.save(torch.ones(3), 'x.pt')\nprint(os.listdir())": "finished",  # after all others: the container still works
}


def main() -> None:
    engine, image, *web_options = sys.argv[1:]
    services = load_services()
    web_options = web_options or ["--publish=127.0.0.1:8000:8000"]
    with (
        started(engine, image, services["runner"], ["--name=gradroom-check-runner"]) as runner,
        started(
            engine, image, services["web"], ["--name=gradroom-check-web", f"--env=GRADROOM_OPERATOR_TOKEN={TOKEN}", *web_options]
        ) as web,
    ):
        wait_until_ready(runner, web)
        result = ask("/api/runs", {"source": PROGRAM})
        print(json.dumps(ask("/api/sandbox"), indent=1))
        verdicts = [(record["kind"], record.get("order"), record.get("passed")) for record in result["records"]]
        print(result["outcome"], verdicts, result["timing"])
        assert result["outcome"] == "finished", result["error"]
        assert verdicts == [("gradcheck", 1, True), ("gradcheck", 2, False), ("graph", None, None)]
        assert "<svg" in result["records"][2]["svg"]
        for source, outcome in OUTCOMES.items():
            answer = ask("/api/runs", {"source": source})
            print(f"{source!r}: {answer['outcome']}, {answer['error'] and answer['error']['type']}")
            assert answer["outcome"] == outcome, answer


@contextmanager
def started(
    engine: str, image: str, service: dict[str, Any], more: list[str], volumes: str = "gradroom-check"
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a container in the foreground of a process in a group of its own. The engine passes our signal on to the container.

    `volumes` begins the names of its volumes.
    """
    options = [re.sub("^--volume=(?!/)", f"--volume={volumes}-", option) for option in run_options(service)]
    process = subprocess.Popen([*shlex.split(engine), *options, *more, image, *service["command"]], start_new_session=True)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):  # it ended by itself
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)
        wait_until_gone(process.pid)


def wait_until_ready(*containers: subprocess.Popen[bytes]) -> None:
    for _ in range(READY_SECONDS):
        if any(container.poll() is not None for container in containers):
            raise SystemExit("a container ended by itself")
        try:
            return print("ready:", ask("/readyz"))
        except OSError:
            time.sleep(1)
    raise SystemExit(f"not ready within {READY_SECONDS} s: {reason()}")


def wait_until_gone(group: int) -> None:
    """Wait until the whole process group has ended. The engine's command may be a script, which ends before the engine does."""
    for _ in range(300):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)


def reason() -> str:
    try:
        return json.dumps(ask("/readyz"))
    except urllib.error.HTTPError as error:
        return error.read().decode()
    except OSError as error:
        return str(error)


def ask(path: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(ADDRESS + path, data, {"content-type": "application/json", "authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request, timeout=90) as answer:
        return json.load(answer)


if __name__ == "__main__":
    main()
