"""Gives free places to the runs that are next, and pauses runs for others that are owed a place.

The order is that of app.runner.queue.account_tree; flows with equal times take turns. For example, a loop has held the only place for
10 s. A classmate's new run that is expected to be short gets the place at once. A learner whose runs are as long gets it after a quantum,
and then the two alternate.

Background runs use places and memory that nobody else needs, and are ended when somebody does. They are not among the flows, do not wait,
are never paused, are charged to nobody and count in no cap. For example, Ann's background run has the second of two places. Bob's run gets
the first, and then Cid's gets the second: Ann's run is ended at once.
"""

import math
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet

from app.runner.client import RunGaveWay
from app.runner.queue.account_tree import AccountTree
from app.runner.queue.accounts import QueuePriority
from app.runner.queue.candidates import Candidates
from app.runner.queue.capacity import Capacity
from app.runner.queue.flows import Flow, Flows
from app.runner.queue.memory_reservations import MemoryReservations
from app.runner.queue.ticket import Ticket, TicketState

_SHORT_QUANTA = 4  # a run that ended by itself within so many quanta counts as short: on a busy machine `print(1)` may take as long
# a run is paused only for one with at least this lead; also the least time between two looks at which run is next
_SHORTEST_WAIT_SECONDS = 0.01


class Scheduler:
    """Gives places to runs. The time that this takes does not grow with the number of runs that wait."""

    def __init__(
        self, flows: Flows, accounts: AccountTree, reservations: MemoryReservations, capacity: Capacity, clock: Callable[[], float]
    ) -> None:
        self._flows = flows
        self._accounts = accounts
        self._reservations = reservations
        self._capacity = capacity
        self._clock = clock
        self._candidates = Candidates(flows, accounts, reservations, capacity)
        self._background: list[Ticket] = []  # background runs that hold a place, the oldest first
        self._running: dict[Ticket, float | None] = {}  # until when each run has been charged; None if its program has not started

    @property
    def active(self) -> int:
        """How many runs hold a place."""
        return len(self._running) + len(self._background)

    def due_seconds(self) -> float | None:
        """Return after how many seconds `take_turns` may find a turn even if no run begins or ends meanwhile; None if it will not."""
        lack, candidates = self._candidates.lack_memory(), self._find_contenders()
        if not candidates and not (lack and self._reservations.trials):
            return None
        due = [self._due_in_seconds(flow.first, ticket, lack) for flow in candidates for ticket in self._running]
        due += [left for ticket in self._running if (left := self._capacity.quantum_seconds - ticket.charged_seconds) > 0]
        return max(min([*due, self._capacity.quantum_seconds]), _SHORTEST_WAIT_SECONDS)

    def charge_running(self) -> None:
        """Charge every run that has a place for its time up to now."""
        now = self._clock()
        for ticket, since in self._running.items():
            if since is not None:
                self.charge(ticket, now - since)
                ticket.charged_seconds += now - since
                self._running[ticket] = now

    def charge(self, ticket: Ticket, seconds: float) -> None:
        """Charge the run's owner, unless it is a background run."""
        if ticket.background:
            return
        self._accounts.charge(ticket, seconds)
        self._flows.changed.add(ticket.owner)

    def take_turns(self) -> None:
        """Give places to the next runs. For those that are owed a place, this pauses runs or ends background runs."""
        self.charge_running()
        self._evict_trial()
        granted: set[Ticket] = set()  # none of these is paused again in this call, so that the loop ends
        while turn := self._find_turn(granted):
            flow, victim = turn
            if victim:
                self._pause(victim)
            granted.add(self._grant(flow))
        self._end_background()

    def begin_background(self, ticket: Ticket) -> None:
        """Give a place to a background run.

        Raises RunGaveWay if another run waits or needs the place or the memory, or if a background run of the same learner holds a place.
        """
        is_second = any(running.owner == ticket.owner for running in self._background)
        has_place = self._free_places > len(self._background)
        if self._flows.waiting or is_second or not has_place or not self._reservations.allow_background(ticket.memory_bytes):
            raise RunGaveWay
        self._reservations.background_bytes += ticket.memory_bytes
        self._background.append(ticket)
        ticket.enter(TicketState.RUNNING)

    def start(self, ticket: Ticket) -> None:
        """Charge the run from now on, because its program starts."""
        ticket.started = True
        if ticket in self._running:
            self._running[ticket] = self._clock()

    def vacate(self, ticket: Ticket) -> None:
        """Free the place of a running run; a paused run will not resume. Does nothing if the run has already been vacated."""
        if ticket in self._background:
            self._background.remove(ticket)
        self._running.pop(ticket, None)
        if ticket.state is TicketState.PAUSED:
            self._flows.remove_paused(ticket)
        ticket.state = TicketState.VACATED

    def end(self, ticket: Ticket) -> None:
        """End a run that had begun, and whose child is gone."""
        self.vacate(ticket)
        if ticket.background:
            self._reservations.background_bytes -= ticket.memory_bytes
            return
        is_short = not ticket.refusal and ticket.charged_seconds < _SHORT_QUANTA * self._capacity.quantum_seconds
        self._accounts.record_run(ticket.owner, is_short, self._clock())
        self._accounts.charge(ticket, max(0.0, self._capacity.least_seconds - ticket.charged_seconds))
        self._reservations.release(ticket)
        self._flows.end(ticket)

    def _end_background(self) -> None:
        """End background runs, the newest first: those for which no place is left, and all if some run lacks memory."""
        while self._background and (len(self._background) > self._free_places or self._candidates.lack_memory()):
            ticket = self._background[-1]
            self.vacate(ticket)
            ticket.evict("gave_way")

    def _evict_trial(self) -> None:
        """Evict a long run on trial if a waiting run could begin in its memory.

        The run is chosen from the address with runs on trial that holds the most memory. There, learners whose runs are long lose a run
        first; among several, the run that has computed least is evicted. None is evicted while an evicted run still has to free its memory,
        or while there are background runs, which are ended first.
        """

        def weight(ticket: Ticket) -> tuple[int, QueuePriority, QueuePriority, float]:
            owner = ticket.owner
            priorities = self._accounts.learner_priority(owner), self._accounts.priority_of(ticket)
            return self._reservations.by_address[owner.address], *priorities, -ticket.charged_seconds

        trials = self._reservations.trials
        is_freeing = self._reservations.background_bytes or any(ticket.state is TicketState.VACATED for ticket in trials)
        if not is_freeing and self._candidates.lack_trials():
            first = max(trials, key=weight, default=None)
            if first and self._accounts.priority_of(first) is QueuePriority.LONG:
                self.vacate(first)
                first.evict("memory")

    def _find_turn(self, granted: AbstractSet[Ticket]) -> tuple[Flow, Ticket | None] | None:
        """Return the flow whose turn it is and the run that has to be paused for it. The run is None if a place is free.

        Return None if it is nobody's turn. `granted`: runs that may not be paused.
        """
        candidates = self._find_contenders()
        if candidates and self._free_places > 0:
            return candidates[0], None
        others = [ticket for ticket in self._running if ticket not in granted]
        lack = self._candidates.lack_memory()
        pairs = ((flow, self._find_victim(flow.first, others, lack)) for flow in candidates)
        return next(((flow, victim) for flow, victim in pairs if victim), None)

    def _find_victim(self, wanted: Ticket, running: Iterable[Ticket], lack: bool) -> Ticket | None:
        """Return the run that is to be paused for `wanted`, or None if every running run may continue for now.

        A run whose program has not started is preferred, because it loses nothing; then the one with the highest rank. `lack`: whether some
        run could begin if there were more memory.
        """
        due = [ticket for ticket in running if self._due_in_seconds(wanted, ticket, lack) <= 0]
        return max(due, key=lambda ticket: (not ticket.started, self._accounts.rank_of(ticket)), default=None)

    def _due_in_seconds(self, wanted: Ticket, running: Ticket, lack: bool) -> float:
        """Return after how many seconds `running` has to give its place to `wanted`, if the priorities stay as they are until then."""
        lead = self._accounts.lead_seconds(running, over=wanted)
        shortest, quantum = _SHORTEST_WAIT_SECONDS - lead, self._capacity.quantum_seconds - lead
        priority, other = self._accounts.priority_of(wanted), self._accounts.priority_of(running)
        if priority is not other and QueuePriority.LONG in (priority, other) and running.owner.address == wanted.owner.address:
            return 0.0 if other is QueuePriority.LONG else math.inf
        if priority < other or not running.started:
            return shortest
        if wanted.state is TicketState.WAITING:  # most new runs are short
            return min(quantum, max(shortest, self._capacity.least_seconds - running.charged_seconds))
        # If long runs alternated while somebody waits for memory, all of them would hold theirs until the last one ends.
        return math.inf if lack else quantum

    @property
    def _free_places(self) -> int:
        """How many places are free or held by background runs."""
        return self._capacity.concurrency - len(self._running)

    def _find_contenders(self) -> list[Flow]:
        return self._candidates.find({ticket.owner.address for ticket in self._running})

    def _grant(self, flow: Flow) -> Ticket:
        ticket = self._flows.take_first(flow)
        if ticket.state is TicketState.WAITING:
            self._reservations.reserve(ticket)
        self._running[ticket] = self._clock() if ticket.started else None
        ticket.enter(TicketState.RUNNING)
        return ticket

    def _pause(self, ticket: Ticket) -> None:
        del self._running[ticket]
        self._flows.pause(ticket)
        ticket.enter(TicketState.PAUSED)
