"""Decides which run is paused so that another can have its place.

For example, a loop has held the only place for 10 s. A classmate's new run that is expected to be short gets the place at once. A learner
whose runs are as long gets it after a quantum, and then the two alternate.
"""

import math
from collections.abc import Iterable

from app.runner.queue.account_tree import AccountTree
from app.runner.queue.accounts import QueuePriority
from app.runner.queue.capacity import Capacity
from app.runner.queue.ticket import Ticket, TicketState

# a run is paused only for one with at least this lead; also the least time between two looks at which run is next
SHORTEST_WAIT_SECONDS = 0.01


class Preemption:
    """Decides which run is paused.

    `wanted`: a run that could resume or begin if it had a place. `lack`: whether some run could begin if there were more memory.
    """

    def __init__(self, accounts: AccountTree, capacity: Capacity) -> None:
        self._accounts = accounts
        self._capacity = capacity

    def find_victim(self, wanted: Ticket, running: Iterable[Ticket], lack: bool) -> Ticket | None:
        """Return the run that is to be paused for `wanted`, or None if every running run may continue for now.

        A run whose program has not started is preferred, because it loses nothing; then the one with the highest rank.
        """
        due = [ticket for ticket in running if self.due_in_seconds(wanted, ticket, lack) <= 0]
        return max(due, key=lambda ticket: (not ticket.started, self._accounts.rank_of(ticket)), default=None)

    def due_in_seconds(self, wanted: Ticket, running: Ticket, lack: bool) -> float:
        """Return after how many seconds `running` has to give its place to `wanted`, if the priorities stay as they are until then."""
        lead = self._accounts.lead_seconds(running, over=wanted)
        shortest, quantum = SHORTEST_WAIT_SECONDS - lead, self._capacity.quantum_seconds - lead
        priority, other = self._accounts.priority_of(wanted), self._accounts.priority_of(running)
        if priority is not other and QueuePriority.LONG in (priority, other) and running.owner.address == wanted.owner.address:
            return 0.0 if other is QueuePriority.LONG else math.inf
        if priority < other or not running.started:
            return shortest
        if wanted.state is TicketState.WAITING:  # most new runs are short
            return min(quantum, max(shortest, self._capacity.least_seconds - running.charged_seconds))
        # If long runs alternated while somebody waits for memory, all of them would hold theirs until the last one ends.
        return math.inf if lack else quantum
