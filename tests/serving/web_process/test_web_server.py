"""How connections are accepted."""

import asyncio
import socket
from contextlib import ExitStack

import pytest

from app.serving.web_process.port import open_port
from app.web.guards.connections import Connections
from tests.web.connection_site import CAPS, Site, ask, connect
from tests.web.serving import serving

pytestmark = pytest.mark.anyio
MANY = 60


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, bool]]:
    """The event loop of the real server. By itself it would accept one connection in each pass."""
    return "asyncio", {"use_uvloop": True}


async def test_all_connections_that_wait_are_accepted_in_one_pass_of_the_event_loop() -> None:
    connections = Connections(CAPS)
    async with serving(Site().app, connections) as port:
        first = await connect(port)
        assert b"200" in await ask(first)
        with ExitStack() as opened:
            for _ in range(MANY):
                opened.enter_context(socket.create_connection(("127.0.0.1", port)))
            passes = 0
            while len(connections._all) <= MANY:
                await asyncio.sleep(0)
                passes += 1
            assert passes < MANY / 2


async def test_what_waits_at_the_listener_of_another_process_that_accepts_nothing_is_accepted_too() -> None:
    connections = Connections(CAPS)
    with open_port("127.0.0.1", 0) as dead:
        async with serving(Site().app, connections, [dead]):
            for _ in range(2):
                assert b"200" in await ask(await connect(dead.getsockname()[1]))
