"""Several runtimes in one runner, which runs in this process with toy frameworks: which pool runs an order, and what its events say."""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import msgspec
import pytest
from structlog.testing import capture_logs

from app.protocol.event import Queued, RunEvent, Started
from app.protocol.outcome import Outcome
from app.protocol.run import Program, RunOrder, RunResult, RuntimeName, Source
from app.runner.client import RunGaveWay, RuntimeAbsence, RuntimeAbsent
from app.runner.event_stream import EventStream, decode_frame
from app.runner.queue.capacity import Capacity
from app.runner.runs.run_children import budget_of
from app.runner.runs.run_task import RunTask
from app.runner.server import create_runner
from app.runner.supervisor import RunnerConfig, Supervisor
from app.runner.zygotes import pools, zygote_handle
from app.runtimes.specs import RuntimeSpec
from app.settings import load_settings
from tests.patience import PATIENCE_SECONDS

ZYGOTE = (sys.executable, "-s", "-m", "app.sandbox.zygote.zygote")  # which finds the toys, in the project's folder
USUAL = RuntimeSpec(name="torch", module="json", maker="tests.bare.runtime:BareRuntime")
TOY = RuntimeSpec(name="jax", module="json", maker="tests.bare.toy_runtime:ToyRuntime", extra="jax", environment={"TOY_VERSION": "7"})
ABSENT = RuntimeSpec(name="tensorflow", module="no_such_framework", maker="nowhere:Nothing", extra="tensorflow")
NOT_INSTALLED = "the runtime tensorflow is not installed"


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(zygote_handle, "COMMAND", ZYGOTE)
    with tempfile.TemporaryDirectory(prefix="gradroom-runtimes-") as name:
        os.chmod(name, 0o711)
        yield Path(name)


def config_of(folder: Path, *others: RuntimeSpec) -> RunnerConfig:
    capacity = Capacity(concurrency=2, begun_bytes=2**32, reserve_bytes=0, learner=2)
    uid = load_settings().first_uid
    return RunnerConfig(folder=folder / "runner", capacity=capacity, spares=1, first_uid=uid, runtimes=(USUAL, *others))


@asynccontextmanager
async def running(folder: Path, *others: RuntimeSpec) -> AsyncIterator[Supervisor]:
    supervisor = Supervisor(config_of(folder, *others))
    supervisor.start()
    try:
        yield supervisor
    finally:
        await supervisor.close()


@pytest.fixture
def gate(folder: Path) -> Path:
    """Make the FIFO that a gated toy runtime reads before it becomes warm."""
    os.mkfifo(folder / "gate")
    return folder / "gate"


def gated(gate: Path) -> RuntimeSpec:
    return msgspec.structs.replace(TOY, environment={"TOY_VERSION": "7", "TOY_GATE": str(gate)})


def order_of(text: str, runtime: RuntimeName, learner: str = "") -> RunOrder:
    return RunOrder(program=Program(source=Source(text=text)), runtime=runtime, learner=learner)


async def events_of(supervisor: Supervisor, run: RunTask) -> AsyncIterator[RunEvent]:
    async for frame in EventStream(supervisor.follow(run)).frames():
        yield await decode_frame(frame)


async def run(supervisor: Supervisor, text: str, runtime: RuntimeName) -> list[RunEvent]:
    async with asyncio.timeout(PATIENCE_SECONDS):
        return [event async for event in events_of(supervisor, supervisor.accept(order_of(text, runtime)))]


def states(supervisor: Supervisor) -> dict[str, str]:
    return {one.name: one.state for one in supervisor.status().runtimes}


def test_an_order_runs_in_the_runtime_that_it_names_which_starts_when_it_is_first_asked_for(folder: Path) -> None:
    async def scenario() -> None:
        async with running(folder, TOY, ABSENT) as supervisor:
            assert states(supervisor) == {"torch": "starting", "jax": "idle", "tensorflow": "absent"}
            usual = (await run(supervisor, "print('here')", "torch"))[-1]
            assert states(supervisor)["jax"] == "idle"
            toy = (await run(supervisor, "print('there')", "jax"))[-1]
            assert states(supervisor) == {"torch": "ready", "jax": "ready", "tensorflow": "absent"}
            assert isinstance(usual, RunResult)
            assert isinstance(toy, RunResult)
            assert (usual.runtime, usual.versions, usual.stdout) == ("torch", {}, "here\n")
            assert (toy.runtime, toy.versions["toy"], toy.stdout) == ("jax", "7", "there\n")
            assert 'gradroom_runs_total{outcome="finished",runtime="jax"} 1.0' in supervisor.render_metrics().decode()

    asyncio.run(scenario())


