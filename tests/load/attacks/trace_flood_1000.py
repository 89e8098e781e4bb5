"""A learner who asks a thousand times a second for second runs of programs that do not end, and five who wait for such runs to begin."""

import asyncio
import json

from tests.load.attacks.attack import PAUSE_SECONDS, Request, Target, exchange, new_cookie, order
from tests.load.flood import flood

PER_SECOND = 1000
LEARNERS = 5
LOOP = "import sys\nif sys.gettrace():\n    while True: pass"  # ends at once, but not when it is traced


async def attack(target: Target) -> None:
    cookie = await new_cookie(target)
    requests = [trace(await run(target, cookie), cookie).encode()]
    await asyncio.gather(flood(target, requests, PER_SECOND), *(keep_tracing(target) for _ in range(LEARNERS)))


async def keep_tracing(target: Target) -> None:
    """Order a run and then its trace, again and again."""
    cookie = await new_cookie(target)
    while True:
        if run_id := await run(target, cookie):
            await exchange(target, trace(run_id, cookie))
        await asyncio.sleep(PAUSE_SECONDS)


async def run(target: Target, cookie: str) -> str:
    """Order a run, and return its id; an empty string if it was refused."""
    try:
        reader, writer = await target.connect()
    except OSError:
        return ""
    try:
        request = order(LOOP, cookie)
        request.headers |= {"Connection": "close"}
        writer.write(request.encode())
        answer = (await reader.read()).partition(b"\r\n\r\n")[2]
        return str(json.loads(answer or b"{}").get("id", ""))
    except (OSError, ValueError):
        return ""
    finally:
        writer.close()


def trace(run_id: str, cookie: str) -> Request:
    return Request(b"", cookie, path=f"/api/runs/{run_id or 'none'}/trace")
