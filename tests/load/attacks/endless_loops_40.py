"""Forty cookies at the class's own address, each with a loop that does not end, ordered again as soon as it is answered."""

import asyncio

from tests.load.attacks.attack import Target, exchange, new_cookie, order

LEARNERS = 40
PAUSE_SECONDS = 0.2  # the pause after an answer that was no run
LOOP = "while True: pass"


async def attack(target: Target, learners: int = LEARNERS) -> None:
    await asyncio.gather(*(keep_ordering(target, LOOP) for _ in range(learners)))


async def keep_ordering(target: Target, source: str) -> None:
    """Order the program of one learner again and again."""
    cookie = await new_cookie(target)
    while True:
        if await exchange(target, order(source, cookie)) != 200:
            await asyncio.sleep(PAUSE_SECONDS)
