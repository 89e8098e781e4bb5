"""How much runs may have told that their readers have not taken: a budget for each learner, and one for all.

Where a budget is exceeded, the run with most of the learner with most is forgotten: it is ended, and a reader who comes after all is told
that. A run could not be made to wait instead: it would keep its memory and what is in its pipes, and its learner would not know why.
"""

from collections import Counter
from typing import Protocol

import msgspec

from app.protocol.owner import Owner


class UnreadCaps(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes. What one run tells fits a learner's share with room to spare."""

    learner: int
    overall: int


class Forgettable(Protocol):
    """A run whose events may be forgotten."""

    def forget(self) -> None: ...


class Unread:
    """Counts what is told and taken."""

    def __init__(self, caps: UnreadCaps) -> None:
        self._caps = caps
        self._runs: dict[Owner, Counter[Forgettable]] = {}
        self._owners: Counter[Owner] = Counter()
        self._bytes = 0

    def change(self, owner: Owner, run: Forgettable, more_bytes: int) -> None:
        """So much more is told and not taken, or less."""
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
