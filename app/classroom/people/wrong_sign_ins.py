"""Slows wrong sign-ins, in the store, so that it holds over several processes and restarts.

Wrong tries are counted for a name at an address, and for an address. Each count has a number of tries that are free; after that, the next try
must wait, each time twice as long, up to a bound. A try that comes too early is refused and not counted.

So nobody can lock a person out who comes from another address. Others at the same address cannot lock out a browser with which the person
has signed in before: its tries are counted by themselves. And a link always signs in.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.classroom.store.tables import WrongSignInRow
from app.classroom.store.times import DAY_MS


@dataclass(frozen=True, kw_only=True)
class Slowing:
    """`free` tries need not wait. The next must wait `first_ms`, and then each twice as long as the one before, at most `most_ms`."""

    free: int
    first_ms: int
    most_ms: int

    def wait_ms(self, count: int) -> int:
        """Return how long after `count` wrong tries the next must wait."""
        if count < self.free:
            return 0
        return min(self.first_ms * 2 ** min(count - self.free, 40), self.most_ms)


NAME = Slowing(free=5, first_ms=1000, most_ms=15 * 60 * 1000)
ADDRESS = Slowing(free=50, first_ms=1000, most_ms=60 * 1000)  # a school's: everybody there may mistype
FORGOTTEN_MS = DAY_MS  # after the last wrong try


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where wrong tries are counted. `key` is that of the row."""

    key: str
    slowing: Slowing


@dataclass(frozen=True, kw_only=True)
class Try:
    """A try to sign in. If `wait_ms` is not 0, it came too early by that, and must be refused. `count` is the number for the name."""

    wait_ms: int
    count: int


def sources_of(name_key: str, address: str, browser: str | None = None) -> list[Source]:
    """Return where a try is counted. `browser` identifies a browser in which the person has signed in before."""
    name = shorten(name_key)
    if browser is not None:
        return [Source(key=f"browser {shorten(browser)} {name}", slowing=NAME)]
    return [Source(key=f"name {name} {address}", slowing=NAME), Source(key=f"address {address}", slowing=ADDRESS)]


def shorten(text: str) -> str:
    """Return a hash: somebody may have typed a password in place of a name."""
    return sha256(text.encode()).hexdigest()[:32]


def begin_try(connection: Connection, sources: Sequence[Source], now_ms: int) -> Try:
    """Count a try as wrong before it is known whether it is, so that many tries at once are all counted.

    `end_right` takes it back. A try that comes too early is not counted.
    """
    connection.execute(delete(WrongSignInRow).where(WrongSignInRow.last_ms <= now_ms - FORGOTTEN_MS))
    counts = [lock_count(connection, source, now_ms) for source in sources]
    waits = [last_ms + source.slowing.wait_ms(count) - now_ms for source, (count, last_ms) in zip(sources, counts, strict=True)]
    wait_ms = max(0, *waits)
    if not wait_ms:
        for source, (count, _) in zip(sources, counts, strict=True):
            here = update(WrongSignInRow).where(WrongSignInRow.source == source.key)
            connection.execute(here.values(count=count + 1, last_ms=now_ms))
    return Try(wait_ms=wait_ms, count=counts[0][0] + (not wait_ms))


def end_right(connection: Connection, sources: Sequence[Source]) -> None:
    """Take back a try that was right. The wrong ones before it are forgotten for the name, and remain for the address."""
    name, *others = (source.key for source in sources)
    connection.execute(delete(WrongSignInRow).where(WrongSignInRow.source == name))
    for key in others:
        here = update(WrongSignInRow).where(WrongSignInRow.source == key, WrongSignInRow.count > 0)
        connection.execute(here.values(count=WrongSignInRow.count - 1))


def lock_count(connection: Connection, source: Source, now_ms: int) -> tuple[int, int]:
    """Return how many wrong tries a source had, and the time of the last. The row is locked until the transaction ends."""
    columns = select(WrongSignInRow.count, WrongSignInRow.last_ms).where(WrongSignInRow.source == source.key)
    row = connection.execute(columns.with_for_update()).one_or_none()
    if row is None:
        try:
            with connection.begin_nested():
                connection.execute(insert(WrongSignInRow), {"source": source.key, "count": 0, "last_ms": now_ms})
        except IntegrityError:  # another process was first
            return lock_count(connection, source, now_ms)
        return 0, now_ms
    return row.count, row.last_ms
