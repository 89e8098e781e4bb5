"""A queue for many learners, in which every child is ready at once, on a clock that runs in steps."""

from collections import Counter
from collections.abc import Callable

from app.runner.queue.capacity import Capacity
from app.runner.queue.caps import QueueCaps
from app.runner.queue.run_queue import RunQueue
from app.runner.queue.ticket import Ticket, TicketState

QUANTUM_SECONDS = 0.25
STEP_SECONDS = 0.01  # the shortest wait of the queue's own
LONG_STEP_SECONDS = 0.05


class Class:
    """A queue in which every child is ready at once, and a clock that runs in steps."""

    def __init__(self, capacity: Capacity, caps: QueueCaps | None = None) -> None:
        self.seconds = 0.0
        self.queue = RunQueue(capacity, caps or QueueCaps(overall=1000, address=1000), lambda: self.seconds)
        self.used: Counter[str] = Counter()  # by address
        self.evicted: list[Ticket] = []  # and not gone yet

    def order(self, learner: str, address: str = "class", memory_bytes: int = 1, *, graded: bool = False) -> Ticket:
        ticket = self.queue.enter(learner, address, memory_bytes, never_on_trial=graded)
        ticket.on_state_change = lambda: self.evicted.append(ticket) if ticket.refusal else None
        self.queue.start(ticket)
        return ticket

    def run_short(self, learner: str, address: str = "class") -> None:
        """Run something that takes no time. Then the learner thinks for a while."""
        self.queue.leave(self.order(learner, address))
        self.seconds += 10.0

    def attack(self, count: int, address: str) -> list[Ticket]:
        """Order a run that never ends for each of so many learners."""
        return [self.order(f"attacker-{number}", address) for number in range(count)]

    def wait_for(self, ticket: Ticket, patience_seconds: float = 60.0) -> float:
        """Return how many seconds pass until the ticket holds a place."""
        start = self.seconds
        while ticket.state is not TicketState.RUNNING:
            self.step()
            assert self.seconds < start + patience_seconds
        return self.seconds - start

    def end(self, tickets: list[Ticket], is_over: Callable[[Ticket], bool]) -> None:
        """Remove the runs that have ended by now."""
        for ticket in [each for each in tickets if is_over(each)]:
            tickets.remove(ticket)
            self.queue.leave(ticket)

    def step(self, seconds: float = STEP_SECONDS) -> None:
        """Let time pass. Afterwards evicted runs are gone."""
        self.seconds += seconds
        self.queue.take_turns()
        while self.evicted:
            self.queue.leave(self.evicted.pop())

    def go_on(self, tickets: list[Ticket], seconds: float) -> None:
        end = self.seconds + seconds
        while self.seconds < end:
            self.step(LONG_STEP_SECONDS)
            self.used.update(ticket.owner.address for ticket in tickets if ticket.state is TicketState.RUNNING)


def is_running(ticket: Ticket) -> bool:
    """Return whether a run holds a place. In a queue of short runs, such a run has ended."""
    return ticket.state is TicketState.RUNNING


def capacity_of(concurrency: int = 2, begun: int = 40, reserve: int = 2, learner: int = 1) -> Capacity:
    return Capacity(concurrency=concurrency, begun_bytes=begun, reserve_bytes=reserve, learner=learner, quantum_seconds=QUANTUM_SECONDS)
