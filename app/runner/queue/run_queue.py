"""The queue of runs: bounded, fair between addresses and learners, and a short run does not wait in it for a long one.

Addresses, and at each address learners, take turns. A run that holds a place while somebody is owed a quantum more is paused, and goes on
when its learner's turn comes. For whose runs are shorter it is paused at once, and for a run that is new soon.
"""

import asyncio
import time
from collections.abc import Callable

from app.protocol.owner import Owner
from app.runner.queue.account_tree import AccountTree
from app.runner.queue.accounts import QueuePriority
from app.runner.queue.caps import CapReached, QueueCaps, find_refused
from app.runner.queue.flows import Flows
from app.runner.queue.memory_reservations import MemoryReservations
from app.runner.queue.places import Places
from app.runner.queue.scheduler import Scheduler
from app.runner.queue.ticket import Ticket, TicketState
from app.runner.queue.waiting_order import WaitingOrder


class RunQueue:
    """Gives each run a ticket, and tickets places."""

    def __init__(self, places: Places, caps: QueueCaps, clock: Callable[[], float] = time.monotonic) -> None:
        self._caps = caps
        self._clock = clock
        self._accounts = AccountTree(places.quantum_seconds)
        self._reservations = MemoryReservations(places)
        self._flows = Flows()
        self._scheduler = Scheduler(self._flows, self._accounts, self._reservations, places, clock)
        self._order = WaitingOrder(self._flows, self._accounts, places.quantum_seconds)
        self._contested = asyncio.Event()
        self._entered = asyncio.Event()

    def __len__(self) -> int:
        """How many wait."""
        return self._flows.waiting

    @property
    def active(self) -> int:
        """How many hold a place."""
        return self._scheduler.active

    @property
    def paused(self) -> int:
        return self._flows.paused

    @property
    def unpromised_bytes(self) -> int:
        """Memory that runs may yet be promised."""
        return self._reservations.left_bytes

    def set_aside(self, memory_bytes: int) -> None:
        """Promise so much less to runs that begin from now on."""
        self._reservations.set_aside_bytes = memory_bytes
        self.take_turns()

    def enter(self, learner: str, address: str, memory_bytes: int, held: bool = False) -> Ticket:
        """A ticket, at once with a place if one is free or its learner is owed one. Raises CapReached.

        One that is `held` waits until it is let go, and takes nothing from others until then.
        """
        self._scheduler.charge_running()
        ticket = Ticket(Owner(address, learner), memory_bytes, held, self._order.place)
        if ticket.owner not in self._flows:
            self._accounts.open(ticket.owner, self._clock())
        self._flows.add(ticket)
        self.take_turns()
        if ticket.state is TicketState.WAITING:
            self._keep_caps(ticket)
            self._entered.set()
        return ticket

    def let_go(self, ticket: Ticket) -> None:
        """It is held no longer."""
        ticket.let_go()
        self._flows.changed.add(ticket.owner)
        self.take_turns()

    def start(self, ticket: Ticket) -> None:
        """Its program starts. What it waited for with its place was our doing, and is not charged."""
        self._scheduler.start(ticket)

    def charge(self, ticket: Ticket, seconds: float) -> None:
        """Something else was done for its learner, and took so long."""
        self._scheduler.charge(ticket, seconds)

    def is_short(self, ticket: Ticket) -> bool:
        """Its learner's last runs were, and so is it until now."""
        return self._accounts.standing(ticket) is QueuePriority.SHORT

    def vacate(self, ticket: Ticket) -> None:
        """Give the place back, but count as begun until it leaves: what was made for it is still there."""
        self._scheduler.charge_running()
        self._scheduler.vacate(ticket)
        self.take_turns()

    def leave(self, ticket: Ticket) -> None:
        """Give the place back, or stop waiting for one."""
        if ticket.state is TicketState.REFUSED:
            return
        self._scheduler.charge_running()
        if ticket.state is TicketState.WAITING:
            self._flows.remove(ticket)
        else:
            self._scheduler.end(ticket)
        self._close(ticket.owner)
        self.take_turns()

    def take_turns(self) -> None:
        """Give free places to who is next, and the place of who is ahead to who is behind."""
        self._scheduler.take_turns()
        if self._scheduler.is_contested:
            self._contested.set()
        else:
            self._contested.clear()
        self._order.change()

    async def keep_turns(self) -> None:
        """Take turns when they are due, until cancelled."""
        while True:
            await self._contested.wait()
            self._entered.clear()
            try:
                async with asyncio.timeout(self._scheduler.due_seconds()):
                    await self._entered.wait()  # somebody new may be owed a place sooner than those who waited before
            except TimeoutError:
                self.take_turns()

    async def keep_positions(self) -> None:
        """Wake those that wait when their positions have changed, until cancelled."""
        await self._order.keep()

    def _keep_caps(self, newcomer: Ticket) -> None:
        """Raises CapReached if it is the newcomer that is refused."""
        for ticket, cap in find_refused(self._caps, newcomer, self._flows, self._accounts):
            self._flows.remove(ticket)
            self._close(ticket.owner)
            ticket.refuse(cap)
            self._order.change()
            if ticket is newcomer:
                raise CapReached(cap)

    def _close(self, owner: Owner) -> None:
        if owner not in self._flows:
            self._accounts.close(owner, self._clock())
