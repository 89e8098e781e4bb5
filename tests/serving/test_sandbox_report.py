"""The report of the sandbox in a terminal."""

from app.protocol.sandbox import Check, Layer, RunnerStatus, SandboxReport
from app.serving.sandbox_report import render_status

REPORT = SandboxReport(
    setting="user",
    safe=True,
    layers=[
        Layer(name="seccomp", active=True, detail="a filter"),
        Layer(name="cgroup", active=False, detail="not delegated", stands_in="rlimits"),
    ],
    checks=[Check(name="fork", passed=True), Check(name="socket", passed=False, detail="it opened")],
    degraded=["no cgroup"],
)


def test_every_layer_check_and_weakness_has_a_line() -> None:
    assert render_status(RunnerStatus(ready=True, sandbox=REPORT)).splitlines() == [
        "Setting: user",
        "",
        "active   seccomp: a filter",
        "absent   cgroup: not delegated; instead: rlimits",
        "",
        "refused  fork",
        "ALLOWED  socket: it opened",
        "",
        "Weaker than it could be: no cgroup",
        "Programs are run here.",
    ]


def test_a_runner_that_refuses_says_why() -> None:
    assert render_status(RunnerStatus(ready=False, reason="no seccomp")) == "Programs are NOT run here: no seccomp"
