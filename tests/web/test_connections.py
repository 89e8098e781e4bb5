"""Connections beyond the limits, and requests that do not end or that do not wait for answers."""

import asyncio
from dataclasses import replace
from ipaddress import ip_network

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from app.web.guards.connections import Connections
from app.web.guards.request_owners import RequestOwners
from tests.web.connection_site import CAPS, GET, HEAD, PIECE, Site, ask, closed, connect, pour
from tests.web.serving import serving

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("start", [b"GET / HTTP/1.1\r\nX-A: ", HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX-A: "])
@pytest.mark.parametrize("more", [b"a" * 65_536, b"a: b\r\nX-A: " * 6000])
async def test_a_head_or_a_trailer_that_does_not_end_is_refused(start: bytes, more: bytes) -> None:
    connections = Connections(CAPS)
    async with serving(Site().app, connections) as port:
        streams = await connect(port)
        streams[1].write(start)
        await pour(streams, more)
        assert connections.buffered.total == 0


@pytest.mark.parametrize(("headers", "status"), [(150, b"200"), (400, b"400")])
async def test_headers_are_counted(headers: int, status: bytes) -> None:
    async with serving(Site().app, Connections(CAPS)) as port:
        streams = await connect(port)
        streams[1].write(GET[:-2] + b"a: b\r\n" * headers + b"\r\n")
        assert status in await streams[0].readline()


async def test_a_body_in_many_pieces_is_no_endless_head() -> None:
    site = Site()
    async with serving(site.app, Connections(CAPS)) as port:
        streams = await connect(port)
        streams[1].write(HEAD + b"Content-Length: 1000000\r\n\r\n")
        for _ in range(10):
            streams[1].write(b"x" * 100_000)
            await streams[1].drain()
        assert b"200" in await ask(streams, b"")


async def test_of_an_address_with_too_many_connections_the_longest_idle_is_closed() -> None:
    async with serving(Site().app, Connections(replace(CAPS, per_address=3))) as port:
        first, second, third = [await connect(port) for _ in range(3)]
        assert b"200" in await ask(first)
        fourth = await connect(port)
        assert await closed(second) == b""
        for streams in (first, third, fourth):
            assert b"200" in await ask(streams)


async def test_when_all_there_may_be_are_there_the_address_with_most_gives_way() -> None:
    async with serving(Site().app, Connections(replace(CAPS, overall=3))) as port:
        other = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0))
        assert b"200" in await ask(other)
        first, second = [await connect(port) for _ in range(2)]
        third = await connect(port)
        assert await closed(first) == b""
        for streams in (other, second, third):
            assert b"200" in await ask(streams)


async def test_a_connection_that_waits_for_its_answer_is_not_idle() -> None:
    site = Site(pieces=100)
    async with serving(site.app, Connections(replace(CAPS, per_address=1))) as port:
        busy = await connect(port)
        busy[1].write(GET)
        await busy[0].readline()
        assert await closed(await connect(port)) == b""
        rest = 0
        while rest < 100 * len(PIECE):
            rest += len(await busy[0].read(1 << 20))


async def test_a_trusted_proxy_may_have_any_number() -> None:
    caps = replace(CAPS, per_address=1, exempt=(ip_network("127.0.0.0/8"),))
    async with serving(Site().app, Connections(caps)) as port:
        for streams in [await connect(port) for _ in range(5)]:
            assert b"200" in await ask(streams)


def test_a_proxys_own_ipv6_address_is_what_is_trusted() -> None:
    owners = RequestOwners((ip_network("::1"),), lambda _: None)
    assert owners.is_proxy("::1")
    assert not owners.is_proxy("::2")


async def test_requests_that_do_not_wait_for_answers_are_few() -> None:
    site = Site()
    async with serving(site.app, Connections(CAPS)) as port:
        several, many = await connect(port), await connect(port)
        several[1].write(GET * 5)
        for _ in range(5):
            assert b"200" in await ask(several, b"")
        many[1].write(GET * 1000)
        assert (await closed(many)).count(b"HTTP/1.1 200") < 100
    assert len(site.connections) < 100


async def test_an_endless_body_is_not_read_on_after_its_answer() -> None:
    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("no", 413)(scope, receive, send)

    async with serving(refuse, Connections(replace(CAPS, body_bytes=100_000))) as port:
        streams = await connect(port)
        streams[1].write(HEAD + b"Content-Length: 100000000\r\n\r\n")
        assert b"413" in await streams[0].readline()
        await pour(streams, PIECE)
