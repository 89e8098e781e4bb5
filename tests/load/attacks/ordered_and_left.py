"""One cookie whose runs are ordered and left at once, some hundreds a second."""

import asyncio
import contextlib

from tests.load.attacks.attack import Target, new_cookie, order

SENDERS = 16
LEFT_AFTER_SECONDS = 0.02
PAUSE_SECONDS = 0.01


async def attack(target: Target) -> None:
    request = order("print(1)", await new_cookie(target), stream=True).encode()
    await asyncio.gather(*(keep_leaving(target, request) for _ in range(SENDERS)))


async def keep_leaving(target: Target, request: bytes) -> None:
    while True:
        with contextlib.suppress(OSError):
            _, writer = await target.connect()
            writer.write(request)
            await asyncio.sleep(LEFT_AFTER_SECONDS)
            writer.transport.abort()
        await asyncio.sleep(PAUSE_SECONDS)
