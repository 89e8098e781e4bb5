"""A hundred and ten cookies at the class's own address, each with a loop that does not end.

They are more than the memory is for, and not so many that the queue refuses one.
"""

from tests.load.attacks import endless_loops_40
from tests.load.attacks.attack import Target

LEARNERS = 110


async def attack(target: Target) -> None:
    await endless_loops_40.attack(target, LEARNERS)
