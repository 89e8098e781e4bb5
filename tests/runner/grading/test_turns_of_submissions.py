"""A submission beside other runs: both of its children are paused and counted, and nobody is blamed if their zygote dies."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from app.protocol.event import Failed, RunEvent, Stdout
from app.protocol.grading import CheckResult, Verdict
from app.protocol.limits import Limits
from app.protocol.run import RunResult
from app.runner.event_stream import EventStream, decode_frame
from app.runner.queue.capacity import Capacity
from app.runner.socket_runner import SocketRunner
from app.runner.supervisor import RunnerConfig, Supervisor
from app.runner.zygotes import zygote_handle
from app.runtimes.specs import SPECS
from app.settings import load_settings
from tests import programs
from tests.bare.gradroom import BARE_ZYGOTE
from tests.patience import wait_for
from tests.runner.chaos.anatomy import kill, state
from tests.runner.chaos.victim import Victim, running_victim
from tests.runner.grading.submission import ECHO, HEARS, order_of, submit

SPARES = 3
LONG = Limits(deadline_seconds=30)
ENDLESS = "print('on')\nwhile True: pass"
COMPUTES = "def answer(request, link):\n    while True: pass"
TELLS_AND_ASKS = "def examine(link, tell):\n    tell(CheckResult(id='a', passed=True))\n    link.ask(b'')\n"


@pytest.fixture(scope="module")
def one_place() -> Iterator[Victim]:
    with running_victim(concurrency=1, quantum_seconds=0.05, spares=SPARES) as running:
        yield running


def test_both_children_of_a_submission_are_paused_for_another_run(one_place: Victim) -> None:
    before = one_place.settle(SPARES)

    def are_paused() -> bool:
        return [state(pid) for pid in one_place.zygote.children].count("T") == 2  # the other's child alone would be one

    async def scenario() -> None:
        other = msgspec.structs.replace(programs.order_of(ENDLESS, LONG), learner="bob")
        async with (
            SocketRunner(one_place.programs.socket) as runner,
            runner.grade(order_of(COMPUTES, TELLS_AND_ASKS, LONG, "ann")) as stream,
        ):
            async for event in stream:
                if isinstance(event, CheckResult):
                    break
            async with runner.run(other) as running:
                async for event in running:
                    if isinstance(event, Stdout):
                        break
                await asyncio.to_thread(wait_for, are_paused)

    asyncio.run(scenario())
    one_place.holds_as_much_as(before)


def test_a_submission_is_graded_beside_a_run_that_never_ends(one_place: Victim) -> None:
    async def scenario() -> list[RunEvent]:
        other = msgspec.structs.replace(programs.order_of(ENDLESS, LONG), learner="bob")
        async with SocketRunner(one_place.programs.socket) as runner, runner.run(other) as running:
            async for event in running:
                if isinstance(event, Stdout):
                    break
            return await submit(one_place, order_of(ECHO, HEARS.format(times=3), LONG, "ann"))

    last = asyncio.run(scenario())[-1]
    assert isinstance(last, Verdict)
    assert last.passed


@pytest.mark.parametrize("moment", [RunResult, CheckResult])
def test_a_zygote_that_dies_while_a_submission_is_graded_blames_nobody(one_place: Victim, moment: type[RunEvent]) -> None:
    before = one_place.settle(SPARES)

    def strike(event: RunEvent) -> None:
        if isinstance(event, moment):
            kill(one_place.zygote.zygote)

    last = asyncio.run(submit(one_place, order_of(COMPUTES, TELLS_AND_ASKS, LONG), strike))[-1]
    assert isinstance(last, Failed)
    assert last.code == "lost"
    one_place.holds_as_much_as(before)


def test_a_submission_is_promised_the_memory_of_two_runs(tmp_path: Path) -> None:
    async def scenario() -> tuple[int, int]:
        capacity = Capacity(concurrency=2, begun_bytes=2**40, reserve_bytes=0, learner=2)
        supervisor = Supervisor(RunnerConfig(folder=tmp_path, capacity=capacity, spares=0, first_uid=load_settings().first_uid))
        try:
            order = order_of(ECHO, "")
            return supervisor.accept(order.run).ticket.memory_bytes, supervisor.accept_submission(order).ticket.memory_bytes
        finally:
            await supervisor.close()

    one, two = asyncio.run(scenario())
    assert two == 2 * one


def test_where_only_one_run_fits_a_submission_with_fresh_children_is_graded_all_the_same(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zygote_handle, "COMMAND", BARE_ZYGOTE)
    fresh = HEARS.format(times=20).replace("% number)", "% number, fresh=True)")
    assert "fresh=True" in fresh

    async def scenario() -> list[RunEvent]:
        capacity = Capacity(concurrency=1, begun_bytes=1, reserve_bytes=0, learner=1)
        folder = tmp_path_factory.mktemp("runner")
        for one in (folder, *folder.parents[:2]):
            one.chmod(0o711)
        supervisor = Supervisor(
            RunnerConfig(folder=folder, capacity=capacity, spares=0, first_uid=load_settings().first_uid, runtimes=(SPECS["torch"],))
        )
        supervisor.start()
        try:
            stream = EventStream(supervisor.follow(supervisor.accept_submission(order_of(ECHO, fresh))))
            return [await decode_frame(frame) async for frame in stream.frames()]
        finally:
            await supervisor.close()

    last = asyncio.run(scenario())[-1]
    assert isinstance(last, Verdict), last
    assert last.passed
