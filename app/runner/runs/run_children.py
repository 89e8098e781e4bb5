"""The children of one run: taken from the pool, paused and ended together, and given back exactly once."""

import asyncio
import math

from app.protocol.limits import Limits
from app.protocol.run import DEFAULT_RUNTIME
from app.runner.conversation.child_handle import ChildHandle
from app.runner.conversation.conversation import Conversation, Cut
from app.runner.queue.run_queue import RunQueue
from app.runner.queue.ticket import Ticket, TicketState
from app.runner.zygotes.pool import Pool
from app.runtimes.specs import SPECS, RuntimeSpec
from app.sandbox.confinement.rlimits import Budget

_SPARES_FOR_SHORT = 1  # reserved for learners whose runs are short, while others take spares faster than they are forked


def budget_of(limits: Limits, runtime: RuntimeSpec = SPECS[DEFAULT_RUNTIME]) -> Budget:
    """Return the limits that a child is forked with: those of the run, plus what its framework needs for itself."""
    return Budget(
        memory_bytes=limits.memory_bytes + runtime.memory_bytes,
        cpu_seconds=math.ceil(limits.deadline_seconds * limits.compute_threads) + 1,
        scratch_bytes=limits.scratch_bytes,
        scratch_inodes=limits.scratch_inodes,
        threads=limits.threads + runtime.threads,
        compute_threads=limits.compute_threads,
    )


class RunChildren:
    """Takes children for one run, pauses and ends their conversations when the run's ticket says so, and gives the children back."""

    def __init__(self, pool: Pool, queue: RunQueue, ticket: Ticket, limits: Limits) -> None:
        self._pool = pool
        self._queue = queue
        self._ticket = ticket
        self._limits = limits
        self._taken: set[ChildHandle] = set()
        self._conversations: dict[ChildHandle, Conversation] = {}  # the last one with each child
        self._ending: set[ChildHandle] = set()  # given back, and perhaps not reaped yet

    async def wait_until_warm(self) -> None:
        """Wait until the run's child can be forked. Raises PoolUnavailable."""
        await self._pool.wait_until_warm(budget_of(self._limits, self._pool.runtime))

    async def take(self, limits: Limits | None = None) -> ChildHandle:
        """Return a child with these limits, by default the run's. Raises PoolUnavailable, or ChildLost when another try may succeed."""
        is_short = self._queue.is_short(self._ticket)
        budget = budget_of(limits or self._limits, self._pool.runtime)
        child = await self._pool.take(budget, leave=0 if is_short else _SPARES_FOR_SHORT)
        self._taken.add(child)
        if not is_short:
            child.weigh_less()
        return child

    def attach(self, conversation: Conversation) -> None:
        """From now on, pause, resume and end this conversation with one of the children when the run's ticket says so."""
        self._conversations[conversation.child] = conversation
        self._direct(conversation)

    def follow_ticket(self) -> None:
        """Pause, resume or end the conversations, because the ticket has changed."""
        for conversation in list(self._conversations.values()):
            self._direct(conversation)

    def _direct(self, conversation: Conversation) -> None:
        if self._ticket.abandoned or self._ticket.refusal:
            conversation.cut(Cut.STOPPED)
        elif self._ticket.state is TicketState.PAUSED:
            conversation.pause()
        else:
            conversation.resume()

    def give_back(self, child: ChildHandle) -> None:
        """Kill a child and give it back; does nothing if it was given back already."""
        if child in self._taken:
            self._taken.remove(child)
            self._conversations.pop(child, None)
            self._ending = {one for one in (*self._ending, child) if not one.exited.done()}
            self._pool.give_back(child)

    @property
    def ending(self) -> bool:
        """Whether a child that was given back may still be alive or unreaped."""
        return bool(self._ending)

    def give_all_back(self) -> None:
        for child in list(self._taken):
            self.give_back(child)

    async def wait_until_gone(self, patience_seconds: float) -> None:
        """Wait until all children that were given back are reaped, or the time is over."""
        if self._ending:
            await asyncio.wait([child.exited for child in self._ending], timeout=patience_seconds)
