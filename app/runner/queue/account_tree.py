"""The accounts of addresses, and at each address those of its learners.

Addresses take turns, and at each address its learners do (hierarchical fair queueing, Bennett and Zhang 1996), so many cookies at one
address get no more than one. Of the learners at one address those whose runs are long go after the others.
"""

from collections import OrderedDict
from typing import NamedTuple

from app.protocol.owner import Owner
from app.runner.queue.accounts import Accounts, QueuePriority
from app.runner.queue.ticket import Ticket

_REMEMBERED_ADDRESSES = 300


class Order(NamedTuple):
    """Where a run stands. Learners of whose runs nothing is known have one time together; among them whose run had least goes first, and
    of equals who came last: not behind many cookies that came before, which cost nothing, and not behind those that are refused and return.
    """

    address_time: float
    is_long: bool  # expected to be
    learner_time: float
    among_unknown: tuple[float, int] = (0.0, 0)


class AccountTree:
    """Virtual times of owners, and how long their runs are."""

    def __init__(self, quantum_seconds: float) -> None:
        self._quantum_seconds = quantum_seconds
        self._addresses = Accounts()
        self._learners: dict[str, Accounts] = {}  # by address
        self._silent: OrderedDict[str, None] = OrderedDict()  # addresses with nothing in the queue, the longest first

    def order_of(self, ticket: Ticket) -> Order:
        """The lowest goes first."""
        standing, learners = self.standing(ticket), self._learners[ticket.owner.address]
        address_time, account = self._addresses[ticket.owner.address].time, learners[ticket.owner.learner]
        if standing is QueuePriority.UNKNOWN:
            return Order(address_time, False, learners.unknown_time, (ticket.charged_seconds, -account.number))
        return Order(address_time, standing is QueuePriority.LONG, account.time)

    def standing(self, ticket: Ticket) -> QueuePriority:
        """That of its learner, until it is long itself: it has held a place for a quantum."""
        return self.learner_standing(ticket.owner) if self._is_short(ticket) else QueuePriority.LONG

    def learner_standing(self, owner: Owner) -> QueuePriority:
        return self._learners[owner.address][owner.learner].standing

    def lead_seconds(self, ticket: Ticket, over: Ticket) -> float:
        """How far it is ahead: its address if they have two, else its learner."""
        order, other = self.order_of(ticket), self.order_of(over)
        if ticket.owner.address != over.owner.address:
            return order.address_time - other.address_time
        return order.learner_time + order.among_unknown[0] - other.learner_time - other.among_unknown[0]

    def open(self, owner: Owner, now: float) -> None:
        if owner.address not in self._addresses:
            self._addresses.open(owner.address, now)
            self._silent.pop(owner.address, None)
        self._learners.setdefault(owner.address, Accounts()).open(owner.learner, now)

    def note(self, owner: Owner, is_short: bool, now: float) -> None:
        """A run of it is over."""
        self._learners[owner.address].note(owner.learner, is_short, now)

    def charge(self, ticket: Ticket, seconds: float) -> None:
        """Charge its owner."""
        self._addresses.charge(ticket.owner.address, seconds)
        if (learners := self._learners.get(ticket.owner.address)) is not None:
            learners.charge(ticket.owner.learner, seconds, self._is_short(ticket))

    def close(self, owner: Owner, now: float) -> None:
        learners = self._learners[owner.address]
        learners.close(owner.learner, now)
        if not learners:
            self._addresses.close(owner.address, now)
            self._silent[owner.address] = None
            if len(self._silent) > _REMEMBERED_ADDRESSES:
                del self._learners[self._silent.popitem(last=False)[0]]

    def _is_short(self, ticket: Ticket) -> bool:
        """It has been until now."""
        return ticket.charged_seconds < self._quantum_seconds
