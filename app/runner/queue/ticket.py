"""A run's place in the queue: it waits, then it runs, and while others are owed more it may be paused."""

import asyncio
from collections.abc import AsyncIterator, Callable
from enum import Enum, auto

from app.protocol.owner import Owner
from app.runner.client import QueueCap


class TicketState(Enum):
    WAITING = auto()  # its run has not begun
    RUNNING = auto()  # it holds a place
    PAUSED = auto()  # its run has begun and gave its place up
    VACATED = auto()  # it gave its place back for good
    REFUSED = auto()  # it waited, and had to make room for somebody who has less in the queue


class Ticket:
    """`position` counts from 1; 0 is: its run has begun. `on_turn` is called when it is paused and when it goes on.

    `memory_bytes`: what its run is promised when it begins. `held`: it lets all others pass until the queue lets it go. `refusal`: the cap
    that it fell victim to.
    """

    def __init__(self, owner: Owner, memory_bytes: int, held: bool = False) -> None:
        self.owner = owner
        self.memory_bytes = memory_bytes
        self.held = held
        self.position = 0
        self.abandoned = False
        self.refusal: QueueCap | None = None
        self.state = TicketState.WAITING
        self.started = False  # its program has
        self.charged_seconds = 0.0
        self.on_turn: Callable[[], None] | None = None
        self._moved = asyncio.Event()

    @property
    def paused(self) -> bool:
        return self.state is TicketState.PAUSED

    async def positions(self) -> AsyncIterator[int]:
        """Each position from now on, while the run waits, and the last one again when it is let go."""
        while self.position and not self.abandoned and not self.refusal:
            self._moved.clear()
            yield self.position
            await self._moved.wait()

    def abandon(self) -> None:
        """Its run is not wanted any more; it leaves the queue when its run notices."""
        self.abandoned = True
        self._moved.set()

    def refuse(self, cap: QueueCap) -> None:
        """It waits no longer, and its run does not begin."""
        self.refusal = cap
        self.state = TicketState.REFUSED
        self._moved.set()

    def let_go(self) -> None:
        self.held = False
        self._moved.set()

    def move(self, position: int) -> None:
        if position != self.position:
            self.position = position
            self._moved.set()

    def enter(self, state: TicketState) -> None:
        """Begin, be paused, or go on."""
        begun = self.state is not TicketState.WAITING
        self.state = state
        self.move(0)
        if begun and self.on_turn:
            self.on_turn()