def test_a_runtime_that_is_not_installed_is_refused_with_those_that_are_and_what_installs_it(folder: Path) -> None:
    async def scenario() -> None:
        async with running(folder, TOY, ABSENT) as supervisor:
            with pytest.raises(RuntimeAbsent, match=NOT_INSTALLED) as refused:
                supervisor.accept(order_of("1", "tensorflow"))
            assert (refused.value.absence.installed, refused.value.absence.extra) == (["torch", "jax"], "tensorflow")
            assert supervisor.status().active == 0

    asyncio.run(scenario())


def test_the_client_is_told_so_too(folder: Path) -> None:
    async def scenario() -> None:
        app = create_runner(config_of(folder, TOY, ABSENT))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://runner") as client:
            answer = await client.post("/runs", content=msgspec.json.encode(order_of("1", "tensorflow")))
        assert answer.status_code == 404
        absence = msgspec.json.decode(answer.content, type=RuntimeAbsence)
        assert absence == RuntimeAbsence("tensorflow", ["torch", "jax"], "tensorflow")
        await app.state.supervisor.close()

    asyncio.run(scenario())


def test_while_a_runtime_starts_its_runs_wait_others_go_on_and_no_deadline_has_begun(folder: Path, gate: Path) -> None:
    async def scenario() -> None:
        async with running(folder, gated(gate)) as supervisor:
            runs = [supervisor.accept(order_of("print(1)", "jax", learner)) for learner in "abc"]  # more than there are places
            events = events_of(supervisor, runs[0])
            heard = [await anext(events)]
            assert heard == [Queued(runs[0].id, 3, starting="jax")]  # of unknown learners at one address the newest goes first
            other = supervisor.accept(order_of("print(2)", "torch", "d"))
            assert isinstance([event async for event in events_of(supervisor, other)][-1], RunResult)
            assert states(supervisor)["jax"] == "starting"
            gate.write_text("go")
            heard += [event async for event in events]
            assert [event for event in heard if isinstance(event, Started)] == [Started(runs[0].id)]
            last = heard[-1]
            assert isinstance(last, RunResult)
            assert last.outcome == Outcome.FINISHED
            assert last.timing.run_ms < last.timing.queued_ms
            for one in runs[1:]:
                assert isinstance([event async for event in events_of(supervisor, one)][-1], RunResult)

    asyncio.run(scenario())


