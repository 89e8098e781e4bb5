"""Computes the positions of the waiting runs in the queue, and wakes the tickets whose positions have changed."""

import asyncio
import itertools
from collections import defaultdict
from typing import Any

from app.runner.queue.account_tree import AccountTree
from app.runner.queue.flows import Flows
from app.runner.queue.ticket import Ticket, TicketState

_BETWEEN_SECONDS = 0.25  # between two updates: each of hundreds of orders a second would change every position


class WaitingOrder:
    """The positions of all waiting runs. They are computed together, when one is read and before changes are reported."""

    def __init__(self, flows: Flows, accounts: AccountTree, quantum_seconds: float) -> None:
        self._flows = flows
        self._accounts = accounts
        self._quantum_seconds = quantum_seconds
        self._is_current = True
        self._changed = asyncio.Event()

    def invalidate(self) -> None:
        """Record that the positions may have changed."""
        self._is_current = False
        self._changed.set()

    def update(self) -> None:
        """Compute the positions of all waiting runs, unless they are current."""
        if not self._is_current:
            self._is_current = True
            waiting = (ticket for ticket in self._in_turn() if ticket.state is TicketState.WAITING)
            for position, ticket in enumerate(waiting, start=1):
                ticket.last_position = position

    async def report_changes(self) -> None:
        """Wake the tickets whose positions have changed, at most once every `_BETWEEN_SECONDS`. Runs until cancelled."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            self.update()
            for flow in self._flows:
                for ticket in flow.waiting:
                    ticket.wake_if_moved()
            await asyncio.sleep(_BETWEEN_SECONDS)

    def _in_turn(self) -> list[Ticket]:
        """Return the runs that wait or are paused, in the order in which they would resume or begin if each then took a quantum."""
        turns: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)  # by address
        quantum_seconds = self._quantum_seconds
        for flow in self._flows:
            for number, ticket in enumerate(itertools.chain(flow.paused, flow.waiting)):
                _, is_long, time, among_unknown = self._accounts.rank_of(ticket)
                turns[flow.owner.address].append((is_long, time + number * quantum_seconds, among_unknown, flow.turn, number, ticket))
        merged: list[tuple[float, int, int, Ticket]] = []
        for of_address in turns.values():
            of_address.sort()
            time = self._accounts.rank_of(of_address[0][-1]).address_time
            merged += [(time + number * quantum_seconds, turn, number, ticket) for number, (*_, turn, _, ticket) in enumerate(of_address)]
        merged.sort()
        return [entry[-1] for entry in merged]
