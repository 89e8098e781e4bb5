"""Slows down wrong join and resume codes from an address, like wrong sign-ins. Right codes are not counted.

Many wrong codes are free, because a whole school may have one address. A code has 40 bits or more, so that guessing needs many more tries.
"""

from math import ceil

from sqlalchemy import Connection

from app.classroom.people.wrong_sign_ins import Slowing, TrySource, begin_try, read_wait

CODES = Slowing(free=100, first_ms=1000, most_ms=60 * 1000)


def read_code_wait(connection: Connection, address: str, now_ms: int) -> int:
    """Return how many seconds an address must wait before it sends the next code."""
    return ceil(read_wait(connection, [source_of(address)], now_ms) / 1000)


def count_wrong_code(connection: Connection, address: str, now_ms: int) -> None:
    """Count a wrong code from an address."""
    begin_try(connection, [source_of(address)], now_ms)


def source_of(address: str) -> TrySource:
    return TrySource(key=f"code {address}", slowing=CODES)
