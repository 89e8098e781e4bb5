"""Eight event streams and forty plain answers, each of megabytes, whose readers stay connected but read nothing, and later begin again."""

import asyncio
import contextlib

from tests.load.attacks.attack import Target, new_cookie, order

STREAMS, ANSWERS = 8, 40
SILENT_SECONDS = 20.0
# shows 60 records of 60 kB, sent as the instruments send them, and prints a megabyte
PROGRAM = """
import os, struct, msgspec
for count in range(60):
    record = msgspec.json.encode({"kind": "value", "id": f"value-{count}", "text": "x" * 60_000})
    body = msgspec.msgpack.encode({"frame": "shown", "record": record})
    view = memoryview(struct.pack(">I", len(body)) + body)
    while view:
        view = view[os.write(3, view):]
print("y" * 1_000_000)
"""


async def attack(target: Target) -> None:
    await asyncio.gather(*(come_again(target, stream=number < STREAMS) for number in range(STREAMS + ANSWERS)))


async def come_again(target: Target, stream: bool) -> None:
    cookie = await new_cookie(target)
    while True:
        with contextlib.suppress(OSError):
            await stay_silent(target, order(PROGRAM, cookie, stream).encode())
        await asyncio.sleep(0.2)


async def stay_silent(target: Target, request: bytes) -> None:
    """Order a run, and read nothing of the answer. Raises OSError."""
    _, writer = await target.connect()
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(request)
    try:
        await asyncio.sleep(SILENT_SECONDS)
    finally:
        writer.transport.abort()
