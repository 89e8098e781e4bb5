"""The buckets of network addresses when several web processes share them. app.classroom stores the buckets.

This process leases bytes in pieces and admits changes out of its leases, so most changes need no query.
"""

from collections import OrderedDict
from dataclasses import dataclass

from sqlalchemy import Connection

from app.classroom.store.database import Database
from app.classroom.store.postgres.address_additions import delete_full, take_bytes
from app.web.guards.buckets import REMEMBERED, Rate

PIECES = 256  # leases that together have the bytes an address may add at once
ASKED_AGAIN_SECONDS = 1.0  # between two queries for an address that was refused
DELETED_AFTER_SECONDS = 600.0


@dataclass
class Lease:
    """The bytes that this process may still add for an address, and the last refusal.

    At `refused_at`, by time.monotonic, `refused` bytes were refused, for which the address had to wait `wait_seconds`.
    """

    bytes: int = 0
    refused_at: float = float("-inf")
    refused: int = 0
    wait_seconds: float = 0.0


class AddressLeases:
    """Has the methods of app.web.guards.rates.Buckets, which raise StoreFault here. One thread at a time may call them."""

    def __init__(self, database: Database, rate: Rate) -> None:
        self._database, self._most, self._per_second = database, round(rate.at_once), rate.per_second
        self._piece = self._most // PIECES
        self._leases: OrderedDict[str, Lease] = OrderedDict()
        self._deleted = float("-inf")

    def wait_seconds(self, key: str, cost: float, now: float) -> float:
        """Return in how many seconds the address may add `cost` bytes: 0 if it may now. Leases more bytes if that is necessary."""
        lease = self._find(key)
        missing = min(round(cost), self._most) - lease.bytes
        if missing <= 0:
            return 0.0
        if now - lease.refused_at < ASKED_AGAIN_SECONDS:
            wait = lease.wait_seconds + (missing - lease.refused) / self._per_second - (now - lease.refused_at)
            if wait > 0:
                return wait
        for wanted in sorted({missing, max(missing, self._piece)}, reverse=True):  # perhaps less than a piece is left
            wait = self._take(key, wanted, now)
            if not wait:
                lease.bytes += wanted
                return 0.0
        lease.refused_at, lease.refused, lease.wait_seconds = now, missing, wait
        return wait

    def take(self, key: str, cost: float, now: float) -> None:
        """Take the added bytes out of the lease, and what it lacks out of the bucket, even if the bucket does not hold so many."""
        lease = self._find(key)
        lease.bytes -= round(cost)
        if lease.bytes < 0:
            self._take(key, -lease.bytes, now, forced=True)
            lease.bytes = 0

    def _find(self, key: str) -> Lease:
        lease = self._leases.setdefault(key, Lease())
        self._leases.move_to_end(key)
        if len(self._leases) > REMEMBERED:
            self._leases.popitem(last=False)
        return lease

    def _take(self, key: str, taken: int, now: float, *, forced: bool = False) -> float:
        def take(connection: Connection) -> float:
            if now - self._deleted > DELETED_AFTER_SECONDS:
                delete_full(connection, per_second=self._per_second)
            return take_bytes(connection, key, taken, most=self._most, per_second=self._per_second, forced=forced)

        wait = self._database.write_apart(take)
        if now - self._deleted > DELETED_AFTER_SECONDS:
            self._deleted = now
        return wait
