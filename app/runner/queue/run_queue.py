"""Who runs next: a bounded queue that is fair between addresses and learners, and in which a short run does not wait for a long one.

Addresses, and at each address learners, take turns: the lowest virtual time (app.runner.queue.accounts) goes first, and among equals it
is round robin. A run that holds a place while somebody is owed a quantum more is paused, and goes on when its learner's turn comes. For
who used little lately, and for a run that is new, it is paused at once.
"""

import asyncio
import itertools
import math
import time
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet

from app.protocol.owner import Owner
from app.runner.client import QueueCap
from app.runner.queue.accounts import AccountTree
from app.runner.queue.places import Places, QueueCaps
from app.runner.queue.promises import Promises, Standing
from app.runner.queue.ticket import Ticket, TicketState

_SHORTEST_WAIT_SECONDS = 0.01  # between two looks at who is owed more
_BETWEEN_POSITIONS_SECONDS = 0.25  # hundreds of orders a second would each move everybody who waits


class CapReached(Exception):
    """The run is refused; `reason` names the cap."""

    def __init__(self, reason: QueueCap) -> None:
        super().__init__(reason)
        self.reason = reason


class _Line:
    """What one owner has in the queue."""

    def __init__(self) -> None:
        self.waiting: deque[Ticket] = deque()
        self.paused: deque[Ticket] = deque()
        self.begun = 0  # how many have begun and not ended

    def __len__(self) -> int:
        return len(self.waiting) + self.begun

    @property
    def next(self) -> Ticket | None:
        """The run that may begin next."""
        return next((ticket for ticket in self.waiting if not ticket.held), None)

    @property
    def first(self) -> Ticket:
        """The run that goes on or begins next, of an owner who wants a place."""
        first = self.paused[0] if self.paused else self.next
        assert first is not None
        return first

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
        self._accounts = AccountTree(places.quantum_seconds)
        self._promises = Promises(places)
        self._displaced: Ticket | None = None  # its run has been asked to end
        self._lines: OrderedDict[Owner, _Line] = OrderedDict()  # in the order of their turns
        self._running: dict[Ticket, float | None] = {}  # and until when each has been charged; None: its program has not started
        self._waiting = 0
        self._paused = 0
        self._addresses: Counter[str] = Counter()  # of those that wait
        self._contested = asyncio.Event()
        self._entered = asyncio.Event()
        self._placed = True  # all that wait are, as they stand now
        self._moved = asyncio.Event()

    def __len__(self) -> int:
        """How many wait."""
        return self._waiting

    @property
    def active(self) -> int:
        """How many hold a place."""
        return len(self._running)

    @property
    def paused(self) -> int:
        return self._paused

    @property
    def unpromised_bytes(self) -> int:
        """Memory that runs may yet be promised."""
        return self._promises.left_bytes

    def set_aside(self, memory_bytes: int) -> None:
        """Promise so much less to runs that begin from now on."""
        self._promises.set_aside_bytes = memory_bytes
        self.take_turns()

    def enter(self, learner: str, address: str, memory_bytes: int, held: bool = False) -> Ticket:
        """A ticket, at once with a place if one is free or its learner is owed one. Raises CapReached.

        One that is `held` waits until it is let go, and takes nothing from others until then.
        """
        self._charge()
        ticket = Ticket(Owner(address, learner), memory_bytes, held, self._place_tickets)
        self._wait(ticket)
        self.take_turns()
        if ticket.state is TicketState.WAITING:
            self._keep_caps(ticket)
            self._entered.set()
        return ticket

    def let_go(self, ticket: Ticket) -> None:
        """It is held no longer."""
        ticket.let_go()
        self.take_turns()

    def vacate(self, ticket: Ticket) -> None:
        """Give the place back, but count as begun until it leaves: what was made for it is still there."""
        self._charge()
        self._give_place_back(ticket)
        self.take_turns()

    def leave(self, ticket: Ticket) -> None:
        """Give the place back, or stop waiting for one."""
        if ticket.state is TicketState.REFUSED:
            return
        self._charge()
        line = self._lines[ticket.owner]
        if ticket.state is TicketState.WAITING:
            line.waiting.remove(ticket)
            self._count_waiting(ticket, -1)
        else:
            self._give_place_back(ticket)
            self._accounts.note(ticket.owner, ticket.charged_seconds < self._places.quantum_seconds, self._clock())
            self._accounts.charge(ticket.owner, max(0.0, self._places.least_seconds - ticket.charged_seconds))
            line.begun -= 1
            self._promises.end(ticket)
            if ticket is self._displaced:
                self._displaced = None
        self._close(ticket.owner)
        self.take_turns()

    def start(self, ticket: Ticket) -> None:
        """Its program starts: from now on it is charged. What it waited for with its place was our doing."""
        ticket.started = True
        if ticket in self._running:
            self._running[ticket] = self._clock()

    def charge(self, ticket: Ticket, seconds: float) -> None:
        """Something else was done for its learner, and took so long."""
        self._accounts.charge(ticket.owner, seconds)

    def in_credit(self, ticket: Ticket) -> bool:
        """Its learner used little lately."""
        return self._accounts.in_credit(ticket.owner)

    async def keep_turns(self) -> None:
        """Take turns when they are due, until cancelled."""
        while True:
            await self._contested.wait()
            self._entered.clear()
            try:
                async with asyncio.timeout(self._due_seconds()):
                    await self._entered.wait()  # somebody new may be owed a place sooner than those who waited before
            except TimeoutError:
                self.take_turns()

    async def keep_positions(self) -> None:
        """Wake those who wait when positions may have changed, until cancelled."""
        while True:
            await self._moved.wait()
            self._moved.clear()
            for line in self._lines.values():
                for ticket in line.waiting:
                    ticket.wake()
            await asyncio.sleep(_BETWEEN_POSITIONS_SECONDS)

    def take_turns(self) -> None:
        """Give free places to who is next, and the place of who is ahead to who is behind."""
        self._charge()
        self._end_trials()
        granted: set[Ticket] = set()  # these keep their places for now, so this comes to an end
        while turn := self._find_turn(granted):
            owner, ahead = turn
            if ahead:
                self._pause(ahead)
            granted.add(self._grant(owner))
        if next(self._wanting(), None) or (self._promises.trials and self._is_short_of_memory()):
            self._contested.set()
        else:
            self._contested.clear()
        self._move()

    # who waits

    def _wait(self, ticket: Ticket) -> None:
        if ticket.owner not in self._lines:
            self._lines[ticket.owner] = _Line()
            self._accounts.open(ticket.owner, self._clock())
        self._queue_up(ticket)
        self._lines[ticket.owner].waiting.append(ticket)
        self._count_waiting(ticket, +1)

    def _queue_up(self, ticket: Ticket) -> None:
        """A learner who wanted nothing takes the last turn of all."""
        if not self._lines[ticket.owner].wants:
            self._lines.move_to_end(ticket.owner)

    def _close(self, owner: Owner) -> None:
        if not self._lines[owner]:
            del self._lines[owner]
            self._accounts.close(owner, self._clock())

    def _count_waiting(self, ticket: Ticket, more: int) -> None:
        address = ticket.owner.address
        self._waiting += more
        self._addresses[address] += more
        if not self._addresses[address]:
            del self._addresses[address]

    def _keep_caps(self, ticket: Ticket) -> None:
        """Refuse a run that waits if there are too many: of this learner's this one, else that of whoever has most. Raises CapReached."""
        address = ticket.owner.address
        if len(self._lines[ticket.owner].waiting) > self._caps.learner:
            self._refuse(ticket, "learner", ticket)
        if self._addresses[address] > self._caps.address:
            self._refuse(self._find_heaviest(address), "address", ticket)
        if self._waiting > self._caps.overall:
            most = max(self._addresses, key=lambda each: (self._addresses[each], each == address))
            self._refuse(self._find_heaviest(most), "overall", ticket)

    def _find_heaviest(self, address: str) -> Ticket:
        """Of those at an address who have most runs waiting the one that used most, and of equals the last: the last of its runs."""
        lines = [(owner, line) for owner, line in reversed(self._lines.items()) if owner.address == address and line.waiting]
        _, line = max(lines, key=lambda item: (len(item[1].waiting), self._accounts[item[0]]))
        return line.waiting[-1]

    def _refuse(self, ticket: Ticket, cap: QueueCap, newcomer: Ticket) -> None:
        """Raises CapReached if it is the one that came just now."""
        self._lines[ticket.owner].waiting.remove(ticket)
        self._count_waiting(ticket, -1)
        self._close(ticket.owner)
        ticket.refuse(cap)
        self._move()
        if ticket is newcomer:
            raise CapReached(cap)

    def _move(self) -> None:
        """Positions may have changed. They are looked up when they are read, and read now and then."""
        self._placed = False
        self._moved.set()

    def _place_tickets(self) -> None:
        if not self._placed:
            self._placed = True
            for position, ticket in enumerate(self._in_turn(), start=1):
                ticket.place = position

    def _in_turn(self) -> Iterator[Ticket]:
        """Those that wait, in the order in which they would begin if each run took a quantum."""
        turns: defaultdict[str, list[tuple[float, int, int, Ticket]]] = defaultdict(list)  # of each address
        quantum_seconds = self._places.quantum_seconds
        for order, (owner, line) in enumerate(self._lines.items()):
            time = self._accounts[owner][1]
            for number, ticket in enumerate([*line.paused, *line.waiting]):
                turns[owner.address].append((time + number * quantum_seconds, order, number, ticket))
        places = []
        for of_address in turns.values():
            of_address.sort(key=lambda turn: turn[:3])
            time = self._accounts[of_address[0][3].owner][0]
            places += [(time + number * quantum_seconds, turn[1], turn[3]) for number, turn in enumerate(of_address)]
        places.sort(key=lambda place: place[:2])
        return (ticket for *_, ticket in places if ticket.state is TicketState.WAITING)

    # turns

    def _charge(self) -> None:
        now = self._clock()
        for ticket, since in self._running.items():
            if since is not None:
                self._accounts.charge(ticket.owner, now - since)
                ticket.charged_seconds += now - since
                self._running[ticket] = now

    def _wanting(self) -> Iterator[Owner]:
        """Who could go on or begin."""
        return (
            owner for owner, line in self._lines.items() if line.paused or ((first := line.next) and self._may_begin(owner, line, first))
        )

    def _may_begin(self, owner: Owner, line: _Line, first: Ticket) -> bool:
        promised = self._promises.allow(owner, first.memory_bytes, self._standing(owner))
        return promised and line.begun < self._places.learner

    def _standing(self, owner: Owner) -> Standing:
        if self._accounts.in_credit(owner):
            return Standing.IN_CREDIT
        return Standing.HEAVY if self._accounts.is_heavy(owner) else Standing.UNKNOWN

    def _lacking_memory(self) -> Iterator[Owner]:
        """Who waits for memory alone."""
        return (
            owner
            for owner, line in self._lines.items()
            if (first := line.next) and line.begun < self._places.learner and not self._may_begin(owner, line, first)
        )

    def _end_trials(self) -> None:
        """Of what was tried for long enough keep what there is room for, and displace the longest if it is waited for; one at a time."""
        over = [ticket for ticket in self._promises.trials if not self._is_tried(ticket)]
        over = [ticket for ticket in over if ticket is not self._displaced and not self._promises.keep(ticket)]
        is_wanted = any(self._standing(owner) is not Standing.HEAVY for owner in self._lacking_memory())
        if over and is_wanted and not self._displaced:
            self._displaced = max(over, key=lambda ticket: ticket.charged_seconds)
            self._give_place_back(self._displaced)
            self._displaced.displace()

    def _find_turn(self, granted: AbstractSet[Ticket]) -> tuple[Owner, Ticket | None] | None:
        """Whose turn it is, and the run that has to give its place up for it if none is free, one not `granted`; None: nobody's."""
        wanting = sorted(self._wanting(), key=self._accounts.__getitem__)
        if wanting and self.active < self._places.concurrency:
            return wanting[0], None
        is_short = self._is_short_of_memory()
        others = self._running.keys() - granted
        return next(((owner, ahead) for owner in wanting if (ahead := self._find_ahead(owner, others, is_short))), None)

    def _is_short_of_memory(self) -> bool:
        return next(self._lacking_memory(), None) is not None

    def _find_ahead(self, owner: Owner, running: AbstractSet[Ticket], is_short_of_memory: bool) -> Ticket | None:
        """Which of these runs has to give its place to this owner, if one is far enough ahead.

        That is one that waits for a child with its place, as it loses nothing, or else that of who is furthest ahead.
        """
        far = [ticket for ticket in running if self._due_in_seconds(owner, ticket, is_short_of_memory) <= 0]
        return max(far, key=lambda ticket: (not ticket.started, self._accounts[ticket.owner]), default=None)

    def _due_in_seconds(self, owner: Owner, ticket: Ticket, is_short_of_memory: bool) -> float:
        """How much longer a run may hold its place while this owner wants one."""
        wanted = self._lines[owner].first
        lead = self._accounts.lead_seconds(ticket.owner, over=owner)
        shortest, quantum = _SHORTEST_WAIT_SECONDS - lead, self._places.quantum_seconds - lead
        is_trial_first = is_short_of_memory and self._is_tried(ticket)
        if (self._is_light(wanted) and not self._is_light(ticket)) or not (ticket.started or is_trial_first):
            return shortest
        if wanted.state is TicketState.WAITING:  # its run is new: most are short
            return min(quantum, max(shortest, self._places.least_seconds - ticket.charged_seconds))
        if not is_short_of_memory:
            return quantum
        # side by side, long runs would hold their memory until the last one ends; and a trial is over soon
        return 0.0 if self._is_tried(wanted) and not (is_trial_first or self._is_light(ticket)) else math.inf

    def _is_light(self, ticket: Ticket) -> bool:
        """Its learner is in credit, and it has not been long itself."""
        return ticket.charged_seconds < self._places.quantum_seconds and self._accounts.in_credit(ticket.owner)

    def _is_tried(self, ticket: Ticket) -> bool:
        """It is on trial still."""
        return ticket in self._promises.trials and ticket.charged_seconds < self._places.quantum_seconds

    def _due_seconds(self) -> float:
        """How long everybody keeps their places for sure."""
        is_short = self._is_short_of_memory()
        due = [self._due_in_seconds(owner, ticket, is_short) for owner, ticket in itertools.product(self._wanting(), self._running)]
        due += [self._places.quantum_seconds - ticket.charged_seconds for ticket in self._promises.trials if ticket in self._running]
        return max(min([*due, self._places.quantum_seconds]), _SHORTEST_WAIT_SECONDS)

    def _grant(self, owner: Owner) -> Ticket:
        line = self._lines[owner]
        ticket = self._resume(line) if line.paused else self._begin(line)
        self._running[ticket] = self._clock() if ticket.started else None
        self._lines.move_to_end(owner)
        ticket.enter(TicketState.RUNNING)
        return ticket

    def _resume(self, line: _Line) -> Ticket:
        self._paused -= 1
        return line.paused.popleft()

    def _begin(self, line: _Line) -> Ticket:
        ticket = line.next
        assert ticket is not None  # its owner is among those who want a place
        line.waiting.remove(ticket)
        self._count_waiting(ticket, -1)
        line.begun += 1
        self._promises.make(ticket)
        return ticket

    def _pause(self, ticket: Ticket) -> None:
        self._queue_up(ticket)
        del self._running[ticket]
        self._lines[ticket.owner].paused.append(ticket)
        self._paused += 1
        ticket.enter(TicketState.PAUSED)

    def _give_place_back(self, ticket: Ticket) -> None:
        """Whether it is running or paused; nothing if it gave it back already."""
        self._running.pop(ticket, None)
        if ticket.state is TicketState.PAUSED:
            self._lines[ticket.owner].paused.remove(ticket)
            self._paused -= 1
        ticket.state = TicketState.VACATED
