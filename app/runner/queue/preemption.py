"""Which run gives its place up for which: for who is owed a quantum more, and at once for who used little lately or a run that is new."""

import math
from collections.abc import Iterable

from app.runner.queue.account_tree import AccountTree
from app.runner.queue.places import Places
from app.runner.queue.promises import Promises
from app.runner.queue.ticket import Ticket, TicketState

SHORTEST_WAIT_SECONDS = 0.01  # between two looks at who is owed more


class Preemption:
    """`wanted` is always a run that could go on or begin if it had a place; `lack`: somebody waits for memory alone."""

    def __init__(self, accounts: AccountTree, promises: Promises, places: Places) -> None:
        self._accounts = accounts
        self._promises = promises
        self._places = places

    def find_ahead(self, wanted: Ticket, running: Iterable[Ticket], lack: bool) -> Ticket | None:
        """Which of these runs has to give its place to this one, if one is far enough ahead.

        That is one that waits for a child with its place, as it loses nothing, or else that of who is furthest ahead.
        """
        far = [ticket for ticket in running if self.due_in_seconds(wanted, ticket, lack) <= 0]
        return max(far, key=lambda ticket: (not ticket.started, self._accounts[ticket.owner]), default=None)

    def due_in_seconds(self, wanted: Ticket, running: Ticket, lack: bool) -> float:
        """How much longer a run may hold its place."""
        lead = self._accounts.lead_seconds(running.owner, over=wanted.owner)
        shortest, quantum = SHORTEST_WAIT_SECONDS - lead, self._places.quantum_seconds - lead
        is_trial_first = lack and self._promises.is_tried(running)
        if (self._is_light(wanted) and not self._is_light(running)) or not (running.started or is_trial_first):
            return shortest
        if wanted.state is TicketState.WAITING:  # its run is new: most are short
            return min(quantum, max(shortest, self._places.least_seconds - running.charged_seconds))
        if not lack:
            return quantum
        # side by side, long runs would hold their memory until the last one ends; and a trial is over soon
        return 0.0 if self._promises.is_tried(wanted) and not (is_trial_first or self._is_light(running)) else math.inf

    def _is_light(self, ticket: Ticket) -> bool:
        """Its learner is in credit, and it has not been long itself."""
        return ticket.charged_seconds < self._places.quantum_seconds and self._accounts.in_credit(ticket.owner)
