"""Waits for what must happen, however busy the machine is."""

import time
from collections.abc import Callable

PATIENCE_SECONDS = 60.0


def wait_for(
    condition: Callable[[], object], describe: Callable[[], str] = lambda: "it did not happen", seconds: float = PATIENCE_SECONDS
) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, describe()
        time.sleep(0.02)
