"""A small HTTP/1.1 client on one kept connection: a benchmark's own client must not cost what it measures."""

import asyncio
import json
import time
from typing import Any, Self

from tests.bench.server import Server

TIMEOUT_SECONDS = 60.0


class UnexpectedAnswer(Exception):
    """The server answered something that is not a finished run, with its graph and its checks."""

    def __init__(self, text: str, status: int = 200) -> None:
        super().__init__(text)
        self.status = status


class Client:
    """One learner: a connection from an address of loopback, and the cookie of a first visit. Every call has a deadline."""

    def __init__(self, server: Server, address: str = "127.0.0.1") -> None:
        self._server = server
        self._address = address
        self._cookie = ""

    async def __aenter__(self) -> Self:
        host, port = self._server.host, self._server.port
        self._reader, self._writer = await asyncio.open_connection(host, port, local_addr=(self._address, 0), limit=1 << 20)
        await self.get("/api/lessons")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()

    async def get(self, path: str) -> bytes:
        return await self._exchange("GET", path, b"")

    async def run(self, body: bytes) -> bytes:
        """The JSON answer to `POST /api/runs`."""
        return await self.post("/api/runs", body)

    async def post(self, path: str, body: bytes) -> bytes:
        return await self._exchange("POST", path, body)

    async def _exchange(self, method: str, path: str, body: bytes) -> bytes:
        head = f"{method} {path} HTTP/1.1\r\nHost: {self._server.host}:{self._server.port}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n{self._cookie}\r\n"
        self._writer.write(head.encode() + body)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            status = int((await self._reader.readline()).split()[1])
            headers = await self._read_headers()
            answer = await self._read_body(headers)
        if status != 200:
            raise UnexpectedAnswer(f"{method} {path}: {status} {answer[:300]!r}", status)
        return answer

    async def _read_headers(self) -> dict[str, str]:
        headers = {}
        while line := (await self._reader.readline()).strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        if "set-cookie" in headers:
            self._cookie = f"Cookie: {headers['set-cookie'].partition(';')[0]}\r\n"
        return headers

    async def _read_body(self, headers: dict[str, str]) -> bytes:
        if "content-length" in headers:
            return await self._reader.readexactly(int(headers["content-length"]))
        parts = []
        while length := int(await self._reader.readline(), 16):
            parts.append(await self._reader.readexactly(length))
            await self._reader.readline()
        await self._reader.readline()
        return b"".join(parts)


def run_body(source: str) -> bytes:
    return json.dumps({"source": source}).encode()


def check_run(answer: bytes) -> dict[str, Any]:
    """The result; raises UnexpectedAnswer unless the snippet finished, passed its checks and was drawn."""
    result: dict[str, Any] = json.loads(answer)
    checks = [record["passed"] for record in result["records"] if record["kind"] == "gradcheck"]
    pictures = [record["svg"] for record in result["records"] if record["kind"] == "graph"]
    if result["outcome"] != "finished" or checks != [True, True] or len(pictures) != 1 or not pictures[0]:
        raise UnexpectedAnswer(f"{result['outcome']} {result['error']} {result['stderr'][-500:]} checks {checks}")
    return result


async def run_for(server: Server, clients: int, seconds: float, source: str) -> dict[str, Any]:
    """Runs a second when so many clients each send the next run as soon as the last is answered."""
    body = run_body(source)
    samples_ms: list[float] = []
    opened = [await Client(server).__aenter__() for _ in range(clients)]
    try:
        start = time.perf_counter()
        await asyncio.gather(*(keep_running(client, body, start + seconds, samples_ms) for client in opened))
        elapsed = time.perf_counter() - start
    finally:
        for client in opened:
            await client.__aexit__()
    return {"runs_per_second": len(samples_ms) / elapsed, "samples_ms": samples_ms}


async def keep_running(client: Client, body: bytes, until: float, samples_ms: list[float]) -> None:
    while (start := time.perf_counter()) < until:
        answer = await client.run(body)
        samples_ms.append((time.perf_counter() - start) * 1000)
        if b'"outcome":"finished"' not in answer:
            raise UnexpectedAnswer(answer[:300].decode(errors="replace"))
