"""Waiting for what must happen, however busy the machine is."""

import time
from collections.abc import Callable

PATIENCE_SECONDS = 60.0


def wait_for(condition: Callable[[], object], describe: Callable[[], str] = lambda: "it did not happen") -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < end, describe()
        time.sleep(0.02)
