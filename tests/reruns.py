"""Counts in the worker itself how often a test has failed.

pytest-rerunfailures asks the controller three times for each test, in case a worker crashes and its test is to be run again by another one.
Files that belong to one worker are not given to another, so that this was of no use, and took 2 ms of each test.
"""

import pytest
from pytest_rerunfailures import ClientStatusDB, StatusDB


class LocalFailures(StatusDB):
    """The failures of this worker's tests. Once one has failed, the controller counts the reruns of all workers together."""

    def __init__(self, shared: ClientStatusDB) -> None:
        super().__init__()
        self._shared = shared
        self._counts: dict[tuple[str, str], int] = {}

    def _set(self, i: str, k: str, v: int) -> None:
        self._counts[i, k] = v

    def _get(self, i: str, k: str) -> int:
        return self._counts.get((i, k), 0)

    def try_increment_suite_reruns(self, max_cap: int) -> bool:
        return bool(self._shared.try_increment_suite_reruns(max_cap))

    def get_suite_reruns(self) -> int:
        return 0  # whether one more is allowed is decided by `try_increment_suite_reruns`


def count_in_worker(config: pytest.Config) -> None:
    """Does nothing in the controller, and where no tests run side by side."""
    if isinstance(getattr(config, "failures_db", None), ClientStatusDB):
        config.failures_db = LocalFailures(config.failures_db)
