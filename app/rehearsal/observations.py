"""What the learners of a rehearsal saw: how long they waited, and what went wrong."""

from collections import Counter
from dataclasses import dataclass, field

PAGE, FIRST_EVENT, RESULT = "page", "first_event", "result"


@dataclass
class Observations:
    """Of all learners together. Waits are in seconds, from the click to what was waited for, refusals and pauses included."""

    waits: dict[str, list[float]] = field(default_factory=lambda: {PAGE: [], FIRST_EVENT: [], RESULT: []})
    wave_waits: dict[str, list[float]] = field(default_factory=lambda: {FIRST_EVENT: [], RESULT: []})
    queued_seconds: list[float] = field(default_factory=list)
    run_seconds: list[float] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    mismatches: Counter[str] = field(default_factory=Counter)
    pressed: int = 0
    ended: int = 0

    @property
    def waiting(self) -> int:
        """Runs that were asked for and of which nothing final has come yet."""
        return self.pressed - self.ended
