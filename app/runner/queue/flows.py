"""The runs in the queue. The waiting and begun runs of one learner at one address are a flow, which is the term of fair queueing."""

import itertools
from collections import Counter, deque
from collections.abc import Iterator

from app.protocol.owner import Owner
from app.runner.queue.ticket import Ticket


class Flow:
    """The runs of one owner. Paused runs go before waiting ones, and of each the one that has waited longest goes first.

    `turn`: of two flows with equal times, the one with the lower turn goes first. `begun`: how many runs have begun and not ended.
    """

    def __init__(self, owner: Owner, turn: int) -> None:
        self.owner = owner
        self.turn = turn
        self.waiting: deque[Ticket] = deque()
        self.paused: deque[Ticket] = deque()
        self.begun = 0

    @property
    def next(self) -> Ticket | None:
        """The waiting run that may begin next; None if no run waits, or only deferred runs do."""
        return next((ticket for ticket in self.waiting if not ticket.deferred), None)

    @property
    def first(self) -> Ticket:
        """The run that resumes or begins next. There must be one."""
        first = self.paused[0] if self.paused else self.next
        assert first is not None
        return first


class Flows:
    """The flows of all owners who have runs in the queue.

    `waiting`, `paused`: how many runs wait, and how many are paused. `waiting_at`: how many wait, by address. `changed`: the owners whose
    flows or virtual times may have changed; app.runner.queue.candidates clears it.
    """

    def __init__(self) -> None:
        self.waiting = 0
        self.paused = 0
        self.waiting_at: Counter[str] = Counter()
        self.changed: set[Owner] = set()
        self._flows: dict[Owner, Flow] = {}
        self._turns = itertools.count()

    def __iter__(self) -> Iterator[Flow]:
        return iter(self._flows.values())

    def __contains__(self, owner: Owner) -> bool:
        return owner in self._flows

    def __getitem__(self, owner: Owner) -> Flow:
        return self._flows[owner]

    def get(self, owner: Owner) -> Flow | None:
        return self._flows.get(owner)

    def add(self, ticket: Ticket) -> None:
        """Add a run that waits."""
        if ticket.owner not in self._flows:
            self._flows[ticket.owner] = Flow(ticket.owner, next(self._turns))
        flow = self._join(ticket)
        flow.waiting.append(ticket)
        self._count_waiting(ticket, +1)

    def remove(self, ticket: Ticket) -> None:
        """Remove a run that waits."""
        flow = self._flows[ticket.owner]
        flow.waiting.remove(ticket)
        self._count_waiting(ticket, -1)
        self._close(flow)

    def take_first(self, flow: Flow) -> Ticket:
        """Take the first run of a flow out of its queue, because it gets a place. The flow then goes behind all flows with equal times."""
        ticket = flow.first
        if flow.paused:
            flow.paused.popleft()
            self.paused -= 1
        else:
            flow.waiting.remove(ticket)
            self._count_waiting(ticket, -1)
            flow.begun += 1
        flow.turn = next(self._turns)
        self.changed.add(flow.owner)
        return ticket

    def pause(self, ticket: Ticket) -> None:
        """Add a running run to the paused ones."""
        self._join(ticket).paused.append(ticket)
        self.paused += 1

    def remove_paused(self, ticket: Ticket) -> None:
        """Remove a paused run that will not resume."""
        self._flows[ticket.owner].paused.remove(ticket)
        self.paused -= 1
        self.changed.add(ticket.owner)

    def end(self, ticket: Ticket) -> None:
        """Count a run that had begun as ended."""
        flow = self._flows[ticket.owner]
        flow.begun -= 1
        self._close(flow)

    def _join(self, ticket: Ticket) -> Flow:
        """Return the ticket's flow. If no run of the flow waited or was paused, the flow goes behind all flows with equal times."""
        flow = self._flows[ticket.owner]
        if not flow.paused and not flow.waiting:
            flow.turn = next(self._turns)
        self.changed.add(ticket.owner)
        return flow

    def _close(self, flow: Flow) -> None:
        self.changed.add(flow.owner)
        if not flow.waiting and not flow.begun:
            del self._flows[flow.owner]

    def _count_waiting(self, ticket: Ticket, more: int) -> None:
        address = ticket.owner.address
        self.waiting += more
        self.waiting_at[address] += more
        if not self.waiting_at[address]:
            del self.waiting_at[address]
