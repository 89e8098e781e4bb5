"""Who has a place to run in: gives places to whoever is next, and pauses runs for those who are owed a place.

The order is that of app.runner.queue.account_tree, and among equals it is round robin.
"""

from collections.abc import Callable
from collections.abc import Set as AbstractSet

from app.runner.queue.account_tree import AccountTree
from app.runner.queue.accounts import QueuePriority
from app.runner.queue.candidates import Candidates
from app.runner.queue.flows import Flow, Flows
from app.runner.queue.memory_reservations import MemoryReservations
from app.runner.queue.places import Places
from app.runner.queue.preemption import SHORTEST_WAIT_SECONDS, Preemption
from app.runner.queue.ticket import Ticket, TicketState

_SHORT_QUANTA = 4  # a run that was over within them by itself was short: a busy machine may take so long for `print(1)`


class Scheduler:
    """What it costs to find who is next does not grow with those that wait."""

    def __init__(
        self, flows: Flows, accounts: AccountTree, reservations: MemoryReservations, places: Places, clock: Callable[[], float]
    ) -> None:
        self._flows = flows
        self._accounts = accounts
        self._reservations = reservations
        self._places = places
        self._clock = clock
        self._candidates = Candidates(flows, accounts, reservations, places)
        self._preemption = Preemption(accounts, places)
        self._running: dict[Ticket, float | None] = {}  # and until when each has been charged; None: its program has not started

    @property
    def active(self) -> int:
        """How many hold a place."""
        return len(self._running)

    @property
    def is_contested(self) -> bool:
        """Whether time alone may make it somebody's turn."""
        return bool(self._candidates.find()) or (bool(self._reservations.trials) and self._candidates.lack_memory())

    def due_seconds(self) -> float:
        """How long everybody keeps their places for sure."""
        lack, candidates = self._candidates.lack_memory(), self._find_contenders()
        due = [self._preemption.due_in_seconds(flow.first, ticket, lack) for flow in candidates for ticket in self._running]
        due += [left for ticket in self._running if (left := self._places.quantum_seconds - ticket.charged_seconds) > 0]
        return max(min([*due, self._places.quantum_seconds]), SHORTEST_WAIT_SECONDS)

    def charge_running(self) -> None:
        """Charge all that hold places until now."""
        now = self._clock()
        for ticket, since in self._running.items():
            if since is not None:
                self.charge(ticket, now - since)
                ticket.charged_seconds += now - since
                self._running[ticket] = now

    def charge(self, ticket: Ticket, seconds: float) -> None:
        """Charge its owner."""
        self._accounts.charge(ticket, seconds)
        self._flows.changed.add(ticket.owner)

    def take_turns(self) -> None:
        """Give free places to who is next, and the place of who is ahead to who is behind."""
        self.charge_running()
        self._end_trial()
        granted: set[Ticket] = set()  # these keep their places for now, so this comes to an end
        while turn := self._find_turn(granted):
            flow, ahead = turn
            if ahead:
                self._pause(ahead)
            granted.add(self._grant(flow))

    def start(self, ticket: Ticket) -> None:
        """Its program starts: from now on it is charged."""
        ticket.started = True
        if ticket in self._running:
            self._running[ticket] = self._clock()

    def vacate(self, ticket: Ticket) -> None:
        """It gives its place back, running or paused; nothing if it gave it back already."""
        self._running.pop(ticket, None)
        if ticket.state is TicketState.PAUSED:
            self._flows.give_up(ticket)
        ticket.state = TicketState.VACATED

    def end(self, ticket: Ticket) -> None:
        """A run that had begun is over, and what was made for it is gone."""
        self.vacate(ticket)
        is_short = not ticket.refusal and ticket.charged_seconds < _SHORT_QUANTA * self._places.quantum_seconds
        self._accounts.note(ticket.owner, is_short, self._clock())
        self._accounts.charge(ticket, max(0.0, self._places.least_seconds - ticket.charged_seconds))
        self._reservations.end(ticket)
        self._flows.end(ticket)

    def _end_trial(self) -> None:
        """Evict a run on trial that is long, if somebody waits for its memory: at the address that holds most.

        One whose learner's runs are short is spared while there are others that may become long. One at a time: nobody while the memory of
        one that has given its place back is about to be free.
        """

        def rank(ticket: Ticket) -> tuple[int, QueuePriority, QueuePriority, float]:
            owner = ticket.owner
            standings = self._accounts.learner_standing(owner), self._accounts.standing(ticket)
            return self._reservations.held_at(owner.address), *standings, -ticket.charged_seconds

        trials = self._reservations.trials
        if all(ticket.state is not TicketState.VACATED for ticket in trials) and self._candidates.lack_trials():
            first = max(trials, key=rank, default=None)
            if first and self._accounts.standing(first) is QueuePriority.LONG:
                self.vacate(first)
                first.evict()

    def _find_turn(self, granted: AbstractSet[Ticket]) -> tuple[Flow, Ticket | None] | None:
        """Whose turn it is, and the run that has to give its place up for it if none is free, one not `granted`; None: nobody's."""
        candidates = self._find_contenders()
        if candidates and self.active < self._places.concurrency:
            return candidates[0], None
        others = [ticket for ticket in self._running if ticket not in granted]
        lack = self._candidates.lack_memory()
        pairs = ((flow, self._preemption.find_ahead(flow.first, others, lack)) for flow in candidates)
        return next(((flow, ahead) for flow, ahead in pairs if ahead), None)

    def _find_contenders(self) -> list[Flow]:
        return self._candidates.find({ticket.owner.address for ticket in self._running})

    def _grant(self, flow: Flow) -> Ticket:
        ticket = self._flows.go_on(flow)
        if ticket.state is TicketState.WAITING:
            self._reservations.make(ticket)
        self._running[ticket] = self._clock() if ticket.started else None
        ticket.enter(TicketState.RUNNING)
        return ticket

    def _pause(self, ticket: Ticket) -> None:
        del self._running[ticket]
        self._flows.pause(ticket)
        ticket.enter(TicketState.PAUSED)
