"""Which run gives its place up for which: for who is owed a quantum more, and at once for whose runs are shorter."""

import math
from collections.abc import Iterable

from app.runner.queue.account_tree import AccountTree
from app.runner.queue.accounts import QueuePriority
from app.runner.queue.places import Places
from app.runner.queue.ticket import Ticket, TicketState

SHORTEST_WAIT_SECONDS = 0.01  # between two looks at who is owed more


class Preemption:
    """`wanted` is always a run that could go on or begin if it had a place; `lack`: somebody waits for memory alone."""

    def __init__(self, accounts: AccountTree, places: Places) -> None:
        self._accounts = accounts
        self._places = places

    def find_ahead(self, wanted: Ticket, running: Iterable[Ticket], lack: bool) -> Ticket | None:
        """Which of these runs has to give its place to this one, if one is far enough ahead.

        That is one that waits for a child with its place, as it loses nothing, or else that of who is furthest ahead.
        """
        far = [ticket for ticket in running if self.due_in_seconds(wanted, ticket, lack) <= 0]
        return max(far, key=lambda ticket: (not ticket.started, self._accounts.order_of(ticket)), default=None)

    def due_in_seconds(self, wanted: Ticket, running: Ticket, lack: bool) -> float:
        """How much longer a run may hold its place, unless it becomes a long one before."""
        lead = self._accounts.lead_seconds(running, over=wanted)
        shortest, quantum = SHORTEST_WAIT_SECONDS - lead, self._places.quantum_seconds - lead
        standing, other = self._accounts.standing(wanted), self._accounts.standing(running)
        if standing is not other and QueuePriority.LONG in (standing, other) and running.owner.address == wanted.owner.address:
            return 0.0 if other is QueuePriority.LONG else math.inf
        if standing < other or not running.started:
            return shortest
        if wanted.state is TicketState.WAITING:  # its run is new: most are short
            return min(quantum, max(shortest, self._places.least_seconds - running.charged_seconds))
        return math.inf if lack else quantum  # side by side, long runs would hold their memory until the last one ends
