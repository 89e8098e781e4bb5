"""The bodies of `invalid_bodies`, from four cookies, at a server whose operator allows any rate."""

import asyncio

from tests.bench.server import ANY_RATE
from tests.load.attacks import invalid_bodies
from tests.load.attacks.attack import Target

SETTINGS = ANY_RATE
LEARNERS = 4


async def attack(target: Target) -> None:
    await asyncio.gather(*(invalid_bodies.attack(target) for _ in range(LEARNERS)))
