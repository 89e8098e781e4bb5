"""Forty cookies at the class's own address, each with a loop that does not end, ordered again as soon as it is answered."""

import asyncio

from tests.load.attacks.attack import Target, exchange, new_cookie, order

LEARNERS = 40
PAUSE_SECONDS = 0.2  # after an answer that was no run


async def attack(target: Target, learners: int = LEARNERS) -> None:
    await asyncio.gather(*(loop_for_ever(target) for _ in range(learners)))


async def loop_for_ever(target: Target) -> None:
    cookie = await new_cookie(target)
    while True:
        if await exchange(target, order("while True: pass", cookie)) != 200:
            await asyncio.sleep(PAUSE_SECONDS)
