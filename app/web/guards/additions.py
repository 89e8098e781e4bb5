"""What is added to the store: whether the whole store has room for it, and whether the network address may add more within the hour."""

import time
from collections import Counter
from collections.abc import Callable
from math import ceil
from typing import TypeVar

import structlog
from sqlalchemy import Connection

from app.classroom.store.store_faults import AddressAtLimit, StoreAtLimit
from app.classroom.store.store_room import REOPENS, StoreRoom
from app.web.guards.buckets import Buckets, Rate

T = TypeVar("T")
HOUR_SECONDS = 3600

log = structlog.get_logger()


class Additions:
    """Admits changes to one store. What a change adds is measured, in bytes of the database.

    `bytes_per_address`: what an address may add at once, and again within each hour. `refused`: changes, by reason; `addresses`: those that
    are at their limit. Its methods are for the thread that writes; any thread may read the attributes.
    """

    def __init__(self, room: StoreRoom, bytes_per_address: int) -> None:
        self._room = room
        self._bytes, self._reopens_bytes = bytes_per_address, round((1 - REOPENS) * bytes_per_address)
        self._buckets = Buckets(Rate(bytes_per_address / HOUR_SECONDS, bytes_per_address))
        self.refused: Counter[str] = Counter()
        self.addresses: set[str] = set()

    def make(self, address: str, change: Callable[[Connection], T], connection: Connection) -> T:
        """What the change returns. Raises StoreAtLimit and AddressAtLimit before it is made."""
        used_bytes = self._admit(address, 1, connection)
        result = change(connection)
        self._take(address, self._room.measure(connection) - used_bytes)
        return result

    def reserve(self, address: str, added_bytes: int, connection: Connection) -> None:
        """For changes that follow, which together add so much, and then need not ask. Raises StoreAtLimit and AddressAtLimit."""
        self._admit(address, added_bytes, connection)
        self._take(address, added_bytes)

    def _take(self, address: str, added_bytes: int) -> None:
        """Also more than may be added at once, which then takes longer than an hour to come back."""
        while added_bytes > 0:
            self._buckets.take(address, min(added_bytes, self._bytes), time.monotonic())
            added_bytes -= self._bytes

    def _admit(self, address: str, added_bytes: int, connection: Connection) -> int:
        """Bytes that are used."""
        try:
            self._admit_address(address, added_bytes)
            return self._room.admit(connection, added_bytes)
        except (AddressAtLimit, StoreAtLimit) as fault:
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
