"""Four learners who import 29,000 records, delete all their stored work, and begin again."""

import asyncio

from tests.load.attacks.attack import PAUSE_SECONDS, Request, Target, exchange, new_cookie
from tests.load.attacks.large_imports import import_of, make_zip

LEARNERS = 4


async def attack(target: Target) -> None:
    data = make_zip()
    await asyncio.gather(*(keep_importing_and_deleting(target, data) for _ in range(LEARNERS)))


async def keep_importing_and_deleting(target: Target, data: bytes) -> None:
    while True:
        cookie = await new_cookie(target)
        imported = await exchange(target, import_of(data, cookie))
        deleted = await exchange(target, Request(b"", cookie, path="/api/me", method="DELETE"))
        if (imported, deleted) != (200, 204):
            await asyncio.sleep(PAUSE_SECONDS)
