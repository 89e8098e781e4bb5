"""A hundred and seventy cookies at another address than the class's, each with a loop that does not end."""

from tests.load.attacks import endless_loops_170
from tests.load.attacks.attack import OTHER_ADDRESS, Target

SOURCE = OTHER_ADDRESS


async def attack(target: Target) -> None:
    await endless_loops_170.attack(target)
