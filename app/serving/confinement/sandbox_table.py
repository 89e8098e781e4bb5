"""Prints what confines programs on this machine as tables for a terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from app.protocol.sandbox import Check, Layer, RuntimeState, RuntimeStatus, SandboxAnswer

GOOD, WARNING, BAD = "green", "yellow", "bold red"
STATES: dict[RuntimeState, tuple[str, str]] = {
    "ready": (GOOD, ""),
    "starting": (WARNING, "it is warming up"),
    "failed": (BAD, ""),
    "idle": (GOOD, "it starts when somebody asks for it"),
    "absent": ("", ""),
}


def print_sandbox(answer: SandboxAnswer, console: Console) -> None:
    """Print the layers of the sandbox, the attacks that were tried, the runtimes, the weaknesses, and the verdict."""
    for part in render_parts(answer):
        console.print(part)
        console.print()
    console.print(render_verdict(answer))


def render_parts(answer: SandboxAnswer) -> Iterator[RenderableType]:
    yield Text(f"Setting: {answer.setting}")
    if answer.layers:
        yield make_table(("Layer", "", "What it does here, or why it is absent", "What stands in"), map(row_of_layer, answer.layers))
    if answer.checks:
        yield make_table(("Attack", "", "What a program tried just now"), map(row_of_check, answer.checks))
    if answer.runtimes:
        yield make_table(("Runtime", "", "Versions, or why there are none"), map(row_of_runtime, answer.runtimes))
    if answer.degraded:
        yield Text("Weaker than it could be:\n" + "\n".join(f"- {weakness}" for weakness in answer.degraded), WARNING)


def row_of_layer(layer: Layer) -> Sequence[Text]:
    state = Text("active", GOOD) if layer.active else Text("absent", WARNING if layer.stands_in else BAD)
    return Text(layer.name), state, Text(layer.detail), Text(layer.stands_in or "")


def row_of_check(check: Check) -> Sequence[Text]:
    return Text(check.name), Text("refused", GOOD) if check.passed else Text("ALLOWED", BAD), Text(check.detail)


def row_of_runtime(runtime: RuntimeStatus) -> Sequence[Text]:
    style, words = STATES[runtime.state]
    versions = ", ".join(f"{name} {version}" for name, version in runtime.versions.items())
    return Text(runtime.name), Text(runtime.state, style), Text(runtime.reason or versions or words)


def make_table(titles: Sequence[str], rows: Iterator[Sequence[Text]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in titles:
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def render_verdict(answer: SandboxAnswer) -> Text:
    if answer.ready and answer.safe:
        refused = sum(check.passed for check in answer.checks)
        return Text(f"Programs are run here: what must hold holds, and {refused} of {len(answer.checks)} attacks were refused.", GOOD)
    if answer.ready:
        return Text("Programs are run here WITHOUT A SANDBOX: they may do whatever this user may.", BAD)
    return Text(f"Programs are NOT run here: {answer.reason}", BAD)
