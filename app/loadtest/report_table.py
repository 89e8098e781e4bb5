"""Prints the report and the verdict of a load test in a terminal."""

from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from app.loadtest.readiness import Grade, Readiness
from app.loadtest.report import LoadtestReport, Wait

COLOURS = {Grade.READY: "green", Grade.SLOW: "yellow", Grade.FAILING: "bold red", Grade.UNKNOWN: "yellow"}


def print_report(report: LoadtestReport, readiness: Readiness, console: Console) -> None:
    """Print the waits, what went wrong, the verdict and the advice."""
    for part in render_report(report):
        console.print(part)
        console.print()
    console.print(Text(readiness.words, COLOURS[readiness.grade]))
    for line in readiness.advice:
        console.print(Text(f"- {line}"))


def render_report(report: LoadtestReport) -> Iterator[RenderableType]:
    ended = "interrupted after" if report.interrupted else "in"
    yield Text(f"{report.learners} learners at {report.server}: {report.runs} runs {ended} {report.seconds:.0f} s.")
    yield table_of_waits(report)
    counts = (("refused", report.refusals), ("error", report.faults), ("wrong outcome", report.mismatches))
    rows = [(kind, name, count) for kind, names in counts for name, count in names.items()]
    yield table_of_counts(rows) if rows else Text("Refused: none. Errors: none. Wrong outcomes: none.")


def table_of_waits(report: LoadtestReport) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("Waits, in seconds")
    for title in ("count", "p50", "p95", "max"):
        table.add_column(title, justify="right")
    for name, wait in report.waits.items():
        table.add_row(name.replace("_", " "), *cells_of(wait))
    for name, wait in report.wave_waits.items():
        table.add_row(f"{name.replace('_', ' ')}, all at once", *cells_of(wait))
    table.add_row("of it in the queue", *cells_of(report.queued))
    table.add_row("of it running", *cells_of(report.run))
    return table


def cells_of(wait: Wait) -> list[str]:
    return [str(wait.count), *("–" if value is None else f"{value:.2f}" for value in (wait.p50, wait.p95, wait.max))]


def table_of_counts(rows: list[tuple[str, str, int]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("What went wrong")
    table.add_column("", overflow="fold")
    table.add_column("times", justify="right")
    for kind, name, count in rows:
        table.add_row(kind, Text(name), str(count))
    return table
