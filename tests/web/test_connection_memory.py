"""The memory of connections: incomplete bodies, and answers that the client does not read."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from app.buffered_bytes import ByteCaps
from app.settings import Settings
from app.web.guards.connection_caps import ConnectionCaps, caps_of
from app.web.guards.connections import Connections
from tests.web.connection_site import CAPS, GET, HEAD, Site, ask, closed, connect, impatient
from tests.web.serving import serving

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("name", "cap", "bodies"),
    [("held_bytes_per_learner", "learner", 2), ("held_bytes_per_address", "address", 4), ("held_bytes", "overall", 8)],
)
def test_an_operator_is_told_how_many_bodies_there_is_always_room_for(name: str, cap: str, bodies: int) -> None:
    least = {"held_bytes_per_learner": 1 << 20, "held_bytes_per_address": 1 << 20, "held_bytes": 1 << 20}
    settings = Settings(request_bytes=4 << 20, kept_bytes_per_learner=1 << 20, **least)
    assert getattr(caps_of(settings, overall=100).buffered, cap) == bodies * settings.request_bytes
    assert f"Never less than {bodies} × `GRADROOM_REQUEST_BYTES`" in (Settings.model_fields[name].description or "")


def bounded(learner: int = 1 << 30, address: int = 1 << 30, overall: int = 1 << 30) -> ConnectionCaps:
    return replace(CAPS, buffered=ByteCaps(learner=learner, address=address, overall=overall))


async def test_bodies_that_are_not_whole_are_bounded_and_the_oldest_gives_way() -> None:
    site = Site()
    connections = Connections(bounded(learner=250_000))
    async with serving(site.app, connections) as port:
        streams = []
        for _ in range(3):
            streams.append(await connect(port))
            streams[-1][1].write(HEAD + b"Content-Length: 100001\r\n\r\n" + b"x" * 100_000)
            while connections.buffered.total < 100_000 * min(len(streams), 2):
                await asyncio.sleep(0)
        assert await closed(streams[0]) == b""
        for waiting in streams[1:]:
            assert b"200" in await ask(waiting, b"x")
        assert connections.buffered.total == 0


async def test_answers_that_are_not_taken_are_bounded() -> None:
    site = Site(pieces=10_000)
    connections = Connections(bounded(learner=150_000))
    async with serving(site.app, connections) as port:
        streams = []
        for _ in range(3):
            streams.append(await connect(port))
            streams[-1][1].transport.pause_reading()  # type: ignore[attr-defined]
            streams[-1][1].write(GET)
        while not any(connection.gone for connection in site.connections):
            await asyncio.sleep(0.001)
        assert 0 < connections.buffered.total <= 150_000


@pytest.mark.parametrize("request_bytes", [GET, GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")])
async def test_an_answer_that_is_whole_and_not_taken_still_counts(request_bytes: bytes) -> None:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("x" * 3_000_000)(scope, receive, send)

    connections = Connections(CAPS)
    async with serving(answer, connections) as port:
        streams = await connect(port)
        streams[1].transport.pause_reading()  # type: ignore[attr-defined]
        streams[1].write(request_bytes)
        while not connections.buffered.total:
            await asyncio.sleep(0.001)
        for _ in range(20):
            await asyncio.sleep(0)
        assert connections.buffered.total > 1_000_000
        streams[1].transport.resume_reading()  # type: ignore[attr-defined]
        while connections.buffered.total:
            await streams[0].read(1 << 20)


async def test_what_was_held_counts_for_the_learner_once_it_is_known_who_asks() -> None:
    site = Site()
    connections = Connections(bounded(learner=150_000))
    async with serving(site.app, connections) as port:
        streams = []
        for number in range(3):
            streams.append(await connect(port))
            streams[-1][1].write(HEAD + b"Content-Length: 100001\r\n\r\n" + b"x" * 100_000)
            while len(site.connections) <= number or connections.buffered.total < 100_000 * (number + 1):
                await asyncio.sleep(0)
            site.connections[-1].belongs_to("127.0.0.1", f"learner-{number}")
        assert connections.buffered.total == 300_000
        for waiting in streams:
            assert b"200" in await ask(waiting, b"x")


async def test_memory_is_given_back_when_nobody_asks_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    rested = asyncio.Event()
    give_back: Callable[[], None] = rested.set
    monkeypatch.setattr("app.web.guards.connections.give_back_memory", give_back)
    async with serving(Site().app, impatient()) as port:
        streams = await connect(port)
        assert b"200" in await ask(streams)
        await rested.wait()
