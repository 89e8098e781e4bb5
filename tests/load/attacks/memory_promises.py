"""Eighty cookies, each with a program that fills 400 MB and then sleeps: together they are promised more memory than there is."""

import asyncio

from tests.load.attacks.attack import Target
from tests.load.attacks.endless_loops_40 import keep_ordering

LEARNERS = 80
PROGRAM = "import time\nkept = b'x' * (400 << 20)\ntime.sleep(8)"


async def attack(target: Target) -> None:
    await asyncio.gather(*(keep_ordering(target, PROGRAM) for _ in range(LEARNERS)))
