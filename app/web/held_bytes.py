"""What web holds in memory for clients that are slow to send or to take: bounded for each learner, each address, and overall."""

from collections import Counter
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from app.protocol.owner import Owner


class Holder(Protocol):
    """What bytes are held for."""

    def break_off(self) -> None:
        """Let go of them; the holder is forgotten already."""


H = TypeVar("H", bound=Holder)


@dataclass(frozen=True, kw_only=True)
class ByteCaps:
    """In bytes. A learner's is the smallest."""

    learner: int
    address: int
    overall: int


class HeldBytes(Generic[H]):
    """Who holds how many bytes. Over a cap, the heaviest owner's longest holder is broken off, so never one of somebody who holds less."""

    def __init__(self, caps: ByteCaps) -> None:
        self._caps = caps
        self._holders: dict[Owner, dict[H, int]] = {}  # in the order in which they began to hold
        self._of_owner: Counter[Owner] = Counter()
        self._of_address: Counter[str] = Counter()
        self.total = 0

    def hold(self, holder: H, owner: Owner, held_bytes: int) -> None:
        """`holder` holds so many bytes now, and none of them for anybody else; 0: it holds nothing any more."""
        self._change(holder, owner, held_bytes)
        while (heaviest := self._over(owner)) is not None:
            longest = next(iter(self._holders[heaviest]))
            self._change(longest, heaviest, 0)
            longest.break_off()

    def _change(self, holder: H, owner: Owner, held_bytes: int) -> None:
        holders = self._holders.setdefault(owner, {})
        self._add(owner, held_bytes - holders.get(holder, 0))
        if held_bytes:
            holders[holder] = held_bytes
        else:
            holders.pop(holder, None)
        if not holders:
            del self._holders[owner]

    def _add(self, owner: Owner, held_bytes: int) -> None:
        self.total += held_bytes
        self._of_owner[owner] += held_bytes
        self._of_address[owner.address] += held_bytes
        if not self._of_owner[owner]:
            del self._of_owner[owner]
        if not self._of_address[owner.address]:
            del self._of_address[owner.address]

    def _over(self, owner: Owner) -> Owner | None:
        """Who has to give way after `owner` took more; None: nobody."""
        if self._of_owner[owner] > self._caps.learner:
            return owner
        if self._of_address[owner.address] > self._caps.address:
            return self._heaviest_at(owner.address)
        if self.total > self._caps.overall:
            return self._heaviest_at(max(self._of_address, key=lambda address: self._of_address[address]))
        return None

    def _heaviest_at(self, address: str) -> Owner:
        return max((owner for owner in self._of_owner if owner.address == address), key=lambda owner: self._of_owner[owner])
