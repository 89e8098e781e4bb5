"""The report of the sandbox in a terminal."""

import io

from rich.console import Console

from app.protocol.sandbox import Check, Layer, RunnerStatus, RuntimeStatus, SandboxReport, answer_operator
from app.serving.confinement.sandbox_table import print_sandbox

REPORT = SandboxReport(
    setting="user",
    safe=True,
    layers=[
        Layer(name="seccomp", active=True, detail="a filter"),
        Layer(name="cgroup", active=False, detail="not [delegated]", stands_in="rlimits"),
    ],
    checks=[Check(name="start_process", passed=True, detail="tried to fork"), Check(name="open_socket", passed=False, detail="it opened")],
    degraded=["no cgroup"],
)
RUNTIMES = [
    RuntimeStatus(name="torch", installed=True, state="ready", versions={"torch": "2.13.0", "python": "3.11.7"}),
    RuntimeStatus(name="jax", installed=True, state="failed", reason="no module"),
    RuntimeStatus(name="tensorflow", installed=True, state="idle"),
]


def lines_of(status: RunnerStatus) -> list[str]:
    """Return the printed lines, with one space between columns."""
    text = io.StringIO()
    print_sandbox(answer_operator(status), Console(file=text, width=120))
    return [" ".join(line.split()) for line in text.getvalue().splitlines() if line.strip()]


def test_every_layer_check_runtime_and_weakness_has_a_line() -> None:
    assert lines_of(RunnerStatus(ready=True, sandbox=REPORT, runtimes=RUNTIMES)) == [
        "Setting: user",
        "Layer What it does here, or why it is absent What stands in",
        "seccomp active a filter",
        "cgroup absent not [delegated] rlimits",
        "Attack What a program tried just now",
        "start_process refused tried to fork",
        "open_socket ALLOWED it opened",
        "Runtime Versions, or why there are none",
        "torch ready torch 2.13.0, python 3.11.7",
        "jax failed no module",
        "tensorflow idle it starts when somebody asks for it",
        "Weaker than it could be:",
        "- no cgroup",
        "Programs are run here: what must hold holds, and 1 of 2 attacks were refused.",
    ]


def test_a_runner_that_refuses_says_why() -> None:
    assert lines_of(RunnerStatus(ready=False, reason="no seccomp"))[-1] == "Programs are NOT run here: no seccomp"


def test_a_runner_without_a_sandbox_is_not_called_safe() -> None:
    report = SandboxReport(setting="none", safe=False)
    assert "WITHOUT A SANDBOX" in lines_of(RunnerStatus(ready=True, sandbox=report))[-1]
