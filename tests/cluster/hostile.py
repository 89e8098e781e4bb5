"""The hostile suite with every order sent through Ray: `python -m tests.cluster.hostile [--only TEXT]`, as root. Needs the extra `ray`.

A real Ray with TLS and tokens stands beside the runner that is attacked. Programs that look for Ray itself are added to the suite's.
"""

import argparse
import asyncio
import json
import logging
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import structlog

from app.cluster.commands import find_address
from app.cluster.key_folder import KeyFolder
from app.cluster.node_plan import NodePlan
from app.protocol.event import RunEvent
from app.protocol.run import RunOrder, RunResult
from app.runner.client import RunnerError
from app.runner.cluster.ray_runner import RayRunner
from tests.patience import wait_for
from tests.programs import Programs, order_of
from tests.sandbox.hostile.baseline import Baseline
from tests.sandbox.hostile.row import load_rows
from tests.sandbox.hostile.suite import Judged, applicable, judge_rows, started_runner

NODE = "n1"
RAY_PORT, PORT = 6397, 8763
START_SECONDS = 180.0
# Each prints REACHED if it finds anything of Ray.
LOOKS_FOR_RAY = {
    "session folder": "import os\nprint('REACHED', os.listdir('/tmp/ray'))",
    "session's sockets": "import glob\nfound = glob.glob('/tmp/ray/*/sockets/*')\nprint('REACHED' if found else 'nothing', found)",
    "object store": "import os\nprint('REACHED', open('/dev/shm/' + os.listdir('/dev/shm')[0], 'rb').read(8))",
    "head": f"import socket\nsocket.create_connection(('127.0.0.1', {RAY_PORT}))\nprint('REACHED')",
    "entry": f"import urllib.request\nprint('REACHED', urllib.request.urlopen('http://127.0.0.1:{PORT}/-/routes').read())",
    "environment": "import os\nfound = [name for name in os.environ if 'RAY' in name]\nprint('REACHED' if found else 'nothing', found)",
    "import": "import ray\nray.init(address='auto')\nprint('REACHED')",
    "memory of workers": (
        "import os\nfor pid in os.listdir('/proc'):\n    if pid.isdigit() and int(pid) != os.getpid():\n"
        "        try: command = open(f'/proc/{pid}/cmdline').read()\n        except OSError: continue\n"
        "        if 'ray' in command: print('REACHED', command)"
    ),
}


class ThroughRay(Programs):
    """Sends orders through the entry, and asks all else of the runner itself."""

    token = ""

    async def collect(self, order: RunOrder) -> list[RunEvent]:
        async with RayRunner([f"127.0.0.1:{PORT}"], self.token) as runner, runner.run(order) as stream:
            return [event async for event in stream]


@contextmanager
def ray_beside(socket: Path) -> Iterator[str]:
    """Run Ray with a relay to this socket for as long as the block lasts, and yield the token for runs."""
    with tempfile.TemporaryDirectory(prefix="gradroom-ray-") as folder:
        keys = KeyFolder(Path(folder, "keys"), Path(folder, "own"))
        keys.make()
        address = find_address()
        keys.issue([address])
        head = f"{address}:{RAY_PORT}"
        plan = NodePlan(
            name=NODE,
            address=address,
            head=head,
            is_head=True,
            runs=True,
            host="127.0.0.1",
            port=PORT,
            redis=None,
            secrets_folder=keys.folder,
            own_folder=keys.own,
            socket=socket,
        )
        module = (sys.executable, "-P", "-m")
        commands = (
            (*module, "app.cluster.ray_process", str(keys.folder), str(keys.own), "--", *plan.ray_options),
            (*module, "app.cluster.keeper", plan.encode()),
        )
        processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for command in commands]
        token = keys.run_token.read_text()
        try:
            wait_for(lambda: is_ready(token), seconds=START_SECONDS)
            yield token
        finally:
            for process in reversed(processes):
                process.terminate()
                process.wait(60)


def is_ready(token: str) -> bool:
    async def ask() -> bool:
        async with RayRunner([f"127.0.0.1:{PORT}"], token) as runner:
            return (await runner.status()).ready

    with suppress(RunnerError):
        return asyncio.run(ask())
    return False


def look_for_ray(programs: Programs) -> Iterator[Judged]:
    for name, text in LOOKS_FOR_RAY.items():
        last = asyncio.run(programs.collect(order_of(text)))[-1]
        if not isinstance(last, RunResult):
            yield Judged(name=f"ray/{name}", outcome="none", wrong=[str(last)])
        else:
            yield Judged(name=f"ray/{name}", outcome=last.outcome.value, wrong=[last.stdout] if "REACHED" in last.stdout else [])


def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    only = parser.parse_args().only
    judged: list[Judged] = []
    with started_runner("torch") as attacked, ray_beside(attacked.programs.socket) as token:
        programs = ThroughRay(attacked.programs.socket, attacked.programs.process)
        programs.token = token
        baseline = Baseline(programs.process.pid, attacked.scratch)  # with Ray's processes, which are there to stay
        runner = replace(attacked, programs=programs, baseline=baseline)
        rows = [row for row in applicable(load_rows(), runner.setting, "torch") if only in row.name]
        asyncio.run(judge_rows(runner, rows, judged.append))
        judged += look_for_ray(programs)
    for verdict in judged:
        if verdict.wrong or verdict.name.startswith("ray/"):
            print(json.dumps(verdict.__dict__), flush=True)
    wrong = sum(bool(verdict.wrong) for verdict in judged)
    print(f"{len(judged)} verdicts, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
