"""The orders of recent runs, from which second runs of the same programs are made. They are in memory only.

A learner has at most a few, and all together take bounded memory. Where either is exceeded, the oldest order is dropped. An order that is
very large is not stored, so that no learner's orders take the place of all others.
"""

import sys
from collections import OrderedDict

from app.protocol.limits import MEBIBYTE
from app.protocol.run import RunOrder

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


def measure(order: RunOrder) -> int:
    """Return the bytes that an order takes in memory."""
    return ORDER_BYTES + sum(sys.getsizeof(source.text) for source in (*order.program.replay, order.program.source))
