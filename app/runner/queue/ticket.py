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
    """`position` counts from 1; 0 is: it does not wait. `on_turn` is called when it is paused, goes on or is evicted.

    `memory_bytes`: what its run is promised when it begins. `held`: it lets all others pass until the queue lets it go. `refusal`: the cap
    that it fell victim to. `locate` is called before a position is read: it has every ticket that waits placed.
    """

    def __init__(self, owner: Owner, memory_bytes: int, held: bool = False, locate: Callable[[], None] = lambda: None) -> None:
        self.owner = owner
        self.memory_bytes = memory_bytes
        self.held = held
        self.place = 0  # as it was last located
        self.abandoned = False
        self.refusal: QueueCap | None = None
        self.state = TicketState.WAITING
        self.started = False  # its program has
        self.charged_seconds = 0.0
        self.on_turn: Callable[[], None] | None = None
        self._locate = locate
        self._told = (0, held)
        self._news = asyncio.Event()

    @property
    def paused(self) -> bool:
        return self.state is TicketState.PAUSED

    @property
    def position(self) -> int:
        if self.state is not TicketState.WAITING:
            return 0
        self._locate()
        return self.place

    async def positions(self) -> AsyncIterator[int]:
        """Each position that it is woken at, while the run waits, and the last one again when it is let go."""
        while self.state is TicketState.WAITING and not self.abandoned:
            self._news.clear()
            if (now := (self.position, self.held)) != self._told:
                self._told = now
                yield now[0]
            await self._news.wait()

    def wake_if_moved(self) -> None:
        """It has been located again."""
        if self.place != self._told[0]:
            self.wake()

    def wake(self) -> None:
        """Something about it has changed."""
        self._news.set()

    def abandon(self) -> None:
        """Its run is not wanted any more; it leaves the queue when its run notices."""
        self.abandoned = True
        self.wake()

    def refuse(self, cap: QueueCap) -> None:
        """It waits no longer, and its run does not begin."""
        self.refusal = cap
        self.state = TicketState.REFUSED
        self.wake()

    def evict(self) -> None:
        """It was on trial and somebody waits for its memory: its run has to end."""
        self.refusal = "memory"
        if self.on_turn:
            self.on_turn()

    def let_go(self) -> None:
        self.held = False
        self.wake()

    def enter(self, state: TicketState) -> None:
        """Begin, be paused, or go on."""
        begun = self.state is not TicketState.WAITING
        self.state = state
        self.wake()
        if begun and self.on_turn:
            self.on_turn()
