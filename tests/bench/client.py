"""A small HTTP/1.1 client on one persistent connection. A benchmark's client must not cost more than what it measures."""

import asyncio
import json
import time
from typing import Any, Self

from tests.bench.server import Server

TIMEOUT_SECONDS = 60.0
NO_CONTENT = 204


class UnexpectedAnswer(Exception):
    """The server answered something that is not a finished run, with its graph and its checks."""

    def __init__(self, text: str, status: int = 200) -> None:
        super().__init__(text)
        self.status = status


class Client:
    """One learner, with a persistent connection and the cookie of a first visit, or a given cookie.

    `address`: the local address to connect from, if one is given. Every call has a deadline, connects if there is no connection, and raises
    OSError or EOFError if the connection breaks off.
    """

    def __init__(self, server: Server, address: str | None = None, cookie: str = "") -> None:
        self._server, self._address = server, address
        self._connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.cookie = cookie  # as a header line

    async def __aenter__(self) -> Self:
        if not self.cookie:
            await self.get("/api/lessons")
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection. The next call opens a new one."""
        if self._connection is not None:
            self._connection[1].close()
            self._connection = None

    async def get(self, path: str) -> bytes:
        return await self.ask("GET", path)

    async def run(self, body: bytes) -> bytes:
        """Return the JSON answer to `POST /api/runs`."""
        return await self.post("/api/runs", body)

    async def post(self, path: str, body: bytes) -> bytes:
        return await self.ask("POST", path, body)

    async def ask(self, method: str, path: str, body: bytes = b"") -> bytes:
        """Return the body of the answer. Raises UnexpectedAnswer."""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self._server.host}:{self._server.port}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n{self.cookie}\r\n"
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                status, answer = await self._exchange(head.encode() + body)
        except (OSError, EOFError):
            self.close()  # data that still arrives does not answer the next call
            raise
        if status not in (200, NO_CONTENT):
            raise UnexpectedAnswer(f"{method} {path}: {status} {answer[:300]!r}", status)
        return answer

    async def _exchange(self, request: bytes) -> tuple[int, bytes]:
        if self._connection is None:
            local = (self._address, 0) if self._address else None
            self._connection = await asyncio.open_connection(self._server.host, self._server.port, limit=1 << 20, local_addr=local)
        reader, writer = self._connection
        writer.write(request)
        line = await reader.readline()
        if not line:
            raise ConnectionResetError("the server closed the connection")
        status = int(line.split()[1])
        headers = await self._read_headers(reader)
        return status, b"" if status == NO_CONTENT else await self._read_body(reader, headers)

    async def _read_headers(self, reader: asyncio.StreamReader) -> dict[str, str]:
        headers = {}
        while line := (await reader.readline()).strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        if "set-cookie" in headers:
            self.cookie = f"Cookie: {headers['set-cookie'].partition(';')[0]}\r\n"
        return headers

    async def _read_body(self, reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
        if "content-length" in headers:
            return await reader.readexactly(int(headers["content-length"]))
        parts = []
        while length := int(await reader.readline(), 16):
            parts.append(await reader.readexactly(length))
            await reader.readline()
        await reader.readline()
        return b"".join(parts)


def run_body(source: str) -> bytes:
    return json.dumps({"source": source}).encode()


def check_run(answer: bytes) -> dict[str, Any]:
    """Return the result. Raises UnexpectedAnswer unless the snippet finished, passed its checks and was drawn."""
    result: dict[str, Any] = json.loads(answer)
    checks = [record["passed"] for record in result["records"] if record["kind"] == "gradcheck"]
    pictures = [record["svg"] for record in result["records"] if record["kind"] == "graph"]
    if result["outcome"] != "finished" or checks != [True, True] or len(pictures) != 1 or not pictures[0]:
        raise UnexpectedAnswer(f"{result['outcome']} {result['error']} {result['stderr'][-500:]} checks {checks}")
    return result


async def run_for(server: Server, clients: int, seconds: float, source: str) -> dict[str, Any]:
    """Return the runs per second of several clients, each of which sends its next run when the last one is answered."""
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
