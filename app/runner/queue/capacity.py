"""What the queue distributes among runs: places, and memory."""

import msgspec


class Capacity(msgspec.Struct, frozen=True, kw_only=True):
    """How many runs are executed at the same time, and how much memory the runs that have begun may be promised, paused ones included.

    `concurrency`: the number of places. `begun_bytes`: the memory that may be promised to any run. `reserve_bytes`: the size of each of the
    two reserves; app.runner.queue.memory_reservations says who may use them. `learner`: how many runs of one learner may have begun.
    `least_seconds`: a run is charged at least this, because a child was made for it.
    """

    concurrency: int
    begun_bytes: int
    reserve_bytes: int
    learner: int
    quantum_seconds: float = 0.25
    least_seconds: float = 0.1

    @property
    def memory_bytes(self) -> int:
        """All memory that may be promised."""
        return self.begun_bytes + 2 * self.reserve_bytes
