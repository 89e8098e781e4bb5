"""What the queue gives out: places to run in, and of the memory that there is what each run that has begun may use."""

import msgspec


class Places(msgspec.Struct, frozen=True, kw_only=True):
    """How many runs are executed at the same time, and what memory may be promised to those that have begun, paused or not.

    `begun_bytes`: promised to anybody. `reserve_bytes`: so much more to learners of whose runs nothing is known, and as much again to those
    whose runs are short; addresses that have no more than that may use one reserve more than others. `learner`: how many runs one learner
    may have begun. `least_seconds`: what a run is charged at least, for the child that was made for it.
    """

    concurrency: int
    begun_bytes: int
    reserve_bytes: int
    learner: int
    quantum_seconds: float = 0.25
    least_seconds: float = 0.1

    @property
    def memory_bytes(self) -> int:
        """What may be promised in all."""
        return self.begun_bytes + 2 * self.reserve_bytes
