"""A run's entry in the queue. It waits, then its run holds a place, and the run may be paused while others are owed more."""

import asyncio
from collections.abc import AsyncIterator, Callable
from enum import Enum, auto
from typing import Literal

from app.protocol.owner import Owner
from app.runner.client import QueueCap

TicketRefusal = QueueCap | Literal["gave_way"]


class TicketState(Enum):
    WAITING = auto()  # the run has not begun
    RUNNING = auto()  # the run holds a place
    PAUSED = auto()  # the run has begun, and another has its place for now
    VACATED = auto()  # the run has given its place back for good
    REFUSED = auto()  # the ticket was waiting and was removed, because a cap was reached


class Ticket:
    """One run in the queue. The queue changes its state; the run reads it.

    `memory_bytes`: what the run is promised when it begins. `deferred`: whether the run must not begin yet, because its runtime is still
    being started; others go before it meanwhile. `never_on_trial`: whether it begins only in memory that is not taken back from it, however
    long it becomes (app.runner.queue.memory_reservations). `background`: whether the run gives way to all others
    (app.runner.queue.scheduler).
    `refusal`: the cap because of which the run was refused, "memory" if it was evicted, or "gave_way" if it was a background run.
    `update_positions`: called before `position` is read; it sets `last_position` of every waiting ticket.
    """

    def __init__(
        self,
        owner: Owner,
        memory_bytes: int,
        deferred: bool = False,
        update_positions: Callable[[], None] = lambda: None,
        *,
        never_on_trial: bool = False,
        background: bool = False,
    ) -> None:
        self.owner = owner
        self.memory_bytes = memory_bytes
        self.deferred = deferred
        self.never_on_trial = never_on_trial
        self.background = background
        self.last_position = 0  # as it was when the positions were last updated
        self.abandoned = False
        self.refusal: TicketRefusal | None = None
        self.state = TicketState.WAITING
        self.started = False  # whether the run's program has started
        self.charged_seconds = 0.0  # how long this run has held a place
        self.on_state_change: Callable[[], None] | None = None  # called when the run is paused, continues, or is evicted
        self._update_positions = update_positions
        self._reported = (0, deferred)  # the position and `deferred` as `positions` last yielded them
        self._changed = asyncio.Event()

    @property
    def position(self) -> int:
        """The position of the run in the queue, counted from 1; 0 if it does not wait."""
        if self.state is not TicketState.WAITING:
            return 0
        self._update_positions()
        return self.last_position

    async def positions(self) -> AsyncIterator[int]:
        """Yield the position at first, and again whenever it or `deferred` has changed, until the run no longer waits or is abandoned."""
        while self.state is TicketState.WAITING and not self.abandoned:
            self._changed.clear()
            if (now := (self.position, self.deferred)) != self._reported:
                self._reported = now
                yield now[0]
            await self._changed.wait()

    def wake_if_moved(self) -> None:
        """Wake whoever iterates `positions` if the position has changed since it was last yielded."""
        if self.last_position != self._reported[0]:
            self.wake()

    def wake(self) -> None:
        """Wake whoever iterates `positions`."""
        self._changed.set()

    def abandon(self) -> None:
        """Record that nobody wants the run any more. The run itself leaves the queue once it notices."""
        self.abandoned = True
        self.wake()

    def refuse(self, cap: QueueCap) -> None:
        """End the waiting of a run that will not begin, because `cap` was reached."""
        self.refusal = cap
        self.state = TicketState.REFUSED
        self.wake()

    def evict(self, refusal: TicketRefusal) -> None:
        """Make a run end: a run on trial whose memory another run waits for ("memory"), or a background run ("gave_way")."""
        self.refusal = refusal
        if self.on_state_change:
            self.on_state_change()

    def undefer(self) -> None:
        """Let the run begin when its turn comes."""
        self.deferred = False
        self.wake()

    def enter(self, state: TicketState) -> None:
        """Set the state to RUNNING or PAUSED."""
        begun = self.state is not TicketState.WAITING
        self.state = state
        self.wake()
        if begun and self.on_state_change:
            self.on_state_change()
