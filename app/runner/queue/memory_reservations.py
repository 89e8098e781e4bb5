"""How much memory is promised to the runs that have begun, and which of them are on trial.

Memory is promised when a run begins, and is free again when the run's child is gone; a paused run keeps its promise. Besides the memory for
anybody there are two reserves of equal size. For example, with room for 8 runs and reserves of 2 each, where 8 endless loops have begun:
- a learner whose runs are long waits;
- a learner of whom nothing is known may begin while fewer than 10 runs have;
- a learner whose runs are short may begin while fewer than 12 have;
- and an address that holds no more than 2 runs' memory may use one reserve more than the learner's priority allows.

A run that begins in a reserve is on trial: once it is long and somebody waits who could begin in its memory, it is evicted.

A submission begins as the run of a learner whose runs are long, so it is never on trial: nobody's grading is ended for another's run.

A background run begins only in the memory for anybody. The memory promised to it puts no other run on trial.
"""

from collections import Counter

from app.runner.queue.accounts import QueuePriority
from app.runner.queue.capacity import Capacity
from app.runner.queue.ticket import Ticket


class MemoryReservations:
    """The promises to runs that have begun and have not ended. While nothing is promised, any run may begin, whatever it asks for.

    `set_aside_bytes`: how much of the memory for anybody is in use by something other than runs. `trials`: the runs on trial.
    `background_bytes`: what background runs are promised; app.runner.queue.scheduler changes it. `by_address`: what the other runs of
    each address are promised.
    """

    def __init__(self, capacity: Capacity) -> None:
        self.set_aside_bytes = 0
        self.trials: list[Ticket] = []
        self.background_bytes = 0
        self._capacity = capacity
        self._promised_bytes = 0
        self.by_address: Counter[str] = Counter()

    @property
    def free_bytes(self) -> int:
        """The memory that may still be promised."""
        return max(0, self._capacity.memory_bytes - self.set_aside_bytes - self._promised_bytes - self.background_bytes)

    def is_small(self, address: str, memory_bytes: int) -> bool:
        """Return whether the address would hold no more than the size of a reserve if it got `memory_bytes` more."""
        return self.by_address[address] + memory_bytes <= self._capacity.reserve_bytes

    def allow(self, memory_bytes: int, is_small: bool, priority: QueuePriority) -> bool:
        """Return whether a run of this `priority` may begin. `is_small`: what the method of that name returns for its address."""
        fits = not self.background_bytes or memory_bytes <= self.free_bytes
        return fits and self._has_room(memory_bytes, min(2, QueuePriority.LONG - priority + is_small))

    def allow_background(self, memory_bytes: int) -> bool:
        """Return whether a background run may begin."""
        promised_bytes = self._promised_bytes + self.background_bytes
        return not promised_bytes or promised_bytes + memory_bytes <= self._capacity.begun_bytes - self.set_aside_bytes

    def reserve(self, ticket: Ticket) -> None:
        """Promise memory to a run that begins, after `allow` has returned True for it. If the run needs a reserve, it is on trial."""
        if not self._has_room(ticket.memory_bytes, int(self.is_small(ticket.owner.address, ticket.memory_bytes))):
            self.trials.append(ticket)
        self._promised_bytes += ticket.memory_bytes
        self.by_address[ticket.owner.address] += ticket.memory_bytes

    def release(self, ticket: Ticket) -> None:
        """Take the promise back from a run that has ended. If no reserve is in use then, no run is on trial any more."""
        if ticket in self.trials:
            self.trials.remove(ticket)
        self._promised_bytes -= ticket.memory_bytes
        address = ticket.owner.address
        self.by_address[address] -= ticket.memory_bytes
        if not self.by_address[address]:
            del self.by_address[address]
        if self._has_room(0):
            self.trials.clear()

    def _has_room(self, memory_bytes: int, reserves: int = 0) -> bool:
        most = self._capacity.begun_bytes - self.set_aside_bytes + reserves * self._capacity.reserve_bytes
        return not self._promised_bytes or self._promised_bytes + memory_bytes <= most
