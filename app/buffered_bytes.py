"""Bounds the bytes that web and the runner buffer for slow clients: for each learner, for each network address, and overall.

When a learner's cap is exceeded, the learner's oldest buffer is dropped. When the cap of an address is exceeded, the learner there who has
most bytes loses their oldest buffer. When the overall cap is exceeded, the same happens at the address that has most bytes. So a learner
never loses a buffer because of another learner at the same address who has more.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from app.protocol.owner import Owner


class Buffer(Protocol):
    """Something that buffers bytes for a client: a connection, the answer to a request, a run."""

    def break_off(self) -> None:
        """Drop the bytes, which are not counted any more, and end the connection, answer or run that they are for."""


B = TypeVar("B", bound=Buffer)


@dataclass(frozen=True, kw_only=True)
class ByteCaps:
    """The most bytes that may be buffered for one learner, for one address, and overall."""

    learner: int
    address: int
    overall: int


class BufferedBytes(Generic[B]):
    """Counts the buffered bytes of each owner, and drops buffers where a cap is exceeded."""

    def __init__(self, caps: ByteCaps) -> None:
        self._caps = caps
        self._buffers: dict[Owner, dict[B, int]] = {}  # the one that has been filled longest first
        self._of_owner: Counter[Owner] = Counter()
        self._of_address: Counter[str] = Counter()
        self.total = 0

    def count(self, buffer: B, owner: Owner, buffered_bytes: int) -> None:
        """Set how many bytes are in `buffer`, all of which are for `owner`."""
        self._change(buffer, owner, buffered_bytes)
        while (heaviest := self._over(owner)) is not None:
            longest = next(iter(self._buffers[heaviest]))
            self._change(longest, heaviest, 0)
            longest.break_off()

    def _change(self, buffer: B, owner: Owner, buffered_bytes: int) -> None:
        buffers = self._buffers.setdefault(owner, {})
        self._add(owner, buffered_bytes - buffers.get(buffer, 0))
        if buffered_bytes:
            buffers[buffer] = buffered_bytes
        else:
            buffers.pop(buffer, None)
        if not buffers:
            del self._buffers[owner]

    def _add(self, owner: Owner, more_bytes: int) -> None:
        self.total += more_bytes
        self._of_owner[owner] += more_bytes
        self._of_address[owner.address] += more_bytes
        if not self._of_owner[owner]:
            del self._of_owner[owner]
        if not self._of_address[owner.address]:
            del self._of_address[owner.address]

    def _over(self, owner: Owner) -> Owner | None:
        """Return the owner who must lose a buffer after bytes of `owner` were added, or None."""
        if self._of_owner[owner] > self._caps.learner:
            return owner
        if self._of_address[owner.address] > self._caps.address:
            return self._heaviest_at(owner.address)
        if self.total > self._caps.overall:
            return self._heaviest_at(max(self._of_address, key=lambda address: self._of_address[address]))
        return None

    def _heaviest_at(self, address: str) -> Owner:
        return max((owner for owner in self._of_owner if owner.address == address), key=lambda owner: self._of_owner[owner])
