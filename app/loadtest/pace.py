"""When the simulated learners arrive and press a button. The times are random numbers from a seed, so that a load test can be repeated."""

import random
from dataclasses import dataclass

WHOLE_SECONDS = 60.0  # in a shorter load test all pauses are shorter in proportion
ARRIVALS_A_SECOND = 4.0
THINKING_SECONDS = (4.0, 16.0)
HOLD_SECONDS = 4.0  # learners who would press Run this long before a wave wait for it
WAVES = (0.4, 0.65, 0.9)  # when all learners press Run at once, as fractions of the duration
CLASS_WAVES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)  # the same for learners who join a class
SUBMISSIONS = 1  # the wave in which all press Submit instead
SPREAD_SECONDS = 1.0  # "at once" is within one second
EDITS = 0.25  # the fraction of cells that are edited before they are run


@dataclass(frozen=True)
class Pace:
    """The timing of one class. All times are in seconds from its beginning."""

    learners: int
    seconds: float
    parts: tuple[float, ...] = WAVES

    @property
    def haste(self) -> float:
        """Return the factor by which pauses are multiplied. It is below 1 in a load test that is too short for whole pauses."""
        return min(1.0, self.seconds / WHOLE_SECONDS)

    @property
    def waves(self) -> tuple[float, ...]:
        """Return the times at which all learners press Run."""
        return tuple(part * self.seconds for part in self.parts)

    def arrival(self, dice: random.Random) -> float:
        """Return when a learner arrives.

        All learners arrive within ten seconds, or ARRIVALS_A_SECOND in a large class, but never later than a quarter of the duration.
        """
        return dice.uniform(0, min(max(10.0, self.learners / ARRIVALS_A_SECOND), self.seconds / 4))

    def press(self, now: float, dice: random.Random) -> tuple[float, int | None]:
        """Return when a learner who begins to think at `now` presses Run, and the number of its wave, or None if it is in no wave."""
        thought = now + dice.uniform(*THINKING_SECONDS) * self.haste
        wave = next((number for number, at in enumerate(self.waves) if now < at <= thought + HOLD_SECONDS * self.haste), None)
        return (thought, None) if wave is None else (self.waves[wave] + dice.uniform(0, SPREAD_SECONDS * self.haste), wave)
