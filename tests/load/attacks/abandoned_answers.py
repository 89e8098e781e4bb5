"""Forty learners whose answers, of megabytes, are ordered and never read; ordered again when the server breaks them off."""

import asyncio

from tests.load.attacks.attack import Target, new_cookie, order

LEARNERS = 40
UNREAD_SECONDS = 60.0
PROGRAM = """for _ in range(16): print('"' * 65_000)"""  # two bytes of JSON for each


async def attack(target: Target, learners: int = LEARNERS) -> None:
    await asyncio.gather(*(abandon(target) for _ in range(learners)))


async def abandon(target: Target) -> None:
    cookie = await new_cookie(target)
    while True:
        try:
            _, writer = await target.connect()
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            writer.write(order(PROGRAM, cookie).encode())
            await asyncio.sleep(UNREAD_SECONDS)
            writer.close()
        except OSError:
            await asyncio.sleep(1)
