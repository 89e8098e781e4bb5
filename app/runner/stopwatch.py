"""Clocks that stop while a run is paused."""

import asyncio
import time
from collections.abc import Callable


class Stopwatch:
    """Counts the seconds between each `go` and the `halt` after it."""

    def __init__(self) -> None:
        self._before = 0.0
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        return self._before + (0.0 if self._since is None else time.perf_counter() - self._since)

    def go(self) -> None:
        if self._since is None:
            self._since = time.perf_counter()

    def halt(self) -> None:
        self._before, self._since = self.seconds, None


class Deadline(Stopwatch):
    """Calls `on_due` once, when `seconds` have been counted."""

    def __init__(self, after_seconds: float, on_due: Callable[[], None]) -> None:
        super().__init__()
        self._after_seconds = after_seconds
        self._on_due = on_due
        self._timer: asyncio.TimerHandle | None = None

    def go(self) -> None:
        super().go()
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._after_seconds - self.seconds, self._on_due)

    def halt(self) -> None:
        super().halt()
        if self._timer:
            self._timer.cancel()
            self._timer = None
