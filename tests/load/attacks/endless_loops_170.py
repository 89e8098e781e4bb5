"""A hundred and seventy cookies at the class's own address, each with a loop that does not end."""

from tests.load.attacks import endless_loops_40
from tests.load.attacks.attack import Target

LEARNERS = 170


async def attack(target: Target) -> None:
    await endless_loops_40.attack(target, LEARNERS)
