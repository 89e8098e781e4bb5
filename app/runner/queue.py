"""Who runs next: a bounded queue that is fair between learners (round robin by learner, not first come)."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Iterator

import msgspec

from app.runner.client import QueueCap


class QueueCaps(msgspec.Struct, frozen=True, kw_only=True):
    """How many runs may wait: in all, for one learner, for one address (a classroom shares one)."""

    overall: int = 200
    learner: int = 5
    address: int = 100


class CapReached(Exception):
    """The run is refused; `reason` names the cap."""

    def __init__(self, reason: QueueCap) -> None:
        super().__init__(reason)
        self.reason = reason


class Ticket:
    """A run's place in the queue. `position` counts from 1; 0 is: go."""

    def __init__(self, learner: str, address: str) -> None:
        self.learner = learner
        self.address = address
        self.position = 0
        self.abandoned = False
        self._moved = asyncio.Event()

    async def positions(self) -> AsyncIterator[int]:
        """Each position from now on, while the run waits."""
        while self.position and not self.abandoned:
            self._moved.clear()
            yield self.position
            await self._moved.wait()

    def abandon(self) -> None:
        """Its run is not wanted any more; it leaves the queue when its run notices."""
        self.abandoned = True
        self._moved.set()

    def move(self, position: int) -> None:
        if position != self.position:
            self.position = position
            self._moved.set()


class RunQueue:
    """Gives out `concurrency` places; who has waited longest within a learner goes first, learners take turns."""

    def __init__(self, concurrency: int, caps: QueueCaps) -> None:
        self._free = concurrency
        self._caps = caps
        self._waiting: OrderedDict[str, deque[Ticket]] = OrderedDict()  # by learner, in the order of their turns
        self._addresses: Counter[str] = Counter()
        self.active = 0

    def __len__(self) -> int:
        return sum(len(tickets) for tickets in self._waiting.values())

    def enter(self, learner: str, address: str) -> Ticket:
        """A ticket, at once with a place if one is free. Raises CapReached."""
        ticket = Ticket(learner, address)
        if self._free > 0 and not self._waiting:
            self._grant(ticket)
            return ticket
        self._check_caps(learner, address)
        self._waiting.setdefault(learner, deque()).append(ticket)
        self._addresses[address] += 1
        self._renumber()
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """Give the place back, or stop waiting for one."""
        if ticket.position == 0:
            self.active -= 1
            self._free += 1
        else:
            self._forget(ticket)
        while self._free > 0 and self._waiting:
            self._grant(self._next())
        self._renumber()

    def _check_caps(self, learner: str, address: str) -> None:
        if len(self) >= self._caps.overall:
            raise CapReached("overall")
        if len(self._waiting.get(learner, ())) >= self._caps.learner:
            raise CapReached("learner")
        if self._addresses[address] >= self._caps.address:
            raise CapReached("address")

    def _grant(self, ticket: Ticket) -> None:
        self._free -= 1
        self.active += 1
        ticket.move(0)

    def _next(self) -> Ticket:
        learner, tickets = next(iter(self._waiting.items()))
        ticket = tickets[0]
        self._forget(ticket)
        if learner in self._waiting:
            self._waiting.move_to_end(learner)
        return ticket

    def _forget(self, ticket: Ticket) -> None:
        tickets = self._waiting[ticket.learner]
        tickets.remove(ticket)
        if not tickets:
            del self._waiting[ticket.learner]
        self._addresses[ticket.address] -= 1
        if not self._addresses[ticket.address]:
            del self._addresses[ticket.address]

    def _renumber(self) -> None:
        for position, ticket in enumerate(self._in_turn(), start=1):
            ticket.move(position)

    def _in_turn(self) -> Iterator[Ticket]:
        queues = [list(tickets) for tickets in self._waiting.values()]
        for turn in range(max(map(len, queues), default=0)):
            yield from (tickets[turn] for tickets in queues if turn < len(tickets))
