"""Runs that are paused for others: on one place, with the real sandbox."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import msgspec
import pytest

from app.protocol.event import Failed, RunEvent, Stdout
from app.protocol.limits import Limits
from app.protocol.outcome import Outcome
from app.protocol.run import RunOrder, RunResult
from app.runner.client import RunGaveWay, RunStream
from app.runner.socket_runner import SocketRunner
from tests.patience import PATIENCE_SECONDS
from tests.programs import BARE_RUNNER, Programs, order_of, running_programs
from tests.runner.chaos.anatomy import generations, kill

ONE_PLACE = ["env", "GRADROOM_CONCURRENCY=1", "GRADROOM_QUANTUM_SECONDS=0.05"]
ENDLESS = "print('on')\nwhile True: pass"
BUSY = "import time\nend = time.process_time() + 0.5\nwhile time.process_time() < end: pass\nprint('done')"


@pytest.fixture(scope="module")
def one_place() -> Iterator[Programs]:
    with running_programs(ONE_PLACE, runner=BARE_RUNNER) as running:
        yield running


def ordered(learner: str, source: str, deadline_seconds: float = 30.0) -> RunOrder:
    return msgspec.structs.replace(order_of(source, Limits(deadline_seconds=deadline_seconds)), learner=learner)


class Following:
    """A run whose events a test reads in parts. Leaving a loop over them would abandon the run."""

    def __init__(self, stream: RunStream) -> None:
        self.id = stream.run_id
        self._events = aiter(stream)

    async def until_printed(self) -> None:
        while not isinstance(await anext(self._events), Stdout):
            pass

    async def last(self) -> RunEvent:
        return [event async for event in self._events][-1]

    async def result(self) -> RunResult:
        last = await self.last()
        assert isinstance(last, RunResult)
        return last


@asynccontextmanager
async def endless_programs(programs: Programs, count: int = 2) -> AsyncIterator[tuple[SocketRunner, list[Following]]]:
    """Run the programs of `count` learners, which never end and take turns at the only place."""
    async with SocketRunner(programs.socket) as runner, contextlib.AsyncExitStack() as stack:
        streams = [await stack.enter_async_context(runner.run(ordered(f"endless-{number}", ENDLESS))) for number in range(count)]
        endless = [Following(stream) for stream in streams]
        for following in endless:
            await following.until_printed()
        yield runner, endless


async def wait_for_gauge(runner: SocketRunner, name: str, value: int) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not re.search(rf"^{name} {value}\.0$", await runner.metrics(), re.MULTILINE):
            await asyncio.sleep(0.02)


def run_beside_endless(programs: Programs, source: str, count: int = 2, deadline_seconds: float = 30.0) -> RunResult:
    """Return the result of another learner's program, which runs beside the endless ones."""

    async def scenario() -> RunResult:
        async with (
            endless_programs(programs, count) as (runner, _),
            runner.run(ordered("cyd", source, deadline_seconds)) as stream,
        ):
            return await Following(stream).result()

    return asyncio.run(scenario())


def test_a_short_run_does_not_wait_for_an_endless_one(one_place: Programs) -> None:
    assert run_beside_endless(one_place, "print('short')").stdout == "short\n"


def test_a_paused_run_loses_nothing_of_its_deadline(one_place: Programs) -> None:
    """The run computes for half a second beside four that never end, so that more time passes than its deadline."""
    result = run_beside_endless(one_place, BUSY, count=4, deadline_seconds=2.0)
    assert (result.outcome, result.stdout) == (Outcome.FINISHED, "done\n")
    assert result.timing.total_ms > 2000  # else this shows nothing
    assert result.timing.queued_ms + result.timing.run_ms == pytest.approx(result.timing.total_ms, abs=1)


def test_a_run_that_was_paused_meets_its_deadline_and_its_line_is_named(one_place: Programs) -> None:
    result = run_beside_endless(one_place, "x = 1\nwhile True:\n    x += 1", deadline_seconds=0.5)
    assert result.outcome == Outcome.TIMED_OUT
    assert result.error is not None
    assert result.error.line in (2, 3)


def test_a_paused_run_can_be_stopped(one_place: Programs) -> None:
    async def scenario() -> list[Outcome]:
        async with endless_programs(one_place) as (runner, endless):
            await wait_for_gauge(runner, "gradroom_runs_paused", 1)
            for number, following in enumerate(endless):  # whichever is paused
                assert await runner.stop(following.id, f"endless-{number}")
            return [(await following.result()).outcome for following in endless]

    assert asyncio.run(scenario()) == [Outcome.STOPPED] * 2


