"""When a runner's answer about its sandbox is final."""

import asyncio
import signal
import subprocess
from pathlib import Path

import pytest

from app.protocol.sandbox import RunnerStatus, SandboxReport, answer_operator
from app.serving.confinement import sandbox_check
from app.serving.confinement.sandbox_check import ask_runner, ask_sandbox, is_settled

SAFE = SandboxReport(setting="user", safe=True)


@pytest.mark.parametrize(
    ("status", "settled"),
    [
        (RunnerStatus(ready=False, reason="starting"), False),
        (RunnerStatus(ready=False, reason="no child is ready", sandbox=SAFE), False),
        (RunnerStatus(ready=True, sandbox=SAFE), True),
        (RunnerStatus(ready=False, sandbox=SandboxReport(setting="user", safe=False)), True),
    ],
)
def test_a_runner_is_asked_until_it_serves_or_must_not(status: RunnerStatus, settled: bool) -> None:
    assert is_settled(status) is settled


def test_a_socket_where_nobody_listens_is_said(tmp_path: Path) -> None:
    answer = ask_sandbox(tmp_path / "none.sock")
    assert not answer.ready
    assert answer.reason == f"the runner is out of reach: {tmp_path}/none.sock"


def test_without_a_report_nothing_is_safe() -> None:
    answer = answer_operator(RunnerStatus(ready=False, reason="the runner does not answer"))
    assert (answer.setting, answer.safe, answer.ready, answer.reason) == ("unknown", False, False, "the runner does not answer")


def test_a_runner_that_will_not_end_is_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runners: list[subprocess.Popen[bytes]] = []

    def start_stubborn(*_: object) -> "subprocess.Popen[bytes]":
        runners.append(subprocess.Popen(("sleep", "60"), preexec_fn=lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN)))
        return runners[0]

    monkeypatch.setattr(sandbox_check, "start", start_stubborn)
    monkeypatch.setattr(sandbox_check, "START_SECONDS", 0.05)
    monkeypatch.setattr(sandbox_check, "END_SECONDS", 0.05)

    async def scenario() -> None:
        async with asyncio.timeout(20):
            await ask_runner(tmp_path / "none.sock")

    asyncio.run(scenario())
    assert runners[0].returncode == -signal.SIGKILL
