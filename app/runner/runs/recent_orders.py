"""The orders of recent runs, from which second runs of the same programs are made. They are in memory only.

They are the runner's, because several web processes may share a runner, and each may be asked for the second run.
A learner has at most a few, and all together take bounded memory. Where either is exceeded, the oldest order is dropped. An order that is
very large is not stored, so that no learner's orders take the place of all others.
"""

import sys
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from app.protocol.instrument_facts import DOCTOR, INSTRUMENTS, TRACE
from app.protocol.limits import MEBIBYTE
from app.protocol.run import RunOrder, TraceOrder
from app.runner.client import RunUntraceable

ORDERS_OF_LEARNER = 8
LARGEST_BYTES = MEBIBYTE
OVERALL_BYTES = 32 * MEBIBYTE
ORDER_BYTES = 2048  # of an order besides its sources


class RecentOrders:
    """Orders by the ids of their runs, each with the learner for whom it counts."""

    def __init__(self) -> None:
        self._orders: OrderedDict[str, RunOrder] = OrderedDict()  # the oldest first
        self._of_learner: dict[str, OrderedDict[str, None]] = {}  # ids of runs, the oldest first
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._orders)

    def record(self, run_id: str, order: RunOrder) -> None:
        """Add the order of a run if the run can be traced: its runtime has the instrument, and it is no second run itself."""
        if not order.background and TRACE in INSTRUMENTS[order.runtime]:
            self.add(run_id, order)

    @contextmanager
    def second(self, asked: TraceOrder) -> Iterator[RunOrder]:
        """Yield the order of a second run. If the context raises an exception, the second run may be ordered again.

        Raises RunUntraceable.
        """
        first = self.take(asked.run_id, asked.learner)
        if first is None:
            raise RunUntraceable("there is no such run to trace")
        try:
            yield make_second(first, asked)
        except BaseException:
            self.add(asked.run_id, first)
            raise

    def add(self, run_id: str, order: RunOrder) -> None:
        """Add the order of a run, in place of an order with the same id. Does nothing if the order is too large."""
        if run_id in self._orders:
            self._remove(run_id)
        if measure(order) > LARGEST_BYTES:
            return
        of_learner = self._of_learner.setdefault(order.learner, OrderedDict())
        self._orders[run_id], of_learner[run_id] = order, None
        self._bytes += measure(order)
        if len(of_learner) > ORDERS_OF_LEARNER:
            self._remove(next(iter(of_learner)))
        while self._bytes > OVERALL_BYTES:
            self._remove(next(iter(self._orders)))

    def take(self, run_id: str, learner: str) -> RunOrder | None:
        """Remove an order and return it. Return None if it is not here or is another learner's."""
        return self._remove(run_id) if run_id in self._of_learner.get(learner, ()) else None

    def forget(self, learner: str) -> None:
        """Remove all orders of a learner."""
        for run_id in list(self._of_learner.get(learner, ())):
            self._remove(run_id)

    def _remove(self, run_id: str) -> RunOrder:
        order = self._orders.pop(run_id)
        self._bytes -= measure(order)
        del self._of_learner[order.learner][run_id]
        if not self._of_learner[order.learner]:
            del self._of_learner[order.learner]
        return order


def make_second(first: RunOrder, asked: TraceOrder) -> RunOrder:
    """Return the order that runs the same program again, traced and in the background. It has the doctor where there is one."""
    more = [TRACE.name, *([DOCTOR.name] if first.diagnosis != "none" and DOCTOR in INSTRUMENTS[first.runtime] else [])]
    instruments = [*(name for name in first.program.instruments if name not in more), *more]
    program = msgspec.structs.replace(first.program, instruments=instruments)
    counted = {"learner": asked.learner, "address": asked.address, "unconfined": asked.unconfined}
    return msgspec.structs.replace(first, program=program, background=True, **counted)


def measure(order: RunOrder) -> int:
    """Return the bytes that an order takes in memory."""
    return ORDER_BYTES + sum(sys.getsizeof(source.text) for source in (*order.program.replay, order.program.source))
