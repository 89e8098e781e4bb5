"""What the runner does when a run is stopped or abandoned. (What it does when something dies: the folder chaos.)"""

import asyncio
import contextlib
import os
from collections.abc import Callable, Iterator

import msgspec
import pytest

from app.protocol.event import Failed, RunEvent, Stdout
from app.protocol.limits import MEBIBYTE, Limits
from app.protocol.outcome import Outcome
from app.protocol.run import RunResult
from app.runner.socket_runner import SocketRunner
from tests.bench.processes import memory
from tests.patience import wait_for
from tests.programs import BARE_RUNNER, Programs, order_of, running_programs


@pytest.fixture
def own_programs() -> Iterator[Programs]:
    """A runner that a test may harm."""
    with running_programs(runner=BARE_RUNNER) as running:
        yield running


async def run_and(programs: Programs, source: str, then: Callable[[SocketRunner, str], object]) -> Outcome | None:
    """Start a program, do something once it has printed, and give its outcome."""
    async with SocketRunner(programs.socket) as runner, runner.run(order_of(source)) as stream:
        async for event in stream:
            if isinstance(event, Stdout):
                action = then(runner, stream.run_id)
                if asyncio.iscoroutine(action):
                    await action
            if isinstance(event, RunResult):
                return event.outcome
    return None


ENDLESS = "print('on')\nwhile True: pass"


def test_a_stopped_program_ends_as_stopped(programs: Programs) -> None:
    assert asyncio.run(run_and(programs, ENDLESS, lambda runner, run_id: runner.stop(run_id))) == Outcome.STOPPED


def test_stopping_what_is_over_says_so(programs: Programs) -> None:
    async def stop_late() -> bool:
        async with SocketRunner(programs.socket) as runner:
            async with runner.run(order_of("1")) as stream:
                async for _ in stream:
                    pass
            return await runner.stop(stream.run_id)

    assert asyncio.run(stop_late()) is False


def test_nobody_stops_anothers_run(programs: Programs) -> None:
    async def stop_by(*whose: str) -> bool:
        order = msgspec.structs.replace(order_of(ENDLESS), learner="ada", address="203.0.113.9")
        async with SocketRunner(programs.socket) as runner, runner.run(order) as stream:
            return await runner.stop(stream.run_id, *whose)

    asked = [("ada",), ("bob",), ("203.0.113.9",), ()]
    assert [asyncio.run(stop_by(*whose)) for whose in asked] == [True, False, False, False]


def test_an_abandoned_program_is_killed(programs: Programs) -> None:
    async def abandon() -> None:
        async with SocketRunner(programs.socket) as runner, runner.run(order_of(ENDLESS)) as stream:
            async for event in stream:
                if isinstance(event, Stdout):
                    break

    asyncio.run(abandon())
    wait_for(lambda: programs.status().active == 0)


def test_runs_wait_for_their_turn_and_are_told_where_they_stand(programs: Programs) -> None:
    async def crowd() -> list[list[str]]:
        order = order_of("import time\ntime.sleep(0.3)")
        orders = [msgspec.structs.replace(order, learner=str(number)) for number in range((os.cpu_count() or 1) + 1)]
        return [[type(event).__name__ for event in events] for events in await asyncio.gather(*map(programs.collect, orders))]

    kinds = asyncio.run(crowd())
    assert all(events[-1] == "RunResult" for events in kinds)
    assert sum("Queued" in events for events in kinds) == 1


def test_a_child_is_ended_with_all_its_threads(programs: Programs) -> None:
    source = "import threading\nfor _ in range(5): threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()\nprint('on')"
    asyncio.run(run_and(programs, source, lambda runner, run_id: runner.stop(run_id)))
    assert programs.run("print('next')").stdout == "next\n"


def test_a_reader_who_does_not_read_holds_no_place(programs: Programs) -> None:
    """Results wait in memory and not in the child, so the run still ends at its deadline, and others run."""
    flood = "for _ in range(60): print('x' * 15_000)\nwhile True: pass"

    async def hold() -> list[Outcome]:
        async with SocketRunner(programs.socket) as runner, contextlib.AsyncExitStack() as stack:
            for _ in range(os.cpu_count() or 1):
                await stack.enter_async_context(runner.run(order_of(flood, Limits(deadline_seconds=1))))
            others = [(await programs.collect(order_of("1")))[-1] for _ in range(3)]
        return [other.outcome for other in others if isinstance(other, RunResult)]

    assert asyncio.run(hold()) == [Outcome.FINISHED] * 3
    wait_for(lambda: programs.status().active == 0)


def test_of_what_nobody_reads_only_so_much_is_kept_whoever_has_most_of_it_loses_it_and_memory_comes_back() -> None:
    flood = "import sys\nfor _ in range(950): sys.stdout.write('x' * 1000 + chr(10))"

    async def open_and_leave_unread(programs: Programs, sources: list[str]) -> list[RunEvent]:
        """Start each run without reading its events; once all have ended, return the last event of each."""
        async with SocketRunner(programs.socket) as runner, contextlib.AsyncExitStack() as stack:
            streams = []
            for number, source in enumerate(sources):
                order = msgspec.structs.replace(order_of(source), learner=f"learner-{number}", address=f"address-{number}")
                streams.append(await stack.enter_async_context(runner.run(order)))
                while (await runner.status()).active + (await runner.status()).queued > 1:
                    await asyncio.sleep(0.01)
            while (await runner.status()).active:
                await asyncio.sleep(0.01)
            return [[event async for event in stream][-1] for stream in streams]

    with running_programs(["env", "GRADROOM_RECORDS_BYTES=1048576"], runner=BARE_RUNNER) as programs:
        pid = programs.process.pid
        before = memory(pid)["Rss"]
        modest, *floods = asyncio.run(open_and_leave_unread(programs, ["print('modest')", *[flood] * 80]))
        assert isinstance(modest, RunResult) and modest.stdout == "modest\n"
        failed = [event for event in floods if isinstance(event, Failed)]
        assert 0 < len(failed) < 40
        assert all("nobody read" in event.message for event in failed)
        wait_for(lambda: memory(pid)["Rss"] < before + 16 * MEBIBYTE)


def test_a_runner_that_is_told_to_end_tells_its_readers(own_programs: Programs) -> None:
    outcome = asyncio.run(run_and(own_programs, ENDLESS, lambda runner, run_id: own_programs.process.terminate()))
    assert outcome == Outcome.STOPPED
    assert own_programs.process.wait(20) == 0


def test_where_memory_is_too_little_it_is_said_and_programs_run_all_the_same() -> None:
    settings = ["env", "GRADROOM_MEMORY_BYTES=17179869184", "GRADROOM_BEGUN_RUNS=512"]
    with running_programs(settings, runner=BARE_RUNNER) as programs:
        report = programs.status().sandbox
        assert report is not None
        names = ("GRADROOM_MEMORY_BYTES", "GRADROOM_BEGUN_RUNS")  # which one is short depends on the machine
        assert any(name in weakness for weakness in report.degraded for name in names)
        assert programs.run("print('fine')").stdout == "fine\n"
