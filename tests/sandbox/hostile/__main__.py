"""Runs the hostile suite by itself and prints a table: every row in the sandbox of this setting. Ends with 1 if one was not contained.

    python -m tests.sandbox.hostile [--twins | --twins-only | --record-twins] [--only TEXT] [--by-who] [--runtime NAME] [--as-user] [--json]

    --twins         run the twins as well: the same attempts in plain processes, where they must succeed
    --twins-only    run only the twins
    --record-twins  run only the twins and, if all succeed, record that (`twin_record.py`); needs root
    --by-who        only rows of groups whose defence depends on who runs the server (`row.py`)
    --only TEXT     only rows whose name contains the text
    --runtime NAME  in children of torch (default), tensorflow or jax
    --as-user       become an ordinary user first (needs root)
    --json          a JSON line for each row instead of the table

Needs nothing but Gradroom's own dependencies, so that it runs inside a container's image too.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict

from app.protocol.run import DEFAULT_RUNTIME, RuntimeName
from app.runtimes.specs import SPECS
from app.sandbox.scratch.scratch import empty_folder
from tests.sandbox.hostile.row import SETTINGS, Row, load_rows
from tests.sandbox.hostile.suite import SECRET, Judged, applicable, judge_rows, started_runner
from tests.sandbox.hostile.twin_record import record_success
from tests.sandbox.ordinary_user import as_ordinary_user, become_ordinary_user


def main() -> None:
    options = parse_options()
    if options.as_user:
        become_ordinary_user()
    rows = [row for row in load_rows() if options.only in row.name and (row.depends_on_who or not options.by_who)]
    twins_only = options.twins_only or options.record_twins
    judged: list[Judged] = []

    def tell(verdict: Judged) -> None:
        judged.append(verdict)
        print(json.dumps(asdict(verdict)) if options.json else render(verdict), flush=True)

    if not twins_only:
        run_rows(rows, options.runtime, tell)
    for verdict in judge_twins(rows) if options.twins or twins_only else ():
        tell(verdict)
    wrong = [verdict for verdict in judged if verdict.wrong]
    if options.record_twins and not wrong:
        record_success()
    if not options.json:
        print(f"{len(judged)} verdicts, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.sandbox.hostile")
    parser.add_argument("--twins", action="store_true")
    parser.add_argument("--twins-only", action="store_true")
    parser.add_argument("--record-twins", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--by-who", action="store_true")
    parser.add_argument("--runtime", choices=SPECS, default=DEFAULT_RUNTIME)
    parser.add_argument("--as-user", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.record_twins and (options.only or options.by_who or options.as_user or os.geteuid() != 0):
        parser.error("--record-twins is for all twins, and some need root")
    return options


def render(verdict: Judged) -> str:
    return "\n      ".join([f"{'WRONG' if verdict.wrong else 'ok':6}{verdict.outcome:15}{verdict.name}", *verdict.wrong])


def run_rows(rows: list[Row], runtime: RuntimeName, tell: Callable[[Judged], None]) -> None:
    with started_runner(runtime) as runner:
        if runner.setting not in SETTINGS:
            raise SystemExit(f"programs run in no sandbox here: {runner.setting}")
        here = applicable(rows, runner.setting, runtime)
        for row in rows:
            if row not in here:
                tell(Judged(name=row.name, outcome="not for this setting", wrong=[]))
        asyncio.run(judge_rows(runner, here, tell))


def judge_twins(rows: list[Row]) -> Iterator[Judged]:
    """Judge the twins of all rows that this user can try. For the others, say why they cannot succeed."""
    yield from (Judged(name=f"{row.name} (twin)", outcome=f"none: {row.twin.reason}", wrong=[]) for row in rows if row.twin.kind == "none")
    possible = [row for row in rows if row.twin.kind != "none" and row.machine in (None, os.uname().machine)]
    may_be_root = os.geteuid() == 0
    yield from run_twins([row for row in possible if not row.twin.as_root], as_ordinary_user())
    if may_be_root:
        yield from run_twins([row for row in possible if row.twin.as_root], [])


def run_twins(rows: list[Row], change: list[str]) -> Iterator[Judged]:
    """Start the process of the twins, with `change` before its command, and yield what it finds."""
    if not rows:
        return
    folder = tempfile.mkdtemp(prefix="hostile-twins-")
    os.chmod(folder, 0o777)
    command = [*change, sys.executable, "-m", "tests.sandbox.hostile.twin", folder, *(row.name for row in rows)]
    environment = os.environ | {"GRADROOM_COOKIE_SECRET": SECRET, "OMP_NUM_THREADS": "1"}
    try:
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        assert process.stdout
        waiting = [f"{row.name} (twin)" for row in rows]
        for line in process.stdout:
            found = json.loads(line)
            waiting.remove(f"{found['name']} (twin)")
            yield Judged(name=f"{found['name']} (twin)", outcome="as said" if not found["wrong"] else "contained", wrong=found["wrong"])
        process.wait()
        yield from (Judged(name=name, outcome="none", wrong=["it was not reached"]) for name in waiting)
    finally:
        empty_folder(folder)
        os.rmdir(folder)


if __name__ == "__main__":
    main()
