"""A queue on a clock that a test sets, in which a run is promised one byte unless a test says otherwise."""

from app.runner.queue.capacity import Capacity
from app.runner.queue.caps import QueueCaps
from app.runner.queue.run_queue import RunQueue
from app.runner.queue.ticket import Ticket

QUANTUM_SECONDS = 0.25


class OneEach(RunQueue):
    """A queue in which a run is promised one byte, unless a test says otherwise."""

    def enter(self, learner: str, address: str, memory_bytes: int = 1, deferred: bool = False) -> Ticket:
        return super().enter(learner, address, memory_bytes, deferred)


class StartedAtOnce(OneEach):
    """A queue in which a child is always ready."""

    def enter(self, learner: str, address: str, memory_bytes: int = 1, deferred: bool = False) -> Ticket:
        ticket = super().enter(learner, address, memory_bytes, deferred)
        self.start(ticket)
        return ticket


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def queue_of(concurrency: int = 1, **caps: int) -> RunQueue:
    return timed_queue(concurrency, caps=QueueCaps(**caps))[0]


def timed_queue(
    concurrency: int = 1, begun: int = 100, reserve: int = 0, learner: int = 100, caps: QueueCaps | None = None
) -> tuple[RunQueue, Clock]:
    clock = Clock()
    capacity = Capacity(
        concurrency=concurrency,
        begun_bytes=begun,
        reserve_bytes=reserve,
        learner=learner,
        quantum_seconds=QUANTUM_SECONDS,
        least_seconds=0.0,
    )
    return StartedAtOnce(capacity, caps or QueueCaps(), clock), clock


def states(*tickets: Ticket) -> list[str]:
    return [ticket.state.name.lower() for ticket in tickets]