def test_a_run_can_be_stopped_while_its_runtime_starts(folder: Path, gate: Path) -> None:
    async def scenario() -> None:
        async with running(folder, gated(gate)) as supervisor:
            order = supervisor.accept(order_of("print(1)", "jax"))
            events = events_of(supervisor, order)
            assert isinstance(await anext(events), Queued)
            assert supervisor.stop(order.id, "")
            last = [event async for event in events][-1]
            assert isinstance(last, RunResult)
            assert last.outcome == Outcome.STOPPED
            assert supervisor.status().active == 0

    asyncio.run(scenario())


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list with the bytes of memory that the runner finds, which a test changes. Every pool without runs counts as idle."""
    there = [2**40]
    monkeypatch.setattr(pools, "_IDLE_SECONDS", 0.0)
    monkeypatch.setattr("app.runner.supervisor.available_bytes", lambda: there[0])
    return there


def test_an_idle_pool_is_closed_while_less_memory_is_there_than_runs_may_be_promised_and_starts_again(
    folder: Path, memory: list[int]
) -> None:
    async def scenario() -> None:
        async with running(folder, TOY) as supervisor:
            await run(supervisor, "1", "torch")
            await run(supervisor, "1", "jax")
            await supervisor.close_unneeded_pools()
            assert states(supervisor) == {"torch": "ready", "jax": "ready"}
            memory[0] = 2**31
            await supervisor.close_unneeded_pools()
            assert states(supervisor) == {"torch": "ready", "jax": "idle"}
            last = (await run(supervisor, "print('again')", "jax"))[-1]
            assert isinstance(last, RunResult)
            assert last.stdout == "again\n"

    asyncio.run(scenario())


def test_a_pool_that_has_runs_is_not_closed(folder: Path, memory: list[int], gate: Path) -> None:
    async def scenario() -> None:
        async with running(folder, gated(gate)) as supervisor:
            waiting = supervisor.accept(order_of("print(1)", "jax"))
            events = events_of(supervisor, waiting)
            await anext(events)
            memory[0] = 0
            await supervisor.close_unneeded_pools()
            gate.write_text("go")
            assert isinstance([event async for event in events][-1], RunResult)

    asyncio.run(scenario())


def test_a_pool_that_cannot_start_says_why_and_is_closed_when_nobody_waits_for_it(folder: Path) -> None:
    broken = msgspec.structs.replace(TOY, maker="tests.bare.toy_runtime:NoSuchRuntime")

    async def scenario() -> None:
        async with running(folder, broken) as supervisor:
            waiting = supervisor.accept(order_of("1", "jax"))
            events = events_of(supervisor, waiting)
            await anext(events)
            async with asyncio.timeout(PATIENCE_SECONDS):
                while states(supervisor)["jax"] != "failed":
                    await asyncio.sleep(0.01)
            assert "NoSuchRuntime" in str(supervisor.status().runtimes[1].reason)
            await supervisor.close_unneeded_pools()
            assert states(supervisor)["jax"] == "failed"
            waiting.stop()
            assert isinstance([event async for event in events][-1], RunResult)
            await supervisor.close_unneeded_pools()
            assert states(supervisor)["jax"] == "idle"

    asyncio.run(scenario())


def test_runs_are_promised_less_while_another_pool_is_there(folder: Path, memory: list[int]) -> None:
    async def scenario() -> None:
        async with running(folder, TOY) as supervisor:
            before = supervisor._queue.unpromised_bytes
            await run(supervisor, "1", "jax")
            assert supervisor._queue.unpromised_bytes < before
            memory[0] = 0
            await supervisor.close_unneeded_pools()
            assert supervisor._queue.unpromised_bytes == before

    asyncio.run(scenario())


def test_what_fails_in_the_background_is_logged_and_done_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        again = asyncio.Event()
        looks = iter((lambda: os.open(folder / "none", 0), again.set))

        def look() -> int:
            next(looks, int)()
            return 2**40

        monkeypatch.setattr("app.runner.supervisor.available_bytes", look)
        for pause in ("_MEMORY_LOOK_SECONDS", "_RETRY_SECONDS"):
            monkeypatch.setattr(f"app.runner.supervisor.{pause}", 0.01)
        with capture_logs() as logs:
            async with running(folder), asyncio.timeout(PATIENCE_SECONDS):
                await again.wait()
        assert [log["work"] for log in logs if log["event"] == "background_failed"] == ["_keep_memory"]

    asyncio.run(scenario())


def test_no_two_children_share_a_slot_whichever_their_runtimes(folder: Path) -> None:
    async def scenario() -> None:
        async with running(folder, TOY) as supervisor:
            owners = [(supervisor._pools.get(name), spec) for name, spec in (("torch", USUAL), ("jax", TOY)) for _ in range(2)]  # type: ignore[arg-type]
            children = [(pool, await pool.take(budget_of(supervisor._config.limits, spec))) for pool, spec in owners]
            assert len({child.slot for _, child in children}) == 4
            for pool, child in children:
                pool.give_back(child)

    asyncio.run(scenario())


def test_a_background_run_does_not_wait_for_a_runtime_that_starts(folder: Path, gate: Path) -> None:
    async def scenario() -> None:
        async with running(folder, gated(gate)) as supervisor:
            with pytest.raises(RunGaveWay):
                supervisor.accept(msgspec.structs.replace(order_of("print(1)", "jax"), background=True))
            assert (supervisor.status().active, supervisor.status().queued) == (0, 0)
            assert 'gradroom_run_refusals_total{reason="gave_way"} 1.0' in supervisor.render_metrics().decode()

    asyncio.run(scenario())
