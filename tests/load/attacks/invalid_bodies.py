"""Five requests a second whose bodies are a megabyte of valid JSON, but with very many faults as orders of a run."""

import asyncio
import json

from tests.load.attacks.attack import Request, Target, exchange, new_cookie

EVERY_SECONDS = 0.2
BODY_BYTES = 1_000_000


def bodies() -> list[bytes]:
    """Return bodies with unknown fields, wrong cells, wrong instruments, and lists in lists."""
    several = range(BODY_BYTES // 14)
    faulty: tuple[dict[str, object], ...] = (
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
