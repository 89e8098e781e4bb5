"""A runner that was told to confine nothing: what is off, what stays, and whose orders it takes."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator

import msgspec
import pytest

from app.protocol.limits import Limits
from app.protocol.outcome import Outcome
from app.protocol.run import RunResult
from app.runner.client import RunnerUnconfined
from app.serving.confinement.unconfined import SWITCH
from tests.programs import BARE_RUNNER, Programs, order_of, running_programs


@pytest.fixture(scope="module")
def unconfined() -> Iterator[Programs]:
    with running_programs(options=(SWITCH,), runner=BARE_RUNNER) as running:
        yield running


def run(programs: Programs, text: str, limits: Limits | None = None) -> RunResult:
    order = msgspec.structs.replace(order_of(text, limits), unconfined=True)
    last = asyncio.run(programs.collect(order))[-1]
    assert isinstance(last, RunResult)
    return last


def test_an_order_that_counts_on_a_sandbox_is_refused(unconfined: Programs) -> None:
    with pytest.raises(RunnerUnconfined):
        unconfined.run("1")


def test_a_program_may_do_what_the_sandbox_forbids(unconfined: Programs) -> None:
    source = "import socket, subprocess\nsocket.socket()\nprint(subprocess.run(['cat', '/etc/passwd'], capture_output=True).returncode)"
    result = run(unconfined, source)
    assert (result.outcome, result.stdout) == (Outcome.FINISHED, "0\n")


def test_it_is_still_limited_and_sees_nothing_of_the_servers(unconfined: Programs) -> None:
    source = """
import os
print(sorted(name for name in os.environ if name.startswith("GRADROOM")), os.listdir("."))
descriptors = [name for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")]
print(sorted(descriptors))
bytearray(10**12)
"""
    result = run(unconfined, source)
    assert (result.outcome, result.stdout) == (Outcome.OUT_OF_MEMORY, "[] []\n['0', '1', '2', '3']\n")


def test_its_deadline_still_ends_it(unconfined: Programs) -> None:
    assert run(unconfined, "while True: pass", Limits(deadline_seconds=0.5)).outcome == Outcome.TIMED_OUT


def test_it_is_reported_as_no_sandbox(unconfined: Programs) -> None:
    report = unconfined.status().sandbox
    assert report
    assert (report.setting, report.safe) == ("none", False)
    assert {layer.name for layer in report.layers if layer.active} == {"rlimits"}


def test_sandbox_check_says_so_of_a_running_runner(unconfined: Programs) -> None:
    command = (sys.executable, "-m", "app.cli", "sandbox", "check", "--json", "--socket", str(unconfined.socket))
    ended = subprocess.run(command, capture_output=True, text=True)
    answer = json.loads(ended.stdout)
    assert (ended.returncode, answer["setting"], answer["safe"], answer["ready"]) == (1, "none", False, True)


def test_a_runner_with_a_sandbox_stays_confined_whatever_an_order_agrees_to(programs: Programs) -> None:
    assert run(programs, "import os\nos.fork()").outcome == Outcome.FORBIDDEN
