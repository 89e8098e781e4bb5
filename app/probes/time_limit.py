"""A limit of processor time that probes look at between steps: on a busy machine they find the same."""

import time


class OutOfTime(Exception):
    """The examination has used up its time."""


class TimeLimit:
    def __init__(self, seconds: float) -> None:
        self._end = time.process_time() + seconds

    @property
    def left(self) -> float:
        return max(0.0, self._end - time.process_time())

    def check(self) -> None:
        """Raises OutOfTime when the time is up."""
        if not self.left:
            raise OutOfTime
