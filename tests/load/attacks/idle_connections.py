"""1,100 connections that are opened and say nothing, and are opened again when the server closes them."""

import asyncio

from tests.load.attacks.attack import Target

CONNECTIONS = 1_100
PAUSE_SECONDS = 0.5  # the pause before a connection that was closed or refused is opened again


async def attack(target: Target, connections: int = CONNECTIONS) -> None:
    await asyncio.gather(*(stay_connected(target) for _ in range(connections)))


async def stay_connected(target: Target) -> None:
    while True:
        try:
            reader, writer = await target.connect()
            await reader.read(1)
            writer.close()
        except OSError:
            pass
        await asyncio.sleep(PAUSE_SECONDS)
