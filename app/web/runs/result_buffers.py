"""Bounds the results that web buffers for submissions and predictions. Their answers repeat the result, so web has to buffer it.

The answer to a plain run is forwarded as the runner sends it, and is not buffered. If a bound is exceeded, a client is disconnected, in the
order that app.buffered_bytes describes.
"""

from typing import Self

from fastapi import Request

from app.buffered_bytes import Buffer, BufferedBytes, ByteCaps
from app.protocol.limits import MEBIBYTE
from app.protocol.owner import Owner

COPIES = 2  # of a result: one in its own event, one in the answer
CAPS = ByteCaps(learner=32 * MEBIBYTE, address=128 * MEBIBYTE, overall=256 * MEBIBYTE)  # the largest result counts some 15 MiB


class ResultBuffer:
    """Counts the bytes that are buffered for one request. At the end of its context, the count becomes 0."""

    def __init__(self, buffers: "ResultBuffers", owner: Owner, connection: Buffer | None) -> None:
        self._buffers, self._owner, self._connection = buffers, owner, connection

    def count(self, buffered_bytes: int) -> None:
        """Set how many bytes are buffered for the request."""
        self._buffers.count(self, self._owner, buffered_bytes)

    def break_off(self) -> None:
        """Disconnect the client, which ends the request."""
        if self._connection is not None:
            self._connection.break_off()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.count(0)


ResultBuffers = BufferedBytes[ResultBuffer]


def open_buffer(request: Request, buffers: ResultBuffers) -> ResultBuffer:
    """Return a buffer whose bytes count against the sender of a request. Beyond the bound, the sender's connection is closed."""
    principal = request.state.principal
    return ResultBuffer(buffers, Owner(principal.address, principal.counts_as), request.scope.get("state", {}).get("connection"))
