"""What memory is promised to the runs that have begun, paused or not, and to which of them only on trial."""

from collections import Counter

from app.runner.queue.accounts import QueuePriority
from app.runner.queue.places import Places
from app.runner.queue.ticket import Ticket


class MemoryReservations:
    """Promises to runs that have begun and have not ended. The first is made whatever it asks for: one run always goes.

    An address with many runs leaves room for others. Where there is no other room, whose runs are not long may begin in the reserves, on
    trial: if it becomes long and its memory is waited for, it is ended, unless other runs have made room before.
    `set_aside_bytes`: of what may be promised to anybody, what something else has taken for a while.
    """

    def __init__(self, places: Places) -> None:
        self.set_aside_bytes = 0
        self.trials: list[Ticket] = []
        self._places = places
        self._promised_bytes = 0
        self._addresses: Counter[str] = Counter()

    @property
    def left_bytes(self) -> int:
        """What may still be promised."""
        return max(0, self._places.memory_bytes - self.set_aside_bytes - self._promised_bytes)

    def held_at(self, address: str) -> int:
        """What is promised to the runs of an address, in bytes."""
        return self._addresses[address]

    def is_small(self, address: str, memory_bytes: int) -> bool:
        """Whether an address with so much more has no more than what is kept for such addresses."""
        return self._addresses[address] + memory_bytes <= self._places.reserve_bytes

    def allow(self, memory_bytes: int, is_small: bool, standing: QueuePriority) -> bool:
        """Whether a run may begin. Newcomers leave one of the two reserves to whose runs are short, and to addresses that hold little."""
        return self._has_room(memory_bytes, min(2, QueuePriority.LONG - standing + is_small))

    def make(self, ticket: Ticket) -> None:
        """Its run begins, as it was allowed to."""
        if not self._has_room(ticket.memory_bytes, int(self.is_small(ticket.owner.address, ticket.memory_bytes))):
            self.trials.append(ticket)
        self._promised_bytes += ticket.memory_bytes
        self._addresses[ticket.owner.address] += ticket.memory_bytes

    def end(self, ticket: Ticket) -> None:
        if ticket in self.trials:
            self.trials.remove(ticket)
        self._promised_bytes -= ticket.memory_bytes
        address = ticket.owner.address
        self._addresses[address] -= ticket.memory_bytes
        if not self._addresses[address]:
            del self._addresses[address]
        if self._has_room(0):
            self.trials.clear()

    def _has_room(self, memory_bytes: int, reserves: int = 0) -> bool:
        most = self._places.begun_bytes - self.set_aside_bytes + reserves * self._places.reserve_bytes
        return not self._promised_bytes or self._promised_bytes + memory_bytes <= most
