"""Limits on what is added to the store: the size of the whole database, and what one network address adds within an hour."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil

import structlog
from sqlalchemy import Connection

from app.classroom.store.faults.store_faults import AddressAtLimit, StoreAtLimit
from app.classroom.store.store_room import REOPENS, StoreRoom
from app.web.guards.address_leases import AddressLeases
from app.web.guards.buckets import Buckets, Rate

HOUR_SECONDS = 3600

log = structlog.get_logger()


class Additions:
    """Admits changes to one database, and measures how many bytes each change adds.

    An address may add `bytes_per_address` at once. This allowance refills within an hour. `refused` counts refused changes by reason, and
    `addresses` are the addresses at their limit. `buckets` count what each address may still add; by default they are in
    memory. Any thread may call the methods.
    """

    def __init__(self, room: StoreRoom, bytes_per_address: int, buckets: Callable[[Rate], Buckets | AddressLeases] = Buckets) -> None:
        self._room = room
        self._lock = threading.Lock()
        self._bytes, self._reopens_bytes = bytes_per_address, round((1 - REOPENS) * bytes_per_address)
        self._buckets = buckets(Rate(bytes_per_address / HOUR_SECONDS, bytes_per_address))
        self.refused: Counter[str] = Counter()
        self.addresses: set[str] = set()

    @contextmanager
    def charge(self, address: str, connection: Connection) -> Iterator[None]:
        """Count what this context adds to the database against `address`.

        Raises StoreAtLimit or AddressAtLimit at the beginning of the context if a limit is reached.
        """
        used_bytes = self._admit(address, 1, connection)
        yield
        self._take(address, self._room.measure(connection) - used_bytes)

    def reserve(self, address: str, added_bytes: int, connection: Connection) -> None:
        """Count `added_bytes` against `address` now, for later changes that do not call `charge`.

        Raises StoreAtLimit and AddressAtLimit.
        """
        self._admit(address, added_bytes, connection)
        self._take(address, added_bytes)

    def _take(self, address: str, added_bytes: int) -> None:
        """Take bytes from the bucket of `address`. It may get less than empty; then refilling it takes longer than an hour."""
        with self._lock:
            while added_bytes > 0:
                self._buckets.take(address, min(added_bytes, self._bytes), time.monotonic())
                added_bytes -= self._bytes

    def _admit(self, address: str, added_bytes: int, connection: Connection) -> int:
        """Return how many bytes the database uses. Raises AddressAtLimit or StoreAtLimit if there is no room for `added_bytes` more."""
        try:
            with self._lock:
                self._admit_address(address, added_bytes)
            return self._room.admit(connection, added_bytes)
        except (AddressAtLimit, StoreAtLimit) as fault:
            with self._lock:
                self.refused[fault.reason] += 1
            raise

    def _admit_address(self, address: str, added_bytes: int) -> None:
        now = time.monotonic()
        for one in [one for one in self.addresses if not self._buckets.wait_seconds(one, self._reopens_bytes, now)]:
            self.addresses = self.addresses - {one}
            log.info("address_below_limit", addresses=len(self.addresses))
        if address not in self.addresses and self._buckets.wait_seconds(address, 1, now):
            self.addresses = self.addresses | {address}
            log.error("address_at_limit", address=address, addresses=len(self.addresses))
        needed_bytes = max(added_bytes, self._reopens_bytes if address in self.addresses else 0)
        if wait_seconds := self._buckets.wait_seconds(address, needed_bytes, now):
            raise AddressAtLimit(ceil(wait_seconds))
