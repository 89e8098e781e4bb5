"""A limit of processor time, which probes check between steps. On a busy machine they find the same as on an idle one."""

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
        """Raise OutOfTime if no time is left."""
        if not self.left:
            raise OutOfTime
