"""A real server with two web processes, PostgreSQL and a runner. Each process is reached by the socket at which it listens to the other."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Self

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.bare.gradroom import SMALL_COURSE
from tests.bench.processes import command, descendants
from tests.bench.server import ANY_RATE, Server, serve
from tests.patience import PATIENCE_SECONDS
from tests.postgresql import PostgresServer

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]
EXERCISE = "/api/lessons/one/depth/exercises/deep-chain/submissions"
DRAFT = "/api/me/drafts/one/depth/exercise_deep-chain"
GRAPH = "import torch\nx = torch.tensor(2.0, requires_grad=True)\n(x**3).backward()\n"
NAMES = ("web-1", "web-2")


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def server(postgres_server: PostgresServer) -> Iterator[Server]:
    url = postgres_server.make_database()
    settings = {"GRADROOM_DATABASE_URL": url, "GRADROOM_WEB_PROCESSES": "2", "GRADROOM_LESSONS_FOLDER": str(SMALL_COURSE), **ANY_RATE}
    with serve(settings) as running:
        yield running
    postgres_server.drop_database(url)


class Learner:
    """One learner with a connection to each process."""

    def __init__(self, server: Server) -> None:
        folder = next(words.split(" --peers ")[1].split()[0] for words in web_processes(server).values())
        self._stack = AsyncExitStack()
        transports = [httpx.AsyncHTTPTransport(uds=str(Path(folder, f"{name}.sock"))) for name in NAMES]
        self.clients = [httpx.AsyncClient(transport=one, base_url="http://localhost", timeout=PATIENCE_SECONDS) for one in transports]

    async def __aenter__(self) -> Self:
        for client in self.clients:
            await self._stack.enter_async_context(client)
        await self.clients[0].get("/api/lessons")
        self.clients[1].cookies = self.clients[0].cookies
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def both(self, method: str, path: str, *bodies: Any, **asked: Any) -> list[httpx.Response]:
        """Send a request to both processes at once, each with its body."""
        return await asyncio.gather(
            *(client.request(method, path, json=body, **asked) for client, body in zip(self.clients, bodies, strict=True))
        )


def web_processes(server: Server) -> dict[int, str]:
    """Return the commands of the web processes by pid."""
    return {pid: words for pid in descendants(server.pid) if "app.cli web" in (words := command(pid))}


async def test_of_simultaneous_saves_from_one_version_one_is_saved_and_the_other_is_a_conflict(server: Server) -> None:
    async with Learner(server) as learner:
        for version in range(15):
            answers = await learner.both("PUT", DRAFT, *({"source": f"{version} {name}", "version": version} for name in NAMES))
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            saved = next(name for name, answer in zip(NAMES, answers, strict=True) if answer.status_code == 200)
            for client in learner.clients:
                assert (await client.get(DRAFT)).json()["draft"] == {"version": version + 1, "source": f"{version} {saved}"}


async def test_one_key_at_both_processes_at_once_is_one_run_and_the_same_answer(server: Server) -> None:
    async with Learner(server) as learner:
        body = {"source": "def deep(x):\n    pass\n"}
        for number in range(10):
            answers = await learner.both("POST", EXERCISE, body, body, headers={"idempotency-key": str(number)})
            assert [answer.status_code for answer in answers] == [200, 200]
            assert answers[0].content == answers[1].content
            assert answers[0].headers["x-run-id"] == answers[1].headers["x-run-id"]
        listed = (await learner.clients[0].get("/api/me/attempts?exercise=one/depth/deep-chain")).json()["attempts"]
        assert len(listed) == 10


async def test_a_run_is_stopped_and_traced_through_the_other_process(server: Server) -> None:
    async with Learner(server) as learner:
        first, second = learner.clients
        endless, as_events = {"source": "while True: pass"}, {"accept": "text/event-stream"}
        async with first.stream("POST", "/api/runs", json=endless, headers=as_events) as stream:
            assert (await second.delete(f"/api/runs/{stream.headers['x-run-id']}")).status_code == 202
            assert '"outcome":"stopped"' in (await stream.aread()).decode()
        ran = await first.post("/api/runs", json={"source": GRAPH})
        while (traced := await second.post(f"/api/runs/{ran.headers['x-run-id']}/trace")).status_code == 503:
            await asyncio.sleep(1)  # it gives way to what is being warmed up
        assert (traced.status_code, traced.json()["outcome"]) == (200, "finished")


async def test_who_deletes_everything_at_one_process_stores_nothing_at_the_other(server: Server) -> None:
    async with Learner(server) as learner:
        first, second = learner.clients
        cookie = {"cookie": f"learner={first.cookies['learner']}"}
        assert (await second.put(DRAFT, json={"source": "a", "version": 0})).status_code == 200
        assert (await first.delete("/api/me")).status_code == 204
        answer = await second.put(DRAFT, json={"source": "b", "version": 0}, headers=cookie)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "no_learner")


async def test_either_answers_for_the_metrics_of_both(server: Server) -> None:
    async with Learner(server) as learner:
        for client in learner.clients:
            text = (await client.get("/metrics")).text
            found = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
            open_requests = {sample.labels["process"] for sample in found if sample.name == "gradroom_web_open_requests"}
            assert open_requests == set(NAMES)
            assert [sample.labels for sample in found if sample.name == "gradroom_store_learners"] == [{}]


async def test_while_one_is_dead_the_other_answers_all_connections_and_it_is_started_again(server: Server) -> None:
    before = web_processes(server)
    dead = next(pid for pid, words in before.items() if "--name web-2" in words)
    os.kill(dead, signal.SIGKILL)
    async with asyncio.timeout(PATIENCE_SECONDS):
        for _ in range(20):  # half of these are for the dead one's listener
            async with httpx.AsyncClient(base_url=f"http://{server.host}:{server.port}", timeout=PATIENCE_SECONDS) as client:
                assert (await client.get("/healthz")).status_code == 200
        while not any("--name web-2" in words for words in web_processes(server).values()):
            await asyncio.sleep(0.01)
    after = web_processes(server)
    assert set(before) - set(after) == {dead}
