"""Six cookies whose runs are left while their graphs are laid out: small graphs and large ones, at the class's own address."""

import asyncio
import contextlib

from tests.load.attacks.attack import Target, new_cookie, order

COOKIES = 6
PAUSE_SECONDS = 0.05
NEIGHBOUR = """
import torch
from torchviz import make_dot
x = torch.ones(3, requires_grad=True)
make_dot((x * 2).sum(), params={"x": x})
"""
PROGRAM = """
import torch
from torchviz import make_dot
x = torch.ones(2, requires_grad=True)
ends = [x]
for step in range({steps}):
    ends.append(sum(ends[-9:]) * ends[step * 7919 % len(ends)])
graph = make_dot(ends[-1].sum())
print("drawn", flush=True)
graph
"""


async def attack(target: Target) -> None:
    await asyncio.gather(*(keep_leaving(target, steps=4 if number % 2 else 150) for number in range(COOKIES)))


async def keep_leaving(target: Target, steps: int) -> None:
    request = order(PROGRAM.format(steps=steps), await new_cookie(target), stream=True).encode()
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            await leave_while_drawing(target, request)
        await asyncio.sleep(PAUSE_SECONDS)


async def leave_while_drawing(target: Target, request: bytes) -> None:
    """Order a run, and leave once the program has printed its line, while its graph is laid out. Raises OSError."""
    reader, writer = await target.connect()
    try:
        writer.write(request)
        async with asyncio.timeout(20):
            await reader.readuntil(b"drawn")
        await asyncio.sleep(0.01)
    finally:
        writer.transport.abort()
