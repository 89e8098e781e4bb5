"""The accounts of addresses and, for each address, of its learners. They decide the order in which runs go.

Addresses take turns, and at each address its learners do (hierarchical fair queueing, Bennett and Zhang 1996). For example, there are 170
cookies at one address and one learner at another. The two addresses get half of the places each, so the one learner gets as much as all 170
cookies. At one address, learners whose runs are long go after all others.
"""

from collections import OrderedDict
from typing import NamedTuple

from app.protocol.owner import Owner
from app.runner.queue.accounts import Accounts, QueuePriority
from app.runner.queue.ticket import Ticket

_REMEMBERED_ADDRESSES = 300


class Rank(NamedTuple):
    """The key by which runs are sorted; the lowest goes first.

    `is_long`: whether the run is long, or expected to be. `among_unknown`: (seconds that the run has had, minus the account's number). It
    orders the learners whose priority is UNKNOWN, because these share one `learner_time`: the run that has had least goes first, then the
    newest learner's. So a newcomer does not wait for a hundred cookies that came before and have run nothing yet.
    """

    address_time: float
    is_long: bool
    learner_time: float
    among_unknown: tuple[float, int] = (0.0, 0)


class AccountTree:
    """The virtual times and priorities of all owners."""

    def __init__(self, quantum_seconds: float) -> None:
        self._quantum_seconds = quantum_seconds
        self._addresses = Accounts()
        self._learners: dict[str, Accounts] = {}  # by address
        self._closed_addresses: OrderedDict[str, None] = OrderedDict()  # in the order in which they were closed

    def rank_of(self, ticket: Ticket) -> Rank:
        """Return the key by which the run is sorted. The lowest goes first."""
        priority, learners = self.priority_of(ticket), self._learners[ticket.owner.address]
        address_time, account = self._addresses[ticket.owner.address].time, learners[ticket.owner.learner]
        if priority is QueuePriority.UNKNOWN:
            return Rank(address_time, False, learners.unknown_time, (ticket.charged_seconds, -account.number))
        return Rank(address_time, priority is QueuePriority.LONG, account.time)

    def priority_of(self, ticket: Ticket) -> QueuePriority:
        """Return LONG if the run has held a place for a quantum, and else the priority of its learner."""
        return self.learner_priority(ticket.owner) if self._is_short(ticket) else QueuePriority.LONG

    def learner_priority(self, owner: Owner) -> QueuePriority:
        return self._learners[owner.address][owner.learner].priority

    def lead_seconds(self, ticket: Ticket, over: Ticket) -> float:
        """Return how many seconds more the owner of `ticket` has used than the owner of `over`.

        If they are at different addresses, what the two addresses have used is compared instead.
        """
        rank, other = self.rank_of(ticket), self.rank_of(over)
        if ticket.owner.address != over.owner.address:
            return rank.address_time - other.address_time
        return rank.learner_time + rank.among_unknown[0] - other.learner_time - other.among_unknown[0]

    def open(self, owner: Owner, now: float) -> None:
        """Open the accounts of a learner who wants a place from `now` on, and of their address."""
        if owner.address not in self._addresses:
            self._addresses.open(owner.address, now)
            self._closed_addresses.pop(owner.address, None)
        self._learners.setdefault(owner.address, Accounts()).open(owner.learner, now)

    def record_run(self, owner: Owner, is_short: bool, now: float) -> None:
        """Record that a run of the owner has ended, and whether it was short."""
        self._learners[owner.address].record_run(owner.learner, is_short, now)

    def charge(self, ticket: Ticket, seconds: float) -> None:
        """Charge the run's learner and address."""
        self._addresses.charge(ticket.owner.address, seconds)
        if (learners := self._learners.get(ticket.owner.address)) is not None:
            learners.charge(ticket.owner.learner, seconds, self._is_short(ticket))

    def close(self, owner: Owner, now: float) -> None:
        """Close the account of a learner who has nothing left in the queue.

        If it was the last one at its address, the account of the address is closed, too.
        """
        learners = self._learners[owner.address]
        learners.close(owner.learner, now)
        if not learners:
            self._addresses.close(owner.address, now)
            self._closed_addresses[owner.address] = None
            if len(self._closed_addresses) > _REMEMBERED_ADDRESSES:
                del self._learners[self._closed_addresses.popitem(last=False)[0]]

    def _is_short(self, ticket: Ticket) -> bool:
        return ticket.charged_seconds < self._quantum_seconds
