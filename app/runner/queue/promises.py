"""What memory is promised to the runs that have begun, paused or not, and to which of them only on trial."""

from collections import Counter

from app.runner.queue.account_tree import Standing
from app.runner.queue.places import Places
from app.runner.queue.ticket import Ticket


class Promises:
    """Promises to runs that have begun and have not ended. The first is made whatever it asks for: one run always goes.

    An address with many runs leaves room for others. Where there is no room, who ran nothing long may begin on trial: in memory that is
    kept for that, and for as long as a trial lasts. `set_aside_bytes`: of what may be promised to anybody, what something else has taken
    for a while.
    """

    def __init__(self, places: Places) -> None:
        self.set_aside_bytes = 0
        self._places = places
        self._kept_bytes = 0
        self._trial_bytes = 0
        self._addresses: Counter[str] = Counter()
        self.trials: list[Ticket] = []

    @property
    def left_bytes(self) -> int:
        """What may still be promised."""
        return max(0, self._places.memory_bytes - self.set_aside_bytes - self._kept_bytes - self._trial_bytes)

    def is_small(self, address: str, memory_bytes: int) -> bool:
        """Whether an address with so much more has no more than what is kept for such addresses."""
        return self._addresses[address] + memory_bytes <= self._places.reserve_bytes

    def allow(self, memory_bytes: int, is_small: bool, standing: Standing) -> bool:
        """Whether a run may begin."""
        return self._has_room(memory_bytes, is_small) or self._may_try(memory_bytes, standing)

    def is_tried(self, ticket: Ticket) -> bool:
        """It is on trial still."""
        return ticket in self.trials and ticket.charged_seconds < self._places.quantum_seconds

    def make(self, ticket: Ticket) -> None:
        """Its run begins, as it was allowed to."""
        if self._has_room(ticket.memory_bytes, self.is_small(ticket.owner.address, ticket.memory_bytes)):
            self._kept_bytes += ticket.memory_bytes
        else:
            self._trial_bytes += ticket.memory_bytes
            self.trials.append(ticket)
        self._addresses[ticket.owner.address] += ticket.memory_bytes

    def keep(self, ticket: Ticket) -> bool:
        """Make a trial a promise like others, if there is room for one by now."""
        has_room = self._has_room(ticket.memory_bytes, self.is_small(ticket.owner.address, 0))  # its own is counted there
        if has_room:
            self.trials.remove(ticket)
            self._trial_bytes -= ticket.memory_bytes
            self._kept_bytes += ticket.memory_bytes
        return has_room

    def end(self, ticket: Ticket) -> None:
        if ticket in self.trials:
            self.trials.remove(ticket)
            self._trial_bytes -= ticket.memory_bytes
        else:
            self._kept_bytes -= ticket.memory_bytes
        address = ticket.owner.address
        self._addresses[address] -= ticket.memory_bytes
        if not self._addresses[address]:
            del self._addresses[address]

    def _has_room(self, memory_bytes: int, is_small: bool) -> bool:
        places = self._places
        nothing_begun = not (self._kept_bytes or self._trial_bytes)
        most = places.begun_bytes - self.set_aside_bytes + is_small * places.reserve_bytes
        return nothing_begun or self._kept_bytes + memory_bytes <= most

    def _may_try(self, memory_bytes: int, standing: Standing) -> bool:
        """Who is unknown leaves half of it to who is in credit, or all but one run."""
        most = self._places.reserve_bytes
        if standing is Standing.UNKNOWN and self._trial_bytes:
            most //= 2
        return standing is not Standing.HEAVY and self._trial_bytes + memory_bytes <= most
