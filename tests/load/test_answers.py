"""What a load test says of a server's answers: kinds apart, refusals with their reason, times only of what was served."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.bench.client import Client
from tests.bench.server import Server
from tests.load.answers import Answers

pytestmark = pytest.mark.anyio
SERVED = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
REFUSED = b"HTTP/1.1 429 Too Many Requests\r\ncontent-length: 2\r\n\r\nno"


class Script:
    """What a server answers, request after request; b"": it closes the connection instead."""

    def __init__(self) -> None:
        self.answers: list[bytes] = []
        self.connections = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while await reader.readline():
            while (await reader.readline()).strip():
                pass
            if not (answer := self.answers.pop(0)):
                break
            writer.write(answer)
        writer.close()


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
async def client(script: Script) -> AsyncIterator[Client]:
    async with await asyncio.start_server(script.serve, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        client = Client(Server(0, host, port, 0.0))
        yield client
        client.close()


async def test_served_and_refused_are_counted_apart(script: Script, client: Client) -> None:
    script.answers = [SERVED, REFUSED, SERVED]
    answers = Answers()
    assert [await answers.ask(kind, client, "GET", "/") for kind in ("page", "page", "file")] == [b"ok", None, b"ok"]
    figures = answers.figures()
    assert {kind: (found["runs"], found["refused"]) for kind, found in figures.items()} == {"page": (1, {"status 429": 1}), "file": (1, {})}
    assert script.connections == 1


async def test_a_kept_connection_that_was_closed_is_replaced_once(script: Script, client: Client) -> None:
    script.answers = [SERVED, b"", SERVED, b"", b""]
    answers = Answers()
    assert [await answers.ask("page", client, "GET", "/") for _ in range(3)] == [b"ok", b"ok", None]
    assert answers.figures()["page"]["refused"] == {"ConnectionResetError": 1}
    assert script.connections == 3