def test_a_paused_run_that_is_abandoned_leaves_nothing(one_place: Programs) -> None:
    async def scenario() -> None:
        async with endless_programs(one_place) as (runner, _):
            await wait_for_gauge(runner, "gradroom_runs_paused", 1)
        async with SocketRunner(one_place.socket) as runner:
            for gauge in ("gradroom_runs_paused", "gradroom_runs_active"):
                await wait_for_gauge(runner, gauge, 0)

    asyncio.run(scenario())


def test_runs_whose_zygote_dies_end_paused_or_not() -> None:
    async def scenario(programs: Programs) -> list[RunEvent]:
        async with endless_programs(programs) as (runner, endless):
            await wait_for_gauge(runner, "gradroom_runs_paused", 1)
            kill(generations(programs.process.pid)[0].zygote)
            return [await following.last() for following in endless]

    with running_programs(ONE_PLACE, runner=BARE_RUNNER) as programs:
        assert [type(event) for event in asyncio.run(scenario(programs))] == [Failed, Failed]
        assert programs.run("print('back')").stdout == "back\n"


def test_a_long_run_on_trial_ends_for_newcomers_who_wait_for_its_memory() -> None:
    async def scenario(programs: Programs) -> tuple[RunResult, Failed]:
        async with endless_programs(programs) as (runner, endless), runner.run(ordered("cyd", "print('short')")) as stream:
            result = await Following(stream).result()
            last = await endless[1].last()  # the first was there before it, and is no trial
            assert isinstance(last, Failed)
            await runner.stop(endless[0].id, "endless-0")
            assert (await endless[0].result()).outcome is Outcome.STOPPED
            return result, last

    with running_programs([*ONE_PLACE, "GRADROOM_BEGUN_RUNS=1"], runner=BARE_RUNNER) as running:
        result, last = asyncio.run(scenario(running))
    assert result.stdout == "short\n"
    assert (last.code, last.message) == ("queue_full", "memory")


def in_background(learner: str, source: str) -> RunOrder:
    return msgspec.structs.replace(ordered(learner, source), background=True)


def test_a_background_run_ends_with_a_result_of_its_own_count(one_place: Programs) -> None:
    async def scenario() -> tuple[RunResult, str, str]:
        async with SocketRunner(one_place.socket) as runner:
            await wait_for_gauge(runner, "gradroom_runs_active", 0)
            before = await runner.metrics()
            async with runner.run(in_background("ann", "print('again')")) as stream:
                return await Following(stream).result(), before, await runner.metrics()

    result, before, after = asyncio.run(scenario())
    assert (result.outcome, result.stdout) == (Outcome.FINISHED, "again\n")
    assert read(after, "gradroom_background_runs_total") == read(before, "gradroom_background_runs_total") + 1
    assert read(after, "gradroom_runs_total") == read(before, "gradroom_runs_total")


def read(metrics: str, name: str) -> float:
    """Return the sum of a counter over all its labels."""
    return sum(float(line.split()[-1]) for line in metrics.splitlines() if re.match(rf"{name}[ {{]", line))


@pytest.mark.parametrize("learner", ["ann", "bob"])
def test_a_background_run_ends_for_anybodys_run_and_says_so(one_place: Programs, learner: str) -> None:
    async def scenario() -> tuple[RunEvent, RunResult, str]:
        async with SocketRunner(one_place.socket) as runner:
            await wait_for_gauge(runner, "gradroom_runs_active", 0)
            async with runner.run(in_background("ann", ENDLESS)) as background:
                following = Following(background)
                await following.until_printed()
                async with runner.run(ordered(learner, "print('first')")) as stream:
                    result = await Following(stream).result()
                return await following.last(), result, await runner.metrics()

    last, result, metrics = asyncio.run(scenario())
    assert isinstance(last, Failed)
    assert last.code == "gave_way"
    assert result.stdout == "first\n"
    assert 'gradroom_run_refusals_total{reason="gave_way"}' in metrics


def test_a_background_run_is_refused_while_another_run_has_the_place(one_place: Programs) -> None:
    async def scenario() -> None:
        async with SocketRunner(one_place.socket) as runner, runner.run(ordered("bob", ENDLESS)) as stream:
            await Following(stream).until_printed()
            with pytest.raises(RunGaveWay):
                async with runner.run(in_background("ann", "print('again')")):
                    pass

    asyncio.run(scenario())
