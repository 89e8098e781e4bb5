"""Relays in front of real runners, and web's client, with an entry in place of Ray Serve."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from unittest.mock import patch

import aiohttp
import msgspec
import pytest
from yarl import URL

from app.cluster.relay import Relay
from app.protocol.event import Started, Stdout
from app.protocol.limits import Limits
from app.protocol.load import BUILD_HEADER, ClusterView
from app.protocol.outcome import Outcome
from app.protocol.run import Program, RunOrder, RunResult, Source
from app.runner.client import QueueFull, RunnerUnavailable
from app.runner.cluster.ray_runner import RayRunner
from app.runner.socket_runner import RunnerSocket, SocketRunner
from tests.programs import BARE_RUNNER, Programs, running_programs
from tests.runner.cluster.fake_cluster import TOKEN, Entry, serving

pytestmark = pytest.mark.anyio
SLEEPS = "import time\nprint('begun', flush=True)\ntime.sleep(50)"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def runners() -> Iterator[dict[str, Programs]]:
    """Two runners with one place each."""
    with ExitStack() as stack:
        started = {}
        for number in (1, 2):
            name = f"n{number}"
            settings = {"GRADROOM_NODE": name, "GRADROOM_CONCURRENCY": "1", "GRADROOM_SPARES": "1", "GRADROOM_QUEUE_RUNS_PER_ADDRESS": "2"}
            settings |= {
                "GRADROOM_QUEUE_RUNS": "2",
                "GRADROOM_QUEUE_RUNS_PER_LEARNER": "1",
                "GRADROOM_FIRST_UID": str(first_uid() + 1000 * number),
            }
            with patch.dict(os.environ, settings):
                started[name] = stack.enter_context(running_programs(runner=BARE_RUNNER))
        yield started


def first_uid() -> int:
    return int(os.environ.get("GRADROOM_FIRST_UID", "210000"))


@asynccontextmanager
async def entry(runners: dict[str, Programs], folder: Path) -> AsyncIterator[str]:
    token_file = folder / "token"
    token_file.write_text(TOKEN + "\n")
    relays = {name: Relay(name, programs.socket, token_file) for name, programs in runners.items()}
    async with serving(Entry(dict(relays))) as host:
        yield host
    for relay in relays.values():
        await relay.close()


def order_of(text: str, learner: str = "alice", seconds: float = 60) -> RunOrder:
    limits = Limits(deadline_seconds=seconds)
    return RunOrder(program=Program(source=Source(text=text)), learner=learner, address="10.0.0.1", limits=limits)


async def test_learners_fill_both_nodes_and_each_can_stop_a_run(runners: dict[str, Programs], tmp_path: Path) -> None:
    async with entry(runners, tmp_path) as host, RayRunner([host], TOKEN) as runner, RayRunner([host], TOKEN) as other:

        async def go(learner: str) -> tuple[str, RunResult]:
            async with runner.run(order_of(SLEEPS, learner)) as stream:
                async for event in stream:
                    if isinstance(event, Stdout):
                        assert not await other.stop(stream.run_id, "somebody")
                        assert await other.stop(stream.run_id, learner)  # by another web process
                    if isinstance(event, RunResult):
                        return stream.run_id, event
            raise AssertionError("no result")

        ended = await asyncio.gather(go("alice"), go("bob"))
    assert sorted(run_id.split("-")[0] for run_id, _ in ended) == ["n1", "n2"]
    assert [result.outcome for _, result in ended] == [Outcome.STOPPED] * 2


async def test_whoever_leaves_ends_the_program(runners: dict[str, Programs], tmp_path: Path) -> None:
    async with entry(runners, tmp_path) as host, RayRunner([host], TOKEN) as runner:
        async with runner.run(order_of(SLEEPS)) as stream:
            async for event in stream:
                if isinstance(event, Started):
                    break
        async with asyncio.timeout(60):
            while any([(await status_of(programs.socket)) for programs in runners.values()]):
                await asyncio.sleep(0.05)


async def status_of(socket: Path) -> int:
    async with SocketRunner(socket) as runner:
        return (await runner.status()).active


async def test_the_nodes_share_what_an_address_may_have_waiting(runners: dict[str, Programs], tmp_path: Path) -> None:
    """Each of two nodes takes one of the two runs that may wait."""
    async with entry(runners, tmp_path) as host, RayRunner([host], TOKEN) as runner:
        await runner.status()
        async with asyncio.timeout(60):
            for programs in runners.values():
                await tell_nodes(programs.socket, 2)
        runs = [asyncio.create_task(outcome_of(runner, f"learner-{number}")) for number in range(5)]
        done, waiting = await asyncio.wait(runs, return_when=asyncio.FIRST_COMPLETED, timeout=60)
        refused = [task.exception() for task in done]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    assert len(refused) == 1 and isinstance(refused[0], QueueFull) and refused[0].reason == "address"


async def test_what_one_full_node_refuses_politely_is_served_by_two(runners: dict[str, Programs], tmp_path: Path) -> None:
    """A node has one place here, and two runs may wait."""
    one = {"n1": runners["n1"]}
    for nodes, refused in ((one, 3), (runners, 0)):
        async with entry(nodes, tmp_path) as host, RayRunner([host], TOKEN) as runner:
            runs = [outcome_of(runner, f"learner-{number}", f"10.0.1.{number}", "import time\ntime.sleep(2)") for number in range(6)]
            found = await asyncio.gather(*runs, return_exceptions=True)
        refusals = [each for each in found if isinstance(each, QueueFull)]
        assert [each.reason for each in refusals] == ["overall"] * refused
        assert sum(isinstance(each, RunResult) and each.outcome is Outcome.FINISHED for each in found) == 6 - refused


async def outcome_of(runner: RayRunner, learner: str, address: str = "10.0.0.1", text: str = SLEEPS) -> RunResult:
    async with runner.run(msgspec.structs.replace(order_of(text, learner), address=address)) as stream:
        async for event in stream:
            if isinstance(event, RunResult):
                return event
            if getattr(event, "code", None) == "queue_full":
                raise QueueFull(event.message, 5)  # type: ignore[union-attr, arg-type]
    raise AssertionError("no result")


async def tell_nodes(socket: Path, nodes: int) -> None:
    http = RunnerSocket(socket)
    (await http.send("POST", "/load", data=msgspec.json.encode(ClusterView(nodes=nodes)))).release()
    await http.close()


@pytest.mark.parametrize(
    ("method", "path", "token", "status"),
    [
        ("GET", "/status", "", 401),
        ("GET", "/status", "Bearer wrong", 401),
        ("POST", "/runs", "", 401),
        ("GET", "/status", f"Bearer {TOKEN}", 200),
        ("POST", "/drain", f"Bearer {TOKEN}", 404),  # only the node itself may
        ("GET", "/runs/../status", f"Bearer {TOKEN}", 404),
        ("GET", "/", f"Bearer {TOKEN}", 404),
    ],
)
async def test_nothing_is_passed_on_without_the_token_and_nothing_else_with_it(
    runners: dict[str, Programs], tmp_path: Path, method: str, path: str, token: str, status: int
) -> None:
    headers = {"authorization": token} if token else {}
    async with entry(runners, tmp_path) as host, aiohttp.ClientSession() as session:
        url = URL(f"http://{host}/nodes/n1{path}", encoded=True)
        async with session.request(method, url, headers=headers, data=b"{}" if method == "POST" else None) as response:
            assert response.status == status
            assert response.headers["x-gradroom-node"] == "n1"


async def test_a_runner_refuses_an_order_of_another_build(runners: dict[str, Programs], tmp_path: Path) -> None:
    async with entry(runners, tmp_path) as host, aiohttp.ClientSession() as session:
        headers = {"authorization": f"Bearer {TOKEN}", BUILD_HEADER: "another"}
        async with session.post(f"http://{host}/nodes/n1/runs", headers=headers, data=b"{}") as response:
            assert response.status == 422
            assert "another build" in await response.text()


@pytest.fixture
def mortal() -> Iterator[Programs]:
    settings = {"GRADROOM_NODE": "n3", "GRADROOM_CONCURRENCY": "1", "GRADROOM_FIRST_UID": str(first_uid() + 3000)}
    with patch.dict(os.environ, settings), running_programs(runner=BARE_RUNNER) as programs:
        yield programs


async def test_one_that_drains_takes_nothing_new_and_one_that_died_is_unavailable(mortal: Programs, tmp_path: Path) -> None:
    async with entry({"n3": mortal}, tmp_path) as host, RayRunner([host], TOKEN) as runner:
        async with runner.run(order_of(SLEEPS, seconds=3)) as stream:
            events = aiter(stream)
            assert stream.run_id.startswith("n3-")
            http = RunnerSocket(mortal.socket)
            (await http.send("POST", "/drain")).release()
            await http.close()
            with pytest.raises(RunnerUnavailable):
                async with runner.run(order_of("1", "bob")):
                    pass
            last = [event async for event in events][-1]
            assert isinstance(last, RunResult) and last.outcome is Outcome.TIMED_OUT  # what was accepted goes on to its end
        mortal.process.kill()
        async with asyncio.timeout(60):
            while (await runner.status()).ready:
                await asyncio.sleep(0.1)
