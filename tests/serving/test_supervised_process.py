"""Processes that are restarted, with small programs in their place."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.runner.readable import ended
from app.serving.supervised_process import SupervisedProcess

pytestmark = pytest.mark.anyio
# tells its pid through the pipe it inherited, then waits
TELL = "import os, sys, time; os.write(int(sys.argv[1]), b'%d\\n' % os.getpid()); time.sleep(600)"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + TELL


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


class Family:
    """A child whose processes tell their pids."""

    def __init__(self, program: str) -> None:
        read, self.write = os.pipe()
        self.read = os.fdopen(read, "rb", buffering=0)
        self.child = SupervisedProcess("stand-in", (sys.executable, "-c", program, str(self.write)), (self.write,))

    async def pid(self) -> int:
        """The pid of the next process."""
        return int(await asyncio.get_running_loop().run_in_executor(None, self.read.readline))

    def close(self) -> None:
        os.close(self.write)
        self.read.close()


@pytest.fixture
async def family(request: pytest.FixtureRequest) -> AsyncIterator[Family]:
    family = Family(getattr(request, "param", TELL))
    keeping = asyncio.create_task(family.child.keep_alive())
    yield family
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    await family.child.end(0)
    family.close()


async def gone(pid: int) -> bool:
    """Wait until no process has this pid. A process that has ended but was not reaped still has it."""
    while Path(f"/proc/{pid}").exists():
        await asyncio.sleep(0.005)
    return True


async def test_a_killed_process_is_started_again(family: Family) -> None:
    first = await family.pid()
    os.kill(first, signal.SIGKILL)
    second = await family.pid()
    os.kill(second, signal.SIGKILL)
    third = await family.pid()
    assert len({first, second, third}) == 3
    assert await gone(first)


async def test_end_ends_the_process(family: Family) -> None:
    pid = await family.pid()
    await family.child.end(30)
    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize("family", [STUBBORN], indirect=True)
async def test_a_process_that_will_not_end_is_killed(family: Family) -> None:
    pid = await family.pid()
    await family.child.end(0.05)
    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize("family", [STUBBORN], indirect=True)
async def test_a_cancelled_end_kills_at_once(family: Family) -> None:
    pid = await family.pid()
    ending = asyncio.create_task(family.child.end(600))
    await asyncio.sleep(0)
    ending.cancel()
    await asyncio.gather(ending, return_exceptions=True)
    assert not Path(f"/proc/{pid}").exists()


async def test_a_process_has_a_group_of_its_own(family: Family) -> None:
    assert os.getpgid(await family.pid()) != os.getpgrp()


async def test_a_command_that_cannot_be_started_is_tried_again() -> None:
    child = SupervisedProcess("none", ("/does/not/exist",))
    keeping = asyncio.create_task(child.keep_alive())
    await asyncio.sleep(0)
    assert not keeping.done()
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    await child.end(1)


async def test_ended_returns_for_a_process_that_ended_before() -> None:
    import subprocess

    process = subprocess.Popen((sys.executable, "-c", ""))
    await ended(process)
    await ended(process)
    assert process.wait() == 0
