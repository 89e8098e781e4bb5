"""Prints which files and functions of `app/` a run and a submission use, in web, runner and child: `python -m tests.walk [--list]`.

Each request is sent several times to a real, warm server. A function counts if it was entered between request and answer in each of them,
so that work which happens at the same time by chance does not count.
"""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from app.lessons.course.catalogue import load_catalogue
from tests.bench.server import await_ready, end, read_address
from tests.bench.snippet import SNIPPET
from tests.walk.marks import ROOT, Function, Marks

PROCESSES = ("web", "runner", "child")
WARM_UPS, TIMES = 2, 5
REST_SECONDS = 2.0  # after this time the waiting children are forked and touched again


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="gradroom-walk-") as folder:
        marks = {name: Marks(Path(folder, name)) for name in PROCESSES}
        settings = {"WALK_FOLDER": folder, "GRADROOM_STATE_FOLDER": f"{folder}/state", "GRADROOM_LOG_LEVEL": "warning"}
        command = [sys.executable, "-m", "tests.walk.process", "serve", "--port", "0"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ | settings, cwd=ROOT)
        try:
            host, port = read_address(server)
            await_ready(host, port)
            walks = {name: walk(marks, f"{host}:{port}", *request) for name, request in requests().items()}
        finally:
            end(server)
    show(walks, "--list" in sys.argv)


def requests() -> dict[str, tuple[str, str, str]]:
    """Return for each walk the address, the program that is sent there, and the event that ends it successfully."""
    lesson, exercise = next(
        (lesson, exercise) for lesson in load_catalogue(ROOT / "lessons").course.lessons for exercise in lesson.exercises
    )
    submissions = f"/api/lessons/{lesson.path}/exercises/{exercise.id}/submissions"
    return {"run": ("/api/runs", SNIPPET, '"outcome":"finished"'), "submission": (submissions, exercise.solution, '"passed":true')}


def walk(marks: dict[str, Marks], address: str, path: str, source: str, wanted: str) -> dict[str, set[Function]]:
    """Return the functions that each process entered during every request."""
    client = http.client.HTTPConnection(address, timeout=60)
    client.request("GET", "/api/lessons")
    answer = client.getresponse()
    answer.read()
    headers = {"Cookie": str(answer.headers["set-cookie"]), "Content-Type": "application/json", "Accept": "text/event-stream"}
    found: dict[str, set[Function]] = {}
    for number in range(WARM_UPS + TIMES):
        time.sleep(REST_SECONDS)
        for one in marks.values():
            one.clear()
        client.request("POST", path, json.dumps({"source": source}), headers)
        events = client.getresponse().read().decode()
        entered = {name: one.read() for name, one in marks.items()}
        if wanted not in events:
            raise SystemExit(f"{path} did not end with {wanted}: {events[-1000:]}")
        if number >= WARM_UPS:
            found = {name: found.get(name, functions) & functions for name, functions in entered.items()}
    client.close()
    return found


def show(walks: dict[str, dict[str, set[Function]]], with_names: bool) -> None:
    def count(functions: set[Function]) -> dict[str, Any]:
        named = sorted((str(Path(file).relative_to(ROOT)), name) for file, _, name in functions if not name.endswith(">"))
        figures = {"files": len({file for file, _, _ in functions}), "functions": len(named)}
        return figures | ({"list": [f"{file}: {name}" for file, name in named]} if with_names else {})

    table = {
        walk: {name: count(functions) for name, functions in parts.items()} | {"web and runner": count(parts["web"] | parts["runner"])}
        for walk, parts in walks.items()
    }
    print(json.dumps(table, indent=1))


if __name__ == "__main__":
    main()
