"""Waiting for something to read, without reading it."""

import asyncio


async def readable(descriptor: int) -> None:
    """Wait until a descriptor is readable. A pidfd becomes readable when its process has ended."""
    loop = asyncio.get_running_loop()
    arrived = asyncio.Event()
    loop.add_reader(descriptor, arrived.set)
    try:
        await arrived.wait()
    finally:
        loop.remove_reader(descriptor)
