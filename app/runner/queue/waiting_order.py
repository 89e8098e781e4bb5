"""In which order those that wait would begin: their positions, which they are told as they change."""

import asyncio
import itertools
from collections import defaultdict
from typing import Any

from app.runner.queue.account_tree import AccountTree
from app.runner.queue.flows import Flows
from app.runner.queue.ticket import Ticket, TicketState

_BETWEEN_SECONDS = 0.25  # hundreds of orders a second would each move everybody who waits


class WaitingOrder:
    """Positions are worked out for all at once: when one is read, and now and then after changes."""

    def __init__(self, flows: Flows, accounts: AccountTree, quantum_seconds: float) -> None:
        self._flows = flows
        self._accounts = accounts
        self._quantum_seconds = quantum_seconds
        self._is_current = True  # all that wait are, as they stand now
        self._changed = asyncio.Event()

    def change(self) -> None:
        """It may be another."""
        self._is_current = False
        self._changed.set()

    def place(self) -> None:
        """Bring the places of all that wait up to date."""
        if not self._is_current:
            self._is_current = True
            waiting = (ticket for ticket in self._in_turn() if ticket.state is TicketState.WAITING)
            for position, ticket in enumerate(waiting, start=1):
                ticket.place = position

    async def keep(self) -> None:
        """Wake those whose position has changed, until cancelled."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            self.place()
            for flow in self._flows:
                for ticket in flow.waiting:
                    ticket.wake_if_moved()
            await asyncio.sleep(_BETWEEN_SECONDS)

    def _in_turn(self) -> list[Ticket]:
        """Those that wait or are paused, in the order in which they would go on or begin if each took a quantum."""
        turns: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)  # of each address
        quantum_seconds = self._quantum_seconds
        for flow in self._flows:
            for number, ticket in enumerate(itertools.chain(flow.paused, flow.waiting)):
                _, is_long, time, among_unknown = self._accounts.order_of(ticket)
                turns[flow.owner.address].append((is_long, time + number * quantum_seconds, among_unknown, flow.turn, number, ticket))
        places: list[tuple[float, int, int, Ticket]] = []
        for of_address in turns.values():
            of_address.sort()
            time = self._accounts.order_of(of_address[0][-1]).address_time
            places += [(time + number * quantum_seconds, turn, number, ticket) for number, (*_, turn, _, ticket) in enumerate(of_address)]
        places.sort()
        return [place[-1] for place in places]
