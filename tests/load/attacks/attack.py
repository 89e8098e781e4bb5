"""What an attack is: a module beside this one with an `attack`, which does its harm until it is cancelled. It runs in a process of its own.

`python -m tests.load.attacks.attack NAME HOST PORT` runs one; `tests.load.neighbours` starts it, measures, and ends it.
"""

import asyncio
import importlib
import json
import ssl
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

CLASS_ADDRESS = "127.0.0.1"  # the address of the class whose waiting is measured
OTHER_ADDRESS = "127.0.0.2"
QUIET_ADDRESS = "127.0.0.3"  # no attacker is there; one learner is
HTTPS = 443
PAUSE_SECONDS = 0.2  # after an answer that was no run


@dataclass
class Target:
    """The server, and the address that its attackers come from: one address of loopback is as foreign to another as any."""

    host: str
    port: int
    source: str = CLASS_ADDRESS

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        tls = trusting_all() if self.port == HTTPS else None
        return await asyncio.open_connection(self.host, self.port, local_addr=(self.source, 0), limit=1 << 20, ssl=tls)


@cache
def trusting_all() -> ssl.SSLContext:
    """For an attacker's purposes."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@dataclass
class Request:
    """An HTTP/1.1 request in bytes. `cookie`: a learner's, as the server gave it."""

    body: bytes
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    path: str = "/api/runs"
    method: str = "POST"

    def encode(self) -> bytes:
        headers = {"Host": "127.0.0.1", "Content-Type": "application/json", "Content-Length": str(len(self.body))} | self.headers
        if self.cookie:
            headers["Cookie"] = self.cookie
        lines = [f"{self.method} {self.path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode() + self.body


def order(source: str, cookie: str = "", stream: bool = False, **fields: Any) -> Request:
    """A run of `source`."""
    headers = {"Accept": "text/event-stream"} if stream else {}
    return Request(json.dumps({"source": source, **fields}).encode(), cookie, headers)


async def new_cookie(target: Target) -> str:
    """What a first visit gets."""
    reader, writer = await target.connect()
    try:
        writer.write(Request(b"", path="/api/lessons", method="GET", headers={"Connection": "close"}).encode())
        head = await reader.readuntil(b"\r\n\r\n")
    finally:
        writer.close()
    return next(
        line.partition(b":")[2].partition(b";")[0].strip().decode()
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"set-cookie")
    )


async def exchange(target: Target, request: Request) -> int:
    """Send a request and read all of its answer: the status; 0 if the server broke off."""
    try:
        reader, writer = await target.connect()
    except OSError:
        return 0
    try:
        request.headers |= {"Connection": "close"}
        writer.write(request.encode())
        status = int((await reader.readline()).split()[1])
        while await reader.read(1 << 16):
            pass
    except (OSError, ValueError, IndexError):
        return 0
    finally:
        writer.close()
    return status


SHOW = """
import os, struct
import msgspec
body = msgspec.msgpack.encode({"frame": "shown", "record": record})
frame = memoryview(struct.pack(">I", len(body)) + body)
while frame:
    frame = frame[os.write(3, frame) :]
"""


async def show_for_ever(target: Target, source: str, learners: int) -> None:
    """So many learners, each of whom writes the `record` of the source into the run channel, again as soon as it is answered."""

    async def show() -> None:
        cookie = await new_cookie(target)
        while True:
            if await exchange(target, order(source + SHOW, cookie)) != 200:
                await asyncio.sleep(PAUSE_SECONDS)

    await asyncio.gather(*(show() for _ in range(learners)))


def names() -> list[str]:
    """All attacks there are."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in ("__init__", "attack"))


def main() -> None:
    name, host, port = sys.argv[1:]
    module = importlib.import_module(f"tests.load.attacks.{name}")
    asyncio.run(module.attack(Target(host, int(port), getattr(module, "SOURCE", CLASS_ADDRESS))))


if __name__ == "__main__":
    main()
