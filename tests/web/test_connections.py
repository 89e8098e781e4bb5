"""What becomes of connections that keep the server waiting, or are too many, or hold too much."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from app.settings import Settings
from app.web.connection_caps import ConnectionCaps, caps_of, read_networks
from app.web.connections import Connection, Connections
from app.web.held_bytes import ByteCaps
from tests.web.serving import serving

pytestmark = pytest.mark.anyio
CAPS = replace(caps_of(Settings(), overall=100), patience_seconds=3600.0)
HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
PIECE = b"x" * 65_536
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Site:
    """An app that reads its body, answers at length, and remembers its connections and who of them was found gone."""

    def __init__(self, pieces: int = 0) -> None:
        self.connections: list[Connection] = []
        self.pieces = pieces
        self.bodies = 0
        self.left = asyncio.Event()
        self.app = Starlette(routes=[Route("/", self.answer, methods=["GET", "POST"])])

    async def answer(self, request: Request) -> Response:
        self.connections.append(request.scope["state"]["connection"])
        await request.body()
        self.bodies += 1
        return StreamingResponse(self.pour()) if self.pieces else PlainTextResponse("fine")

    async def pour(self) -> AsyncIterator[bytes]:
        try:
            for _ in range(self.pieces):
                yield PIECE
        finally:
            self.left.set()


def impatient(**changes: object) -> Connections:
    return Connections(replace(CAPS, patience_seconds=0.2, **changes))  # type: ignore[arg-type]


async def connect(port: int) -> Streams:
    return await asyncio.open_connection("127.0.0.1", port)


async def ask(streams: Streams, request: bytes = GET) -> bytes:
    """The first line of the answer; b"" if the connection was closed."""
    streams[1].write(request)
    try:
        line = await streams[0].readline()
        while line and await streams[0].readline() not in (b"\r\n", b""):
            pass
        await streams[0].readexactly(4 if line else 0)
    except (ConnectionError, asyncio.IncompleteReadError):
        return b""
    return line


async def closed(streams: Streams) -> bytes:
    """What is still sent before the server closes."""
    try:
        return await streams[0].read()
    except ConnectionError:
        return b""


async def pour(streams: Streams, piece: bytes) -> None:
    """Send pieces until the server breaks off."""
    with suppress(ConnectionError):
        while not streams[1].is_closing():
            streams[1].write(piece)
            await streams[1].drain()
            await asyncio.sleep(0)


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


@pytest.mark.parametrize("start", [b"GET / HTTP/1.1\r\nX-A: ", HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX-A: "])
@pytest.mark.parametrize("more", [b"a" * 65_536, b"a: b\r\nX-A: " * 6000])
async def test_a_head_or_a_trailer_that_does_not_end_is_refused(start: bytes, more: bytes) -> None:
    connections = Connections(CAPS)
    async with serving(Site().app, connections) as port:
        streams = await connect(port)
        streams[1].write(start)
        await pour(streams, more)
        assert connections.held.total == 0


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
    caps = replace(CAPS, per_address=1, exempt=tuple(read_networks(("127.0.0.0/8", "a name"))))
    async with serving(Site().app, Connections(caps)) as port:
        for streams in [await connect(port) for _ in range(5)]:
            assert b"200" in await ask(streams)


def test_a_proxys_own_ipv6_address_is_what_is_trusted() -> None:
    connections = Connections(replace(CAPS, exempt=tuple(read_networks(("::1",)))))
    for address, exempt in (("::1", True), ("::2", False)):
        connection = Connection.__new__(Connection)
        connection.client = (address, 1)
        assert connections._is_exempt(connection) is exempt


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


@pytest.mark.parametrize(
    ("name", "cap", "bodies"),
    [("held_bytes_per_learner", "learner", 2), ("held_bytes_per_address", "address", 4), ("held_bytes", "overall", 8)],
)
def test_an_operator_is_told_how_many_bodies_there_is_always_room_for(name: str, cap: str, bodies: int) -> None:
    least = {"held_bytes_per_learner": 1 << 20, "held_bytes_per_address": 1 << 20, "held_bytes": 1 << 20}
    settings = Settings(request_bytes=4 << 20, kept_bytes_per_learner=1 << 20, **least)
    assert getattr(caps_of(settings, overall=100).held, cap) == bodies * settings.request_bytes
    assert f"Never less than {bodies} × `GRADROOM_REQUEST_BYTES`" in (Settings.model_fields[name].description or "")


def held(learner: int = 1 << 30, address: int = 1 << 30, overall: int = 1 << 30) -> ConnectionCaps:
    return replace(CAPS, held=ByteCaps(learner=learner, address=address, overall=overall))


async def test_bodies_that_are_not_whole_are_bounded_and_the_oldest_gives_way() -> None:
    site = Site()
    connections = Connections(held(learner=250_000))
    async with serving(site.app, connections) as port:
        streams = []
        for _ in range(3):
            streams.append(await connect(port))
            streams[-1][1].write(HEAD + b"Content-Length: 100001\r\n\r\n" + b"x" * 100_000)
            while connections.held.total < 100_000 * min(len(streams), 2):
                await asyncio.sleep(0)
        assert await closed(streams[0]) == b""
        for waiting in streams[1:]:
            assert b"200" in await ask(waiting, b"x")
        assert connections.held.total == 0


async def test_answers_that_are_not_taken_are_bounded() -> None:
    site = Site(pieces=10_000)
    connections = Connections(held(learner=150_000))
    async with serving(site.app, connections) as port:
        streams = []
        for _ in range(3):
            streams.append(await connect(port))
            streams[-1][1].transport.pause_reading()  # type: ignore[attr-defined]
            streams[-1][1].write(GET)
        while not any(connection.gone for connection in site.connections):
            await asyncio.sleep(0.001)
        assert 0 < connections.held.total <= 150_000


@pytest.mark.parametrize("request_bytes", [GET, GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")])
async def test_an_answer_that_is_whole_and_not_taken_still_counts(request_bytes: bytes) -> None:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("x" * 3_000_000)(scope, receive, send)

    connections = Connections(CAPS)
    async with serving(answer, connections) as port:
        streams = await connect(port)
        streams[1].transport.pause_reading()  # type: ignore[attr-defined]
        streams[1].write(request_bytes)
        while not connections.held.total:
            await asyncio.sleep(0.001)
        for _ in range(20):
            await asyncio.sleep(0)
        assert connections.held.total > 1_000_000
        streams[1].transport.resume_reading()  # type: ignore[attr-defined]
        while connections.held.total:
            await streams[0].read(1 << 20)


async def test_what_was_held_counts_for_the_learner_once_it_is_known_who_asks() -> None:
    site = Site()
    connections = Connections(held(learner=150_000))
    async with serving(site.app, connections) as port:
        streams = []
        for number in range(3):
            streams.append(await connect(port))
            streams[-1][1].write(HEAD + b"Content-Length: 100001\r\n\r\n" + b"x" * 100_000)
            while len(site.connections) <= number or connections.held.total < 100_000 * (number + 1):
                await asyncio.sleep(0)
            site.connections[-1].belongs_to("127.0.0.1", f"learner-{number}")
        assert connections.held.total == 300_000
        for waiting in streams:
            assert b"200" in await ask(waiting, b"x")


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


async def test_memory_is_given_back_when_nobody_asks_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    rested = asyncio.Event()
    give_back: Callable[[], None] = rested.set
    monkeypatch.setattr("app.web.connections.give_back_memory", give_back)
    async with serving(Site().app, impatient()) as port:
        streams = await connect(port)
        assert b"200" in await ask(streams)
        await rested.wait()
