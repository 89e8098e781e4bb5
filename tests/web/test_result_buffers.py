"""The results that web buffers for slow clients."""

import asyncio
import json
from dataclasses import replace

import pytest

from app.buffered_bytes import ByteCaps
from app.lessons.course.catalogue import Catalogue
from app.protocol.owner import Owner
from app.web.runs.result_buffers import ResultBuffer, ResultBuffers
from tests.web.conftest import MakeApp, client_of
from tests.web.exercises import PASSED, STREAM, SUBMISSIONS, make_catalogue
from tests.web.fake_runner import FakeRunner, make_result
from tests.web.serving import connect, serving

pytestmark = pytest.mark.anyio
SLOPE = "/api/lessons/one/first/predictions/slope"
SIZE = 20_000_000


@pytest.fixture
def catalogue() -> Catalogue:
    return make_catalogue()


@pytest.fixture
def runner() -> FakeRunner:
    return FakeRunner([make_result("x" * SIZE), PASSED])


class WatchedResults(ResultBuffers):
    """Result buffers that set `begun` once they contain something."""

    def __init__(self, caps: ByteCaps) -> None:
        super().__init__(caps)
        self.begun = asyncio.Event()

    def count(self, buffer: ResultBuffer, owner: Owner, buffered_bytes: int) -> None:
        super().count(buffer, owner, buffered_bytes)
        if buffered_bytes:
            self.begun.set()


async def post_unread(port: int, path: str, body: dict[str, object], cookie: str) -> asyncio.StreamWriter:
    """Send a request from a client that reads nothing of its answer."""
    content = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nCookie: learner={cookie}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    writer.write(head.encode() + content)
    return writer


@pytest.mark.parametrize("headers", [{}, STREAM])
async def test_nothing_is_held_any_more_once_an_answer_was_taken(make_app: MakeApp, headers: dict[str, str]) -> None:
    app = make_app()
    async with client_of(app) as client:
        assert (await client.post(SUBMISSIONS, json={"source": "x"}, headers=headers)).status_code == 200
        assert (await client.post(SLOPE, json={"answer": 1}, headers=headers)).status_code == 200
    assert app.state.services.result_buffers.total == 0


@pytest.mark.parametrize(("path", "body"), [(SUBMISSIONS, {"source": "x"}), (SLOPE, {"answer": 1})])
async def test_over_a_cap_the_client_that_has_waited_longest_is_dropped(
    make_app: MakeApp, runner: FakeRunner, path: str, body: dict[str, object]
) -> None:
    app = make_app()
    held = WatchedResults(ByteCaps(learner=3 * SIZE, address=10 * SIZE, overall=10 * SIZE))
    app.state.services = replace(app.state.services, result_buffers=held)
    cookie = app.state.services.sessions.give("ada")
    async with serving(app) as port:
        first = await post_unread(port, path, body, cookie)
        async with asyncio.timeout(10):
            await held.begun.wait()
        assert not runner.left.is_set()
        second = await post_unread(port, path, body, cookie)
        async with asyncio.timeout(10):
            await runner.left.wait()
        assert 2 * SIZE <= held.total < 3 * SIZE
        async with connect(port) as client:
            assert 'gradroom_web_runs_total{ending="abandoned"} 1.0' in (await client.get("/metrics")).text
        first.close()
        second.close()
