"""What an attack is: a module beside this one with an `attack`, which does its harm until it is cancelled. It runs in a process of its own.

`python -m tests.load.attacks.attack NAME HOST PORT` runs one; `tests.load.attack_process` starts it, and ends it with SIGTERM. It
prints a line when it begins, and how often it connected, as JSON, when it ends.
"""

import asyncio
import contextlib
import importlib
import json
import signal
import socket
import ssl
import sys
import time
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

CLASS_ADDRESS = "127.0.0.1"  # the address of one of the learners whose waiting is measured
OTHER_ADDRESS = "127.0.0.2"
COOKIES_ADDRESS = "127.0.0.4"  # the address at which attackers get cookies: at a common address, one attack would keep others from theirs
HTTPS = 443
PAUSE_SECONDS = 0.2  # the pause after an answer that was no run


@dataclass
class Target:
    """The server, and the loopback address `source` from which its attackers connect.

    The server treats two loopback addresses like the addresses of two hosts. `connections`: how many were begun.
    """

    host: str
    port: int
    source: str = CLASS_ADDRESS
    connections: int = 0

    def open_socket(self) -> socket.socket:
        """Return a socket at the attackers' address that is not connected and does not block."""
        self.connections += 1
        opened = socket.socket()
        opened.setblocking(False)
        opened.setsockopt(socket.IPPROTO_IP, socket.IP_BIND_ADDRESS_NO_PORT, 1)  # otherwise no two sockets could share a port
        opened.bind((self.source, 0))
        return opened

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        self.connections += 1
        tls = trusting_all() if self.port == HTTPS else None
        return await asyncio.open_connection(self.host, self.port, local_addr=(self.source, 0), limit=1 << 20, ssl=tls)


@cache
def trusting_all() -> ssl.SSLContext:
    """Return a TLS context that accepts every certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@dataclass
class Request:
    """An HTTP/1.1 request. `cookie`: a learner's, as the server gave it."""

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
    """Return a request that orders a run of `source`."""
    headers = {"Accept": "text/event-stream"} if stream else {}
    return Request(json.dumps({"source": source, **fields}).encode(), cookie, headers)


async def new_cookie(target: Target) -> str:
    """Return the cookie of a first visit. If the server sends none, visit again."""
    visitor = replace(target, source=COOKIES_ADDRESS)
    while True:
        with contextlib.suppress(OSError, EOFError):
            for line in (await visit(visitor)).split(b"\r\n"):
                if line.lower().startswith(b"set-cookie"):
                    return line.partition(b":")[2].partition(b";")[0].strip().decode()
        await asyncio.sleep(PAUSE_SECONDS)


async def visit(target: Target) -> bytes:
    """Return the status line and headers of the answer. Raises OSError and EOFError."""
    reader, writer = await target.connect()
    try:
        writer.write(Request(b"", path="/api/lessons", method="GET", headers={"Connection": "close"}).encode())
        return await reader.readuntil(b"\r\n\r\n")
    finally:
        writer.close()


async def exchange(target: Target, request: Request) -> int:
    """Send a request, read its whole answer, and return the status; 0 if the server broke off."""
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
    """Have `learners` cookies run a program that writes `record` into the run channel, and run it again whenever it is answered."""

    async def show() -> None:
        cookie = await new_cookie(target)
        while True:
            if await exchange(target, order(source + SHOW, cookie)) != 200:
                await asyncio.sleep(PAUSE_SECONDS)

    await asyncio.gather(*(show() for _ in range(learners)))


def names() -> list[str]:
    """Return the names of all attacks."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in ("__init__", "attack"))


def main() -> None:
    name, host, port = sys.argv[1:]
    module = importlib.import_module(f"tests.load.attacks.{name}")
    target = Target(host, int(port), getattr(module, "SOURCE", CLASS_ADDRESS))
    begin = time.monotonic()
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(attack_until_terminated(module, target))
    print(json.dumps({"connections_per_second": round(target.connections / (time.monotonic() - begin), 1)}))


async def attack_until_terminated(module: ModuleType, target: Target) -> None:
    attacking = asyncio.ensure_future(module.attack(target))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, attacking.cancel)
    print("begun", flush=True)
    await attacking


if __name__ == "__main__":
    main()
