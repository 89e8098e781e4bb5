"""The progress of a load test: a bar in a terminal; elsewhere a line every 15 seconds."""

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from app.loadtest.report import Observations

EVERY_SECONDS = 15.0  # between lines where there is no terminal


class LoadtestProgress(Progress):
    """A context manager that shows the progress. `show` may be called as often as wanted."""

    def __init__(self, console: Console, seconds: float) -> None:
        super().__init__(BarColumn(), TextColumn("{task.description}"), console=console, disable=not console.is_terminal, transient=True)
        self._seconds, self._next_line = seconds, 0.0
        self._bar = self.add_task("", total=seconds)

    def show(self, now: float, seen: Observations) -> None:
        """Show how far the class is. `now` is in seconds since the class began."""
        wrong = sum(seen.faults.values()) + sum(seen.mismatches.values())
        words = f"{min(now, self._seconds):.0f} of {self._seconds:.0f} s: {len(seen.run_seconds)} runs, {seen.waiting} waiting, "
        words += f"{sum(seen.refusals.values())} refused, {wrong} wrong"
        self.update(self._bar, completed=min(now, self._seconds), description=words)
        if not self.console.is_terminal and now >= self._next_line:
            self._next_line = now + EVERY_SECONDS
            self.console.print(words)
