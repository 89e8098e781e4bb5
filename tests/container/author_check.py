"""Writes a lesson with the image alone, as docs/deployment.md says: makes it, follows a change, records, checks, and serves it to learners.

    python -m tests.container.author_check "docker run --rm" gradroom --network host

The first argument is the engine's command; what follows the image are options for the servers. All that is started is ended; the volumes
are called `gradroom-check-…` and stay.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.container.options import load_services, run_options

PATIENCE_SECONDS = 60
AUTHOR, CLASSROOM = "http://127.0.0.1:8001", "http://127.0.0.1:8000"
LESSON = "first-steps/a-slope"


def main() -> None:
    engine, image, *server_options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        course = Path(name)
        owner = os.getuid() or 1000
        os.chown(course, owner, -1)
        services = load_services({"COURSE": name, "COURSE_UID": str(owner)})

        def command(service: str, words: list[str], *options: str) -> list[str]:
            named = [
                option.replace("=socket:", "=gradroom-check-socket:").replace("=state:", "=gradroom-check-state:")
                for option in run_options(services[service])
            ]
            return [*shlex.split(engine), *options, *named, image, *words]

        def serve(service: str, *options: str) -> None:
            container = f"gradroom-check-{service}"
            stack.enter_context(running(engine, container, command(service, services[service]["command"], f"--name={container}", *options)))

        subprocess.run(command("author", ["lessons", "new", LESSON]), check=True)
        serve("runner")
        serve("author", *server_options)
        wait_for(f"{AUTHOR}/readyz", '"ready":true')
        wait_for(f"{AUTHOR}/en/{LESSON}", "Author mode")
        cell = course / LESSON / "cells/slope.py"
        cell.write_text(cell.read_text().replace("3.0", "4.0"))
        wait_for(f"{AUTHOR}/en/{LESSON}", "4.0")
        print(ask(f"{AUTHOR}/api/author/lessons/{LESSON}/cells/slope/shows", "POST"))
        assert "tensor(8.)" in (course / LESSON / "lesson.toml").read_text()
        checked = subprocess.run(command("author", ["lessons", "check"]), stdout=subprocess.PIPE, text=True, check=False).stdout
        print(checked)
        assert "the prediction slope-value: answer: expected 6, the run shows 8" in checked
        serve("web", *server_options)
        wait_for(f"{CLASSROOM}/healthz", "")
        chapters = json.loads(ask(f"{CLASSROOM}/api/lessons"))["chapters"]
        assert chapters[-1]["id"] == "first-steps", chapters
        print("A lesson was made, served to its author, recorded, checked, and served beside the course.")


@contextmanager
def running(engine: str, name: str, command: list[str]) -> Iterator[None]:
    process = subprocess.Popen(command)
    try:
        yield
    finally:
        subprocess.run([shlex.split(engine)[0], "stop", name], check=False, capture_output=True)
        process.terminate()
        process.wait()


def wait_for(address: str, words: str) -> None:
    """Until the answer has these words; raises AssertionError with the last answer."""
    end = time.monotonic() + PATIENCE_SECONDS
    answer = ""
    while time.monotonic() < end:
        try:
            answer = ask(address)
        except OSError as error:
            answer = str(error)
        else:
            if words in answer:
                return
        time.sleep(0.1)
    raise AssertionError(f"{address} has no {words!r}: {answer[:500]}")


def ask(address: str, method: str = "GET") -> str:
    with urllib.request.urlopen(urllib.request.Request(address, method=method), timeout=PATIENCE_SECONDS) as answer:
        return str(answer.read().decode())


if __name__ == "__main__":
    main()
