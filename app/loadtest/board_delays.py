"""Measures how long a change takes to reach the board of a class: from the answer that a learner gets to the row that shows it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from app.loadtest.report import BOARD_ATTEMPT, BOARD_HAND

MOST_SECONDS = 10.0  # after which a row should have shown any change
ChangeKind = Literal["submission_on_board", "hand_on_board"]


class SeenRow(msgspec.Struct, frozen=True):
    """A row of the board. `attempt` is the id of the member's last submission, or None if the exercise is passed."""

    name: str
    attempt: int | None = None
    hand: bool = False

    def value(self, kind: ChangeKind) -> int | None:
        return int(self.hand) if kind == BOARD_HAND else self.attempt


class SeenBoard(msgspec.Struct, frozen=True):
    """The data of the event `board`."""

    rows: list[SeenRow]


@dataclass
class ExpectedChange:
    """A change that a learner is about to make. `before` is what the row showed.

    The learner got the answer at `told_at`, and the row came at `shown_at`, by the clock of BoardDelays.
    """

    before: int | None
    told_at: float | None = None
    shown_at: float | None = None


class BoardDelays:
    """Adds the delays, in seconds, to `waits`. Each learner has a different name, and makes one change of a kind at a time.

    If the row comes before the learner's answer, the delay is 0.
    """

    def __init__(self, waits: dict[str, list[float]], clock: Callable[[], float]) -> None:
        self._waits, self._clock = waits, clock
        self._rows: dict[str, SeenRow] = {}
        self._expected: dict[tuple[str, ChangeKind], ExpectedChange] = {}

    def expect(self, name: str, kind: ChangeKind) -> None:
        """Record that a learner is about to make a change. Nothing is measured for a learner whom the board does not show yet.

        If the learner's earlier change of this kind was never shown, its delay ends now.
        """
        earlier = self._expected.pop((name, kind), None)
        if earlier and earlier.told_at is not None:
            self._waits[kind].append(self._clock() - earlier.told_at)
        if name in self._rows:
            self._expected[name, kind] = ExpectedChange(self._rows[name].value(kind))

    def end(self, name: str, kind: ChangeKind, *, shown: bool) -> None:
        """Record that the learner has got the answer. A change that the board will not show, perhaps because it failed, is discarded."""
        change = self._expected.get((name, kind))
        if change and shown:
            change.told_at = self._clock()
            self._settle(name, kind, change)
        elif change:
            del self._expected[name, kind]

    def show(self, rows: Sequence[SeenRow]) -> None:
        """Compare new rows of the board with the expected changes."""
        kinds: tuple[ChangeKind, ...] = (BOARD_ATTEMPT, BOARD_HAND)
        for row in rows:
            self._rows[row.name] = row
            for kind in kinds:
                change = self._expected.get((row.name, kind))
                if change and change.shown_at is None and row.value(kind) not in (change.before, None):
                    change.shown_at = self._clock()
                    self._settle(row.name, kind, change)

    def count_missing(self) -> int:
        """Return how many changes the board has not shown within MOST_SECONDS."""
        latest = self._clock() - MOST_SECONDS
        return sum(change.told_at is not None and change.told_at < latest for change in self._expected.values())

    def _settle(self, name: str, kind: ChangeKind, change: ExpectedChange) -> None:
        if change.told_at is not None and change.shown_at is not None:
            self._waits[kind].append(max(0.0, change.shown_at - change.told_at))
            del self._expected[name, kind]
