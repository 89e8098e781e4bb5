"""The queue of runs. It is bounded, fair between addresses and between learners, and no short run waits for a long one.

Addresses take turns, and at each address learners do. A run is paused when another learner is owed a quantum more than its own, and resumes
when its learner's turn comes again. For a learner whose runs are shorter it is paused at once. docs/decisions/0019 says why.
"""

import asyncio
import time
from collections.abc import Callable

from app.protocol.owner import Owner
from app.runner.client import QueueFull
from app.runner.queue.account_tree import AccountTree
from app.runner.queue.accounts import QueuePriority
from app.runner.queue.capacity import Capacity
from app.runner.queue.caps import QueueCaps, find_refused
from app.runner.queue.flows import Flows
from app.runner.queue.memory_reservations import MemoryReservations
from app.runner.queue.scheduler import Scheduler
from app.runner.queue.ticket import Ticket, TicketState
from app.runner.queue.waiting_order import WaitingOrder


class RunQueue:
    """Gives each run a ticket, and each ticket a place when its turn comes."""

    def __init__(self, capacity: Capacity, caps: QueueCaps, clock: Callable[[], float] = time.monotonic) -> None:
        self._all_caps = self._caps = caps
        self._clock = clock
        self._accounts = AccountTree(capacity.quantum_seconds)
        self._reservations = MemoryReservations(capacity)
        self._flows = Flows()
        self._scheduler = Scheduler(self._flows, self._accounts, self._reservations, capacity, clock)
        self._order = WaitingOrder(self._flows, self._accounts, capacity.quantum_seconds)
        self._turns_taken = asyncio.Event()

    def __len__(self) -> int:
        """Return how many runs wait."""
        return self._flows.waiting

    @property
    def active(self) -> int:
        """How many runs hold a place."""
        return self._scheduler.active

    @property
    def paused(self) -> int:
        return self._flows.paused

    @property
    def unpromised_bytes(self) -> int:
        """The memory that runs may still be promised."""
        return self._reservations.free_bytes

    @property
    def owners(self) -> list[Owner]:
        """Whose runs are in the queue."""
        return [flow.owner for flow in self._flows]

    def share_caps(self, nodes: int) -> None:
        """Take one node's part of the caps. Runs that wait already stay."""
        self._caps = self._all_caps.share(nodes)

    def set_aside(self, memory_bytes: int) -> None:
        """Promise `memory_bytes` less to runs that begin from now on. Each call replaces the amount of the last one."""
        self._reservations.set_aside_bytes = memory_bytes
        self.take_turns()

    def enter(self, learner: str, address: str, memory_bytes: int, deferred: bool = False, *, never_on_trial: bool = False) -> Ticket:
        """Return a ticket for a run, with a place if one is free or the learner is owed one. Raises QueueFull.

        A `deferred` run waits until `undefer`, and takes nothing from others until then. `address` is the client's network address. A
        run that is `never_on_trial` is never evicted; instead it waits longer for memory.
        """
        self._scheduler.charge_running()
        ticket = Ticket(Owner(address, learner), memory_bytes, deferred, self._order.update, never_on_trial=never_on_trial)
        if ticket.owner not in self._flows:
            self._accounts.open(ticket.owner, self._clock())
        self._flows.add(ticket)
        self.take_turns()
        if ticket.state is TicketState.WAITING:
            self._enforce_caps(ticket)
        return ticket

    def enter_background(self, learner: str, address: str, memory_bytes: int) -> Ticket:
        """Return a ticket with a place for a run that gives way to all others. Raises RunGaveWay if there is no place for it at once.

        Its `refusal` is "gave_way" if it has to end because another run needs its place or its memory.
        """
        ticket = Ticket(Owner(address, learner), memory_bytes, background=True)
        self._scheduler.begin_background(ticket)
        return ticket

    def undefer(self, ticket: Ticket) -> None:
        """Let a deferred run begin when its turn comes."""
        ticket.undefer()
        self._flows.changed.add(ticket.owner)
        self.take_turns()

    def start(self, ticket: Ticket) -> None:
        """Charge the run from now on, because its program starts. Making its child ready took time as well, but that is not charged."""
        self._scheduler.start(ticket)

    def charge(self, ticket: Ticket, seconds: float) -> None:
        """Charge the run's learner for something else that was done for them, such as drawing a graph."""
        self._scheduler.charge(ticket, seconds)

    def is_short(self, ticket: Ticket) -> bool:
        """Return whether the run and its learner's last runs have been short until now. Returns False for a background run."""
        return not ticket.background and self._accounts.priority_of(ticket) is QueuePriority.SHORT

    def vacate(self, ticket: Ticket) -> None:
        """Give the run's place to others. Until it leaves, the run still counts as begun, because its child is still there."""
        self._scheduler.charge_running()
        self._scheduler.vacate(ticket)
        self.take_turns()

    def leave(self, ticket: Ticket) -> None:
        """Remove the run from the queue, wherever it is."""
        if ticket.state is TicketState.REFUSED:
            return
        self._scheduler.charge_running()
        if ticket.state is TicketState.WAITING:
            self._flows.remove(ticket)
        else:
            self._scheduler.end(ticket)
        if not ticket.background:
            self._close(ticket.owner)
        self.take_turns()

    def take_turns(self) -> None:
        """Give places to the next runs. For those that are owed a place, this pauses runs or ends background runs."""
        self._scheduler.take_turns()
        self._turns_taken.set()
        self._order.invalidate()

    async def take_turns_when_due(self) -> None:
        """Call `take_turns` whenever the passing of time alone makes it another run's turn. Runs until cancelled."""
        while True:
            self._turns_taken.clear()
            try:
                async with asyncio.timeout(self._scheduler.due_seconds()):
                    await self._turns_taken.wait()  # now another run may be owed a place sooner than those that waited before
            except TimeoutError:
                self.take_turns()

    async def report_positions(self) -> None:
        """Wake the waiting tickets whenever their positions have changed. Runs until cancelled."""
        await self._order.report_changes()

    def _enforce_caps(self, newcomer: Ticket) -> None:
        """Refuse waiting runs until no cap is exceeded. Raises QueueFull if `newcomer` is among those refused."""
        for ticket, cap in find_refused(self._caps, newcomer, self._flows, self._accounts):
            self._flows.remove(ticket)
            self._close(ticket.owner)
            ticket.refuse(cap)
            self._order.invalidate()
            if ticket is newcomer:
                raise QueueFull(cap)

    def _close(self, owner: Owner) -> None:
        if owner not in self._flows:
            self._accounts.close(owner, self._clock())
