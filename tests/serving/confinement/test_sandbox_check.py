"""When a runner's answer about its sandbox is final."""

from pathlib import Path

import pytest

from app.protocol.sandbox import RunnerStatus, SandboxReport, answer_operator
from app.serving.confinement.sandbox_check import ask_sandbox, is_settled

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
