"""Sends hundreds of requests a second, each on a connection of its own, which is closed before the answer arrives."""

import asyncio
import contextlib
import time
from collections.abc import Sequence
from itertools import cycle

from tests.load.attacks.attack import Target

CLOSED_AFTER_SECONDS = 0.004
CONNECT_SECONDS = 1.0  # after this time an attempt to connect is given up


async def flood(target: Target, requests: Sequence[bytes], per_second: float) -> None:
    """Send these requests in turn, so many a second, until cancelled. Not over HTTPS, because that would cost the attacker too much."""
    begin = time.monotonic()
    async with asyncio.TaskGroup() as senders:
        for number, request in enumerate(cycle(requests)):
            await asyncio.sleep(max(0.0, begin + number / per_second - time.monotonic()))
            senders.create_task(send_and_close(target, request))


async def send_and_close(target: Target, request: bytes) -> None:
    with contextlib.suppress(OSError), target.open_socket() as connection:
        async with asyncio.timeout(CONNECT_SECONDS):
            await asyncio.get_running_loop().sock_connect(connection, (target.host, target.port))
        connection.send(request)
        await asyncio.sleep(CLOSED_AFTER_SECONDS)
