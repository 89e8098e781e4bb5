"""Background runs: they use places and memory that nobody else needs, and are ended when somebody does.

A background run does not wait and is never paused. It is charged to nobody and counts in no cap. For example, Ann's background run has the
second of two places. Bob's run gets the first, and then Cid's gets the second: Ann's run is ended at once.
"""

from app.runner.client import RunGaveWay
from app.runner.queue.memory_reservations import MemoryReservations
from app.runner.queue.ticket import Ticket, TicketState


class BackgroundRuns:
    """The background runs that hold places, and when they have to give them up."""

    def __init__(self, reservations: MemoryReservations) -> None:
        self._reservations = reservations
        self._running: list[Ticket] = []  # the oldest first

    def __len__(self) -> int:
        """Return how many background runs hold a place."""
        return len(self._running)

    def begin(self, ticket: Ticket, free_places: int) -> None:
        """Give the run one of `free_places` and promise it memory.

        Raises RunGaveWay if that is not possible, or if a background run of the same learner holds a place.
        """
        is_second = any(running.owner == ticket.owner for running in self._running)
        if free_places <= len(self._running) or is_second or not self._reservations.allow_background(ticket.memory_bytes):
            raise RunGaveWay
        self._reservations.background_bytes += ticket.memory_bytes
        self._running.append(ticket)
        ticket.enter(TicketState.RUNNING)

    def give_way(self, free_places: int, lack_memory: bool) -> None:
        """End background runs, the newest first: those for which no place is left, and all if `lack_memory`."""
        while self._running and (lack_memory or len(self._running) > free_places):
            ticket = self._running[-1]
            self.vacate(ticket)
            ticket.evict("gave_way")

    def vacate(self, ticket: Ticket) -> None:
        """Free the place of a background run. Does nothing if it has been vacated."""
        if ticket.state is TicketState.RUNNING:
            self._running.remove(ticket)
            ticket.state = TicketState.VACATED

    def end(self, ticket: Ticket) -> None:
        """End a background run whose child is gone."""
        self.vacate(ticket)
        self._reservations.background_bytes -= ticket.memory_bytes
