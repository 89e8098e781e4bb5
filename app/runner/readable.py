"""Waiting for something to read, without reading it, and for the end of a process."""

import asyncio
import os
import subprocess


async def readable(descriptor: int) -> None:
    """Wait until a descriptor is readable. A pidfd becomes readable when its process has ended."""
    loop = asyncio.get_running_loop()
    arrived = asyncio.Event()
    loop.add_reader(descriptor, arrived.set)
    try:
        await arrived.wait()
    finally:
        loop.remove_reader(descriptor)


async def ended(process: "subprocess.Popen[bytes]") -> None:
    """Return when the process has ended. The caller must still reap it."""
    pidfd = os.pidfd_open(process.pid)
    try:
        await readable(pidfd)
    finally:
        os.close(pidfd)


async def reap(process: "subprocess.Popen[bytes]") -> None:
    """Return when the process has ended and was reaped."""
    if process.poll() is None:
        await ended(process)
        process.wait()
