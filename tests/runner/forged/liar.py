"""A child that sends what a test wants: its ends of a channel and of two pipes, and the result that the runner makes of this."""

import asyncio
import os
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

import msgspec
from msgspec import Raw

from app.protocol.limits import MEBIBYTE, Limits
from app.protocol.run import Program, RunOrder, Source
from app.runner.conversation.child_handle import ChildHandle, Exit
from app.runner.drawing.layout_workers import LayoutWorkers
from app.runner.drawing.pictures import Pictures
from app.runner.runs.attempt import Attempt
from app.sandbox.confinement.rlimits import Budget

BUDGET = Budget(memory_bytes=64 * MEBIBYTE, cpu_seconds=1, scratch_bytes=MEBIBYTE, scratch_inodes=16, threads=4)
PROGRAM = Program(source=Source(cell="b", text="import torch\n\nx = 1\nraise ValueError(x)\n"), replay=[Source(cell="a", text="y = 2\n")])
BARE = Program(source=Source(text="print(1)\n1 / 0"))


class Spared(ChildHandle):
    """The handle of a child whose messages come from this very process, which must not be killed."""

    def signal(self, number: int) -> None: ...


class Pipes:
    """The child's ends, and the runner's `ChildHandle` over the other ends."""

    def __init__(self) -> None:
        ours, self.channel = socket.socketpair()
        stdout, self.stdout = os.pipe()
        stderr, self.stderr = os.pipe()
        self.child = Spared(0, BUDGET, None, None, ours, stdout, stderr)

    def speak(self, data: bytes) -> None:
        """Write to the channel until the runner stops reading, then close it. Runs in a thread of the test."""
        with suppress(OSError):
            self.channel.sendall(data)
        self.channel.close()

    def close(self) -> None:
        self.child.close()
        self.channel.close()
        os.close(self.stdout)
        os.close(self.stderr)


class NoLayout:
    """Draws nothing, as if Graphviz refused every graph, and Pillow every PNG."""

    async def arrange(self, *_: object) -> object:
        raise ValueError("no layout here")

    copy = arrange

    async def compute(self, work: Callable[[], Any], *_: object, is_long: bool) -> Any:
        return work()


def frame(body: object) -> bytes:
    data = msgspec.msgpack.encode(body)
    return struct.pack(">I", len(data)) + data


def shown(record: object) -> bytes:
    """Return the frame of a record. Bytes are used as its JSON without a change."""
    return frame({"frame": "shown", "record": record if isinstance(record, bytes) else msgspec.json.encode(record)})


def over(ending: str = "finished", **fields: object) -> bytes:
    return frame({"frame": "over", "ending": ending, **fields})


def told_of(data: bytes, program: Program = PROGRAM, limits: Limits | None = None) -> dict[str, Any]:
    """Return what the API would report, as plain JSON, if a child that was sent the program sends `data`."""
    limits = limits or Limits(deadline_seconds=5)

    async def attempt() -> tuple[Attempt, list[Any]]:
        pipes = Pipes()
        speaker = threading.Thread(target=pipes.speak, args=(data,))
        tried = Attempt(RunOrder(program=program, limits=limits), pipes.child, Pictures(cast(LayoutWorkers, NoLayout()), limits, "en"))
        tried._begun = True
        pipes.child.exited.set_result(Exit(0, 0.0))
        speaker.start()
        try:
            async with asyncio.timeout(30):
                return tried, [event async for event in tried.events()]
        finally:
            pipes.close()
            speaker.join()

    tried, events = asyncio.run(attempt())
    records = [msgspec.json.decode(bytes(event)) for event in events if isinstance(event, Raw)]
    ending: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(tried.ending))
    return {**ending, "records": records}
