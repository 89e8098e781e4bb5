"""What the queue gives out: places to run in, and of the memory that there is what each run that has begun may use."""

from collections import Counter

import msgspec

from app.protocol.owner import Owner


class QueueCaps(msgspec.Struct, frozen=True, kw_only=True):
    """How many runs may wait: in all, for one learner, for one address (a classroom shares one)."""

    overall: int = 200
    learner: int = 5
    address: int = 100


class Places(msgspec.Struct, frozen=True, kw_only=True):
    """How many runs are executed at the same time, and what memory may be promised to those that have begun, paused or not.

    `begun_bytes`: promised to anybody. `reserve_bytes`: so much more to learners in credit, and as much again to addresses that have no
    more than that. `learner`: how many runs one learner may have begun. `least_seconds`: what a run is charged at least, for the child
    that was made for it.
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


class Promises:
    """What is promised to runs that have begun and have not ended. The first is made whatever it asks for: one run always goes."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._bytes = 0
        self._addresses: Counter[str] = Counter()

    @property
    def left_bytes(self) -> int:
        """What may still be promised."""
        return max(0, self._places.memory_bytes - self._bytes)

    def allow(self, owner: Owner, memory_bytes: int, in_credit: bool) -> bool:
        """Whether a run of this owner may begin. An address with many runs leaves room for others, and so does who used much."""
        places = self._places
        is_small = self._addresses[owner.address] + memory_bytes <= places.reserve_bytes
        reserves = 2 if is_small else int(in_credit)
        return not self._bytes or self._bytes + memory_bytes <= places.begun_bytes + reserves * places.reserve_bytes

    def make(self, owner: Owner, memory_bytes: int) -> None:
        self._bytes += memory_bytes
        self._addresses[owner.address] += memory_bytes

    def end(self, owner: Owner, memory_bytes: int) -> None:
        self._bytes -= memory_bytes
        self._addresses[owner.address] -= memory_bytes
        if not self._addresses[owner.address]:
            del self._addresses[owner.address]
