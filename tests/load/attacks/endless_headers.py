"""Two requests whose headers never end: one has many small headers, one a single large header. Both are repeated when broken off."""

import asyncio
from itertools import count

from tests.load.attacks.attack import Target

CONNECTIONS_OF_EACH_KIND = 2
PIECE_BYTES = 16_384
PAUSE_SECONDS = 0.05
BEGINNING = b"GET /api/lessons HTTP/1.1\r\nHost: localhost\r\n"


async def attack(target: Target) -> None:
    kinds = [many_headers, one_header] * CONNECTIONS_OF_EACH_KIND
    await asyncio.gather(*(kind(target) for kind in kinds))


async def many_headers(target: Target) -> None:
    while True:
        await pour(target, b"X-A: b\r\n" * (PIECE_BYTES // 8), BEGINNING)


async def one_header(target: Target) -> None:
    while True:
        await pour(target, b"a" * PIECE_BYTES, BEGINNING + b"X-A: ")


async def pour(target: Target, piece: bytes, beginning: bytes) -> None:
    """Send pieces until the server breaks off."""
    try:
        _, writer = await target.connect()
        writer.write(beginning)
        for _ in count():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
    except OSError:
        await asyncio.sleep(PAUSE_SECONDS)
