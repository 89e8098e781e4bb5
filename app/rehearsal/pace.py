"""When learners come, think and press Run; from a seed, so that a rehearsal can be repeated."""

import random
from dataclasses import dataclass

WHOLE_SECONDS = 60.0  # a rehearsal shorter than this is played faster in proportion
ARRIVALS_A_SECOND = 4.0
THINKING_SECONDS = (4.0, 16.0)
HOLD_SECONDS = 4.0  # so long before all press Run at once nobody begins anything new
WAVES = (0.4, 0.65, 0.9)  # when all press Run at once, as parts of the whole
SPREAD_SECONDS = 1.0  # "at once" is within one second
EDITS = 0.25  # of the cells are edited before they are run


@dataclass(frozen=True)
class Pace:
    """The timing of one class. Times are in seconds from its beginning."""

    learners: int
    seconds: float

    @property
    def haste(self) -> float:
        """What pauses are multiplied by."""
        return min(1.0, self.seconds / WHOLE_SECONDS)

    @property
    def waves(self) -> tuple[float, ...]:
        """When all press Run at once."""
        return tuple(part * self.seconds for part in WAVES)

    def arrival(self, dice: random.Random) -> float:
        """When a learner comes: within ten seconds or, of a large class, a few a second; all in the first quarter."""
        return dice.uniform(0, min(max(10.0, self.learners / ARRIVALS_A_SECOND), self.seconds / 4))

    def press(self, now: float, dice: random.Random) -> tuple[float, bool]:
        """When a learner who begins to think `now` presses Run, and whether all do so at that time."""
        thought = now + dice.uniform(*THINKING_SECONDS) * self.haste
        wave = next((at for at in self.waves if now < at <= thought + HOLD_SECONDS * self.haste), None)
        return (thought, False) if wave is None else (wave + dice.uniform(0, SPREAD_SECONDS * self.haste), True)
