"""If the runner, a zygote or a child dies before a program has begun, the learner loses nothing."""

import asyncio
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.protocol.event import RunEvent
from app.protocol.outcome import Outcome
from tests.bench.processes import descendants
from tests.patience import wait_for
from tests.programs import BARE_RUNNER, Programs, running_programs, starting_programs
from tests.runner.chaos.anatomy import generations, gone, kill, layout_processes
from tests.runner.chaos.victim import Victim, as_variables, outcome_of, running_victim

pytestmark = pytest.mark.timeout(300)  # several warm-ups each, on a busy machine
BUSY = "print('on', flush=True)\nwhile True: pass"


@pytest.fixture
def scratch() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="gradroom-chaos-") as folder:
        os.chmod(folder, 0o711)
        yield folder


@pytest.mark.parametrize("process", ["keeper", "zygote"])
def test_a_zygote_that_dies_while_it_starts_is_started_again(scratch: str, process: str) -> None:
    with starting_programs(storing_in(scratch), runner=BARE_RUNNER) as programs:
        pid = programs.process.pid
        wait_for(lambda: any(getattr(one, process) != one.keeper or process == "keeper" for one in generations(pid)))
        kill(getattr(generations(pid)[0], process))
        programs.wait_until_ready()
        assert programs.run("print('on')").stdout == "on\n"


def test_a_layout_process_that_dies_while_it_starts_is_started_again(scratch: str) -> None:
    with starting_programs(storing_in(scratch), runner=BARE_RUNNER) as programs:
        wait_for(lambda: layout_processes(programs.process.pid))
        kill(layout_processes(programs.process.pid)[0])
        programs.wait_until_ready()
        assert programs.run("show_graph()").outcome == Outcome.FINISHED


@pytest.mark.parametrize("phase", ["starting", "warming", "idle", "executing"])
def test_a_killed_runner_leaves_no_process_and_the_next_one_no_file(scratch: str, phase: str) -> None:
    with starting_programs(storing_in(scratch), runner=BARE_RUNNER) as programs:
        pid = programs.process.pid
        wait_for(lambda: descendants(pid) if phase == "starting" else generations(pid))
        if phase in ("idle", "executing"):
            programs.wait_until_ready()
        below = descendants(pid) if phase != "executing" else kill_while_it_runs(programs)
        kill(pid)
        wait_for(lambda: gone(below))
    with running_programs(storing_in(scratch), runner=BARE_RUNNER) as after:
        assert after.run("print('on')").stdout == "on\n"
        assert len(os.listdir(scratch)) == 1
    assert os.listdir(scratch) == []


def kill_while_it_runs(programs: Programs) -> list[int]:
    """Kill the runner in the middle of a run, and return the processes that were below it."""
    below: list[int] = []

    async def scenario() -> None:
        def strike(_: RunEvent) -> None:
            below.extend(descendants(programs.process.pid))
            kill(programs.process.pid)

        victim = Victim(programs, Path())
        with pytest.raises(Exception, match="runner"):
            await victim.ask(BUSY, strike)

    asyncio.run(scenario())
    return below


@pytest.mark.parametrize("deaths", [1, 2])
def test_a_child_that_dies_before_its_program_began_is_not_the_programs_fault(deaths: int) -> None:
    """A stopped child gets the program and dies before it could read it."""
    with running_victim(spares=1, concurrency=1) as victim:
        before = victim.settle(1)

        async def scenario() -> list[RunEvent]:
            (spare,) = victim.zygote.children
            os.kill(spare, signal.SIGSTOP)
            run = asyncio.create_task(victim.ask("print('on')"))
            await victim.until_active()
            kill(spare)
            return await run

        for _ in range(deaths):
            assert outcome_of(asyncio.run(scenario())) == Outcome.FINISHED
            victim.holds_as_much_as(before)


def storing_in(scratch: str) -> list[str]:
    """Return what stands before a runner's command, so that it stores its files in `scratch`."""
    return ["env", *as_variables({"scratch_folder": scratch, "log_level": "error"})]
