"""Who runs next: a bounded queue that is fair between learners, and in which a short run does not wait for a long one.

Learners take turns: the lowest virtual time (app.runner.queue.accounts) goes first, and among equals it is round robin. A run
that holds a place while somebody is owed a quantum more is paused, and goes on when its learner's turn comes.
"""

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator

import msgspec

from app.runner.client import QueueCap
from app.runner.queue.accounts import Accounts
from app.runner.queue.ticket import Ticket, TicketState

_SHORTEST_WAIT_SECONDS = 0.01  # between two looks at who is owed more


class QueueCaps(msgspec.Struct, frozen=True, kw_only=True):
    """How many runs may wait: in all, for one learner, for one address (a classroom shares one)."""

    overall: int = 200
    learner: int = 5
    address: int = 100


class Places(msgspec.Struct, frozen=True, kw_only=True):
    """How many runs are executed at the same time, and how many may have begun; each of those holds memory, paused or not.

    `reserve`: so many more may begin for learners in credit. `learner`: how many one learner may have begun. `least_seconds`: what a
    run is charged at least, for the child that was made for it.
    """

    concurrency: int
    begun: int
    reserve: int
    learner: int
    quantum_seconds: float = 0.25
    least_seconds: float = 0.1

    @property
    def most(self) -> int:
        """How many runs can have begun and not ended."""
        return self.begun + self.reserve


class CapReached(Exception):
    """The run is refused; `reason` names the cap."""

    def __init__(self, reason: QueueCap) -> None:
        super().__init__(reason)
        self.reason = reason


class _Line:
    """What one learner has in the queue."""

    def __init__(self) -> None:
        self.waiting: deque[Ticket] = deque()
        self.paused: deque[Ticket] = deque()
        self.begun = 0  # how many have begun and not ended

    def __len__(self) -> int:
        return len(self.waiting) + self.begun

    @property
    def wants(self) -> int:
        """How many want a place."""
        return len(self.paused) + len(self.waiting)


