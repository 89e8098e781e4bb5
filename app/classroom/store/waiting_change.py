"""A change to the store that waits for a writer."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from app.classroom.store.faults.store_faults import StoreUnreachable

NOTICED = "noticed"  # set in the `info` of a connection whose transaction has written a notice


@dataclass(frozen=True, eq=False)
class WaitingChange:
    """A change, and the future of its result. Changes with the same `key` are made one after the other, in order."""

    change: Callable[[Connection], Any]
    done: Future[Any]
    key: str | None = None


def ended() -> StoreUnreachable:
    return StoreUnreachable("the server is ending")
