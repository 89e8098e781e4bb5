"""Results that web holds while a submission or a prediction is answered, because they are part of its answer, too: bounded.

An answer that is the runner's own bytes holds nothing. Here the client who takes its answer slowest gives way, as in guards.connections.
"""

from typing import Protocol, Self

from fastapi import Request

from app.buffered_bytes import BufferedBytes, ByteCaps
from app.protocol.limits import MEBIBYTE
from app.protocol.owner import Owner

CAPS = ByteCaps(learner=32 * MEBIBYTE, address=128 * MEBIBYTE, overall=256 * MEBIBYTE)  # the largest result counts some 15 MiB


class Breakable(Protocol):
    """A connection."""

    def break_off(self) -> None: ...


class ResultHold:
    """What one request holds; as a context it holds nothing any more at the end."""

    def __init__(self, held: "BufferedBytes[ResultHold]", owner: Owner, connection: Breakable | None) -> None:
        self._held, self._owner, self._connection = held, owner, connection

    def hold(self, held_bytes: int) -> None:
        self._held.count(self, self._owner, held_bytes)

    def break_off(self) -> None:
        """Drop the client; then the request ends."""
        if self._connection is not None:
            self._connection.break_off()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.hold(0)


RetainedResults = BufferedBytes[ResultHold]


def hold_for(request: Request, held: RetainedResults) -> ResultHold:
    """A hold for who sent the request; it has no connection of ours in tests."""
    principal = request.state.principal
    return ResultHold(held, Owner(principal.address, principal.counts_as), request.scope.get("state", {}).get("connection"))
