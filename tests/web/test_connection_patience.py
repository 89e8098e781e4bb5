"""How long the server waits for a client that sends or reads little or nothing."""

import asyncio
import socket

import pytest

from app.web.guards.connections import Connections
from tests.web.connection_site import CAPS, GET, HEAD, Site, ask, closed, connect, impatient
from tests.web.serving import serving

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "beginning",
    [b"", b"GET /", HEAD, HEAD + b"Content-Length: 9\r\n\r\n", HEAD + b"Content-Length: 9\r\n\r\nx", GET],
)
async def test_what_is_not_finished_is_closed(beginning: bytes) -> None:
    async with serving(Site().app, impatient()) as port:
        streams = await connect(port)
        if beginning == GET:
            assert b"200" in await ask(streams)
            beginning = b"GET /"
        streams[1].write(beginning)
        assert await closed(streams) == b""


async def test_between_requests_uvicorns_own_patience_counts() -> None:
    site = Site()
    async with serving(site.app, Connections(CAPS)) as port:
        streams = await connect(port)
        assert b"200" in await ask(streams)
        (connection,) = site.connections
        assert connection.overdue(connection.loop.time() + 7200) == ""
        assert b"200" in await ask(streams)


async def test_who_sends_a_little_more_of_a_body_is_waited_for() -> None:
    site = Site()
    async with serving(site.app, Connections(CAPS)) as port:
        streams = await connect(port)
        streams[1].write(HEAD + b"Content-Length: 2\r\n\r\n")
        while not site.connections:
            await asyncio.sleep(0)
        (connection,) = site.connections
        later = connection.loop.time() + 3601
        assert connection.overdue(later) == "unfinished"
        connection._waiting_since = later  # what on_body does
        streams[1].write(b"x")
        assert connection.overdue(later + 1800) == ""
        assert b"200" in await ask(streams, b"x")


async def test_who_takes_nothing_of_an_answer_is_dropped_and_the_app_is_told() -> None:
    site = Site(pieces=10_000)
    async with serving(site.app, impatient()) as port:
        streams = await connect(port)
        streams[1].transport.pause_reading()  # type: ignore[attr-defined]
        streams[1].write(GET)
        await site.left.wait()
        assert site.connections[0].gone


async def test_who_takes_a_little_is_waited_for() -> None:
    site = Site(pieces=10_000)
    async with serving(site.app, Connections(CAPS)) as port:
        streams = await connect(port)
        streams[1].write(GET)
        await streams[0].readline()
        connection = site.connections[0]
        while not connection.flow.write_paused:
            await asyncio.sleep(0)
        now = connection.loop.time()
        assert connection.overdue(now + 3601) == "unread"
        while connection._taken_at <= now:
            await streams[0].read(1 << 20)
        assert connection.overdue(now + 3600) == ""


async def test_who_takes_steadily_but_too_little_to_wake_the_writer_is_waited_for() -> None:
    site = Site(pieces=10_000)
    loop = asyncio.get_running_loop()
    async with serving(site.app, Connections(CAPS)) as port:
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
            client.setblocking(False)
            await loop.sock_connect(client, ("127.0.0.1", port))
            await loop.sock_sendall(client, GET)
            while not site.connections or not site.connections[0].flow.write_paused:
                await asyncio.sleep(0)
            (connection,) = site.connections
            later, waiting_bytes = connection.loop.time() + 3601, connection.transport.get_write_buffer_size()
            assert connection.overdue(later) == "unread"
            while connection.overdue(later) == "unread":
                assert await loop.sock_recv(client, 1024)
            assert connection.transport.get_write_buffer_size() == waiting_bytes
