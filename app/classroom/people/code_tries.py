"""Slows wrong join and resume codes from an address, like wrong sign-ins. Right codes cost nothing.

A school may be behind one address, and everybody there may mistype. A code has 40 bits or more, so that guessing needs many more tries.
"""

from math import ceil

from sqlalchemy import Connection

from app.classroom.people.wrong_sign_ins import Slowing, TrySource, begin_try, read_wait

CODES = Slowing(free=100, first_ms=1000, most_ms=60 * 1000)


def read_code_wait(connection: Connection, address: str, now_ms: int) -> int:
    """Return how many seconds the next code from an address must wait."""
    return ceil(read_wait(connection, [source_of(address)], now_ms) / 1000)


def count_wrong_code(connection: Connection, address: str, now_ms: int) -> None:
    """Count a wrong code from an address."""
    begin_try(connection, [source_of(address)], now_ms)


def source_of(address: str) -> TrySource:
    return TrySource(key=f"code {address}", slowing=CODES)
