"""300 requests whose bodies of a megabyte lack the last byte. They are sent again when the server breaks them off."""

import asyncio

from tests.load.attacks.attack import Request, Target, new_cookie

CONNECTIONS = 300
BODY_BYTES = 1_048_576
PAUSE_SECONDS = 0.5


async def attack(target: Target, connections: int = CONNECTIONS) -> None:
    await asyncio.gather(*(leave_unfinished(target) for _ in range(connections)))


async def leave_unfinished(target: Target) -> None:
    cookie = await new_cookie(target)
    request = Request(b"", cookie, {"Content-Length": str(BODY_BYTES)})
    while True:
        try:
            reader, writer = await target.connect()
            writer.write(request.encode() + b" " * (BODY_BYTES - 1))
            await writer.drain()
            while await reader.read(1 << 16):
                pass
            writer.close()
        except OSError:
            pass
        await asyncio.sleep(PAUSE_SECONDS)
