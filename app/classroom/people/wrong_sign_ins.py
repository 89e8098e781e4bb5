"""Slows down wrong sign-ins and wrong codes. The counts are in the store, so that they hold for all processes and after restarts.

Wrong tries are counted for a name at an address, and for an address. Each count has a number of tries that are free; after that, the next
try must wait, each time twice as long, up to a maximum. A try that comes too early is refused and not counted.

So nobody can lock out a person who signs in from another address. Others at the same address cannot lock out a browser with which the
person has signed in before, because its tries are counted separately. A link always signs in.

Wrong join and resume codes are counted for an address; right ones are not. Many are free, because a whole school may have one address, and
a code has 40 bits or more, so that guessing needs many more tries.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import ceil

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.classroom.store.schema.tables import WrongSignInRow
from app.classroom.store.times import DAY_MS


@dataclass(frozen=True, kw_only=True)
class Slowing:
    """A rule for waiting. `free` tries need not wait. The next one waits `first_ms`, and each later one twice as long, up to `most_ms`."""

    free: int
    first_ms: int
    most_ms: int

    def wait_ms(self, count: int) -> int:
        """Return how many milliseconds the next try must wait after `count` wrong ones."""
        if count < self.free:
            return 0
        return min(self.first_ms << min(count - self.free, 40), self.most_ms)


NAME = Slowing(free=5, first_ms=1000, most_ms=15 * 60 * 1000)
ADDRESS = Slowing(free=50, first_ms=1000, most_ms=60 * 1000)  # a whole school may have one address
CODES = Slowing(free=100, first_ms=1000, most_ms=60 * 1000)
FORGOTTEN_MS = DAY_MS  # after the last wrong try
Sources = Mapping[str, Slowing]  # what wrong tries are counted for: the keys of the rows, that of the name first, and their rules


@dataclass(frozen=True, kw_only=True)
class Try:
    """A try to sign in. If `wait_ms` is not 0, it came that much too early and must be refused. `count` is for the name."""

    wait_ms: int
    count: int


def sources_of(name_key: str, address: str, browser: str | None = None) -> Sources:
    """Return the sources for which a try is counted. `browser` identifies a browser in which the person has signed in before."""
    name = shorten(name_key)
    if browser is not None:
        return {f"browser {shorten(browser)} {name}": NAME}
    return {f"name {name} {address}": NAME, f"address {address}": ADDRESS}


def shorten(text: str) -> str:
    """Return a hash of a text, because somebody may have typed a password in place of a name."""
    return sha256(text.encode()).hexdigest()[:32]


def begin_try(connection: Connection, sources: Sources, now_ms: int) -> Try:
    """Count a try as wrong before it is known whether it is, so that many tries at once are all counted.

    `end_right` takes it back. A try that comes too early is not stored, so that refused tries do not fill the table.
    """
    connection.execute(delete(WrongSignInRow).where(WrongSignInRow.last_ms <= now_ms - FORGOTTEN_MS))
    counts = read_counts(connection, sources, lock=True)
    wait_ms = find_wait(sources, counts, now_ms)
    number = counts.get(next(iter(sources)), (0, 0))[0]
    if wait_ms > 0:
        return Try(wait_ms=wait_ms, count=number)
    try:
        with connection.begin_nested():
            new = [{"source": source, "count": 1, "last_ms": now_ms} for source in sources if source not in counts]
            if new:
                connection.execute(insert(WrongSignInRow), new)
    except IntegrityError:  # another process was first
        return begin_try(connection, sources, now_ms)
    connection.execute(
        update(WrongSignInRow).where(WrongSignInRow.source.in_(counts)).values(count=WrongSignInRow.count + 1, last_ms=now_ms)
    )
    return Try(wait_ms=0, count=number + 1)


def read_wait(connection: Connection, sources: Sources, now_ms: int) -> int:
    """Return by how many milliseconds a try would come too early, 0 if it would not. This changes nothing, and so costs no commit."""
    return max(0, find_wait(sources, read_counts(connection, sources), now_ms))


def find_wait(sources: Sources, counts: Mapping[str, tuple[int, int]], now_ms: int) -> int:
    """Return how long the next try must wait, in milliseconds. It is negative if the wait has ended."""
    waits = []
    for source, slowing in sources.items():
        count, last_ms = counts.get(source, (0, now_ms))
        waits.append(last_ms + slowing.wait_ms(count) - now_ms)
    return max(waits)


def read_counts(connection: Connection, sources: Sources, *, lock: bool = False) -> dict[str, tuple[int, int]]:
    """Return the number and the time of wrong tries by key. With `lock`, the rows are locked until the transaction ends."""
    query = (
        select(WrongSignInRow.source, WrongSignInRow.count.label("tries"), WrongSignInRow.last_ms)
        .where(WrongSignInRow.source.in_(sources))
        .order_by(WrongSignInRow.source)
    )
    return {row.source: (row.tries, row.last_ms) for row in connection.execute(query.with_for_update() if lock else query)}


def end_right(connection: Connection, sources: Sources) -> None:
    """Take back a try that was right. The wrong tries before it are deleted for the name, and remain for the address."""
    name, *others = sources
    connection.execute(delete(WrongSignInRow).where(WrongSignInRow.source == name))
    take_back(connection, others)


def take_back(connection: Connection, sources: Collection[str]) -> None:
    """Subtract a try from the counts, because it was right or was not verified."""
    connection.execute(
        update(WrongSignInRow).where(WrongSignInRow.source.in_(sources), WrongSignInRow.count > 0).values(count=WrongSignInRow.count - 1)
    )


def read_code_wait(connection: Connection, address: str, now_ms: int) -> int:
    """Return how many seconds an address must wait before it sends the next code."""
    return ceil(read_wait(connection, codes_of(address), now_ms) / 1000)


def count_wrong_code(connection: Connection, address: str, now_ms: int) -> None:
    """Count a wrong code from an address."""
    begin_try(connection, codes_of(address), now_ms)


def codes_of(address: str) -> Sources:
    return {f"code {address}": CODES}
