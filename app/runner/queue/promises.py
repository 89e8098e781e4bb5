"""What memory is promised to the runs that have begun, paused or not, and to which of them only on trial."""

from collections import Counter
from enum import Enum, auto

from app.protocol.owner import Owner
from app.runner.queue.places import Places
from app.runner.queue.ticket import Ticket


class Standing(Enum):
    """What is known of who wants memory."""

    IN_CREDIT = auto()  # used little lately, for something short
    UNKNOWN = auto()  # ran nothing yet, or nothing long
    HEAVY = auto()  # its last run was long


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

    def allow(self, owner: Owner, memory_bytes: int, standing: Standing) -> bool:
        """Whether a run of this owner may begin."""
        return self._has_room(owner, memory_bytes) or self._may_try(memory_bytes, standing)

    def make(self, ticket: Ticket) -> None:
        """Its run begins, as it was allowed to."""
        if self._has_room(ticket.owner, ticket.memory_bytes):
            self._kept_bytes += ticket.memory_bytes
        else:
            self._trial_bytes += ticket.memory_bytes
            self.trials.append(ticket)
        self._addresses[ticket.owner.address] += ticket.memory_bytes

    def keep(self, ticket: Ticket) -> bool:
        """Make a trial a promise like others, if there is room for one by now."""
        address = ticket.owner.address
        self._addresses[address] -= ticket.memory_bytes
        has_room = self._has_room(ticket.owner, ticket.memory_bytes)
        self._addresses[address] += ticket.memory_bytes
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

    def _has_room(self, owner: Owner, memory_bytes: int) -> bool:
        places = self._places
        is_small = self._addresses[owner.address] + memory_bytes <= places.reserve_bytes
        nothing_begun = not (self._kept_bytes or self._trial_bytes)
        most = places.begun_bytes - self.set_aside_bytes + is_small * places.reserve_bytes
        return nothing_begun or self._kept_bytes + memory_bytes <= most

    def _may_try(self, memory_bytes: int, standing: Standing) -> bool:
        """Who is unknown leaves half of it to who is in credit, or all but one run."""
        most = self._places.reserve_bytes
        if standing is Standing.UNKNOWN and self._trial_bytes:
            most //= 2
        return standing is not Standing.HEAVY and self._trial_bytes + memory_bytes <= most