class RunQueue:
    """Gives out places, and takes them back. Within a learner, who has begun goes first, then who has waited longest.

    What is counted is counted as it changes: a look at who is next costs time in proportion to the learners in the queue, once.
    """

    def __init__(self, places: Places, caps: QueueCaps, clock: Callable[[], float] = time.monotonic) -> None:
        self._places = places
        self._caps = caps
        self._clock = clock
        self._accounts = Accounts(places.quantum_seconds)
        self._lines: OrderedDict[str, _Line] = OrderedDict()  # in the order of their turns
        self._running: dict[Ticket, float | None] = {}  # and until when each has been charged; None: its program has not started
        self._waiting = 0
        self._begun = 0
        self._addresses: Counter[str] = Counter()  # of those that wait
        self._contested = asyncio.Event()

    def __len__(self) -> int:
        """How many wait."""
        return self._waiting

    @property
    def active(self) -> int:
        """How many hold a place."""
        return len(self._running)

    @property
    def paused(self) -> int:
        return self._begun - len(self._running)

    def enter(self, learner: str, address: str) -> Ticket:
        """A ticket, at once with a place if one is free or its learner is owed one. Raises CapReached."""
        self._charge()
        ticket = Ticket(learner, address)
        self._wait(ticket)
        self.take_turns()
        if ticket.state is TicketState.WAITING and (reason := self._find_cap(ticket)):
            self.leave(ticket)
            raise CapReached(reason)
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """Give the place back, or stop waiting for one."""
        self._charge()
        line = self._lines[ticket.learner]
        if ticket.state is TicketState.WAITING:
            line.waiting.remove(ticket)
            self._count_waiting(ticket, -1)
        else:
            self._accounts.charge(ticket.learner, max(0.0, self._places.least_seconds - ticket.charged_seconds))
            if ticket.state is TicketState.PAUSED:
                line.paused.remove(ticket)
            self._running.pop(ticket, None)
            self._count_begun(line, -1)
        if not line:
            del self._lines[ticket.learner]
            self._accounts.close(ticket.learner, self._clock())
        self.take_turns()

    def start(self, ticket: Ticket) -> None:
        """Its program starts: from now on it is charged. What it waited for with its place was our doing."""
        ticket.started = True
        if ticket in self._running:
            self._running[ticket] = self._clock()

    def in_credit(self, ticket: Ticket) -> bool:
        """Its learner used little lately."""
        return self._accounts.in_credit(ticket.learner)

    async def keep_turns(self) -> None:
        """Take turns when they are due, until cancelled."""
        while True:
            await self._contested.wait()
            await asyncio.sleep(self._due_seconds())
            self.take_turns()

    def take_turns(self) -> None:
        """Give free places to who is next, and the place of who is a quantum ahead to who is behind."""
        self._charge()
        while (learner := self._next()) is not None:
            if self.active >= self._places.concurrency:
                ahead = self._find_ahead(learner)
                if ahead is None:
                    break
                self._pause(ahead)
            self._grant(learner)
        if learner is None:
            self._contested.clear()
        else:
            self._contested.set()
        for position, ticket in enumerate(self._in_turn(), start=1):
            ticket.move(position)

    # who waits

    def _wait(self, ticket: Ticket) -> None:
        if ticket.learner not in self._lines:
            self._lines[ticket.learner] = _Line()
            self._accounts.open(ticket.learner, self._clock())
        self._queue_up(ticket)
        self._lines[ticket.learner].waiting.append(ticket)
        self._count_waiting(ticket, +1)

    def _queue_up(self, ticket: Ticket) -> None:
        """A learner who wanted nothing takes the last turn of all."""
        if not self._lines[ticket.learner].wants:
            self._lines.move_to_end(ticket.learner)

    def _count_begun(self, line: _Line, more: int) -> None:
        line.begun += more
        self._begun += more

    def _count_waiting(self, ticket: Ticket, more: int) -> None:
        self._waiting += more
        self._addresses[ticket.address] += more
        if not self._addresses[ticket.address]:
            del self._addresses[ticket.address]

    def _find_cap(self, ticket: Ticket) -> QueueCap | None:
        """The cap that the last ticket is over. A learner with n runs waiting must leave room for n more, so that others find some."""
        own = len(self._lines[ticket.learner].waiting) - 1
        room = {
            "overall": self._caps.overall - len(self) + 1,
            "learner": self._caps.learner,
            "address": self._caps.address - self._addresses[ticket.address] + 1,
        }
        caps: list[QueueCap] = ["learner", "overall", "address"]
        return next((cap for cap in caps if own >= room[cap]), None)

    def _in_turn(self) -> Iterator[Ticket]:
        """Those that wait, in the order in which they would begin if each run took a quantum."""
        turns = []
        for order, (learner, line) in enumerate(self._lines.items()):
            for number, ticket in enumerate([*line.paused, *line.waiting]):
                turns.append((self._accounts[learner] + number * self._places.quantum_seconds, order, number, ticket))
        turns.sort(key=lambda turn: turn[:3])
        return (ticket for *_, ticket in turns if ticket.state is TicketState.WAITING)

    # turns

    def _charge(self) -> None:
        now = self._clock()
        for ticket, since in self._running.items():
            if since is not None:
                self._accounts.charge(ticket.learner, now - since)
                ticket.charged_seconds += now - since
                self._running[ticket] = now

    def _next(self) -> str | None:
        """The learner whose turn it is."""
        wanting = [learner for learner, line in self._lines.items() if line.paused or (line.waiting and self._may_begin(learner, line))]
        return min(wanting, key=self._accounts.__getitem__, default=None)

    def _may_begin(self, learner: str, line: _Line) -> bool:
        places = self._places
        return line.begun < places.learner and self._begun < (places.most if self._accounts.in_credit(learner) else places.begun)

    def _find_ahead(self, learner: str) -> Ticket | None:
        """The run that has to give its place to this learner, if one is far enough ahead.

        That is one that waits for a child with its place, as it loses nothing, or else that of the learner who is furthest ahead.
        """
        far = [ticket for ticket in self._running if self._lead_seconds(learner, ticket) >= self._tolerated_seconds(ticket)]
        return max(far, key=lambda ticket: (not ticket.started, self._accounts[ticket.learner]), default=None)

    def _lead_seconds(self, learner: str, ticket: Ticket) -> float:
        """How far the ticket's learner is ahead."""
        return self._accounts[ticket.learner] - self._accounts[learner]

    def _tolerated_seconds(self, ticket: Ticket) -> float:
        """How far ahead it may get before its run is paused."""
        return self._places.quantum_seconds if ticket.started else _SHORTEST_WAIT_SECONDS

    def _due_seconds(self) -> float:
        """How long nobody will be too far ahead."""
        learner = self._next()
        leads = [] if learner is None else [self._lead_seconds(learner, ticket) for ticket in self._running]
        return max(self._places.quantum_seconds - max(leads, default=0.0), _SHORTEST_WAIT_SECONDS)

    def _grant(self, learner: str) -> None:
        line = self._lines[learner]
        ticket = line.paused.popleft() if line.paused else self._begin(line)
        self._running[ticket] = self._clock() if ticket.started else None
        self._lines.move_to_end(learner)
        ticket.enter(TicketState.RUNNING)

    def _begin(self, line: _Line) -> Ticket:
        ticket = line.waiting.popleft()
        self._count_waiting(ticket, -1)
        self._count_begun(line, +1)
        return ticket

    def _pause(self, ticket: Ticket) -> None:
        self._queue_up(ticket)
        del self._running[ticket]
        self._lines[ticket.learner].paused.append(ticket)
        ticket.enter(TicketState.PAUSED)
