"""Bodies of a megabyte that are valid JSON and no order of a run, each with very many faults; five a second."""

import asyncio
import json

from tests.load.attacks.attack import Request, Target, exchange, new_cookie

EVERY_SECONDS = 0.2
BODY_BYTES = 1_000_000


def bodies() -> list[bytes]:
    """Unknown fields, cells that are none, instruments that are none, and lists in lists."""
    several = range(BODY_BYTES // 14)
    faulty = (
        {f"f{number:06}": 1 for number in several},
        {"source": "x", "lesson": "one/first", "sources": {f"C{number:06}": 1 for number in several}},
        {"source": "x", "instruments": [1] * (BODY_BYTES // 3)},
        {"source": [[]] * (BODY_BYTES // 4)},
    )
    return [json.dumps(body).encode() for body in faulty]


async def attack(target: Target) -> None:
    cookie = await new_cookie(target)
    while True:
        for body in bodies():
            beat = asyncio.create_task(asyncio.sleep(EVERY_SECONDS))
            await exchange(target, Request(body, cookie))
            await beat
