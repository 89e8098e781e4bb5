"""Limits how many bytes of events wait in the runner for readers that have not taken them: for each learner, and for all.

Over a limit, the learner with most bytes loses the run with most of them: it is ended, and whoever reads its events later is told so.
A run is not made to wait instead: it would keep its memory and what is in its pipes, and its learner would not know why.
"""

from collections import Counter
from typing import Protocol

import msgspec

from app.protocol.owner import Owner


class UnreadCaps(msgspec.Struct, frozen=True, kw_only=True):
    """In bytes. A learner's is more than the events of one run."""

    learner: int
    overall: int


class Forgettable(Protocol):
    """A run whose events may be forgotten."""

    def forget(self) -> None: ...


class Unread:
    """The bytes that wait, by learner and run."""

    def __init__(self, caps: UnreadCaps) -> None:
        self._caps = caps
        self._runs: dict[Owner, Counter[Forgettable]] = {}
        self._owners: Counter[Owner] = Counter()
        self._bytes = 0

    def change(self, owner: Owner, run: Forgettable, more_bytes: int) -> None:
        """So many more bytes of the run wait, or fewer where it is negative."""
        runs = self._runs.setdefault(owner, Counter())
        runs[run] += more_bytes
        self._owners[owner] += more_bytes
        self._bytes += more_bytes
        if not runs[run]:
            del runs[run]
        if not runs:
            del self._runs[owner], self._owners[owner]
        if more_bytes > 0:
            self._keep_caps(owner)

    def _keep_caps(self, owner: Owner) -> None:
        if self._owners[owner] > self._caps.learner:
            self._forget_most(owner)
        if self._bytes > self._caps.overall:
            self._forget_most(max(self._owners, key=self._owners.__getitem__))

    def _forget_most(self, owner: Owner) -> None:
        """The run takes its bytes off again by itself."""
        runs = self._runs[owner]
        max(runs, key=runs.__getitem__).forget()
