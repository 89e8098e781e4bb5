"""A runner that lives as long as a `with` block, for commands that need one, for the author's tools and the tests."""

import asyncio
import contextlib
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from app.protocol.sandbox import RunnerStatus
from app.runner.client import RunnerUnavailable
from app.runner.socket_runner import SocketRunner

_START_SECONDS = 60.0
_END_SECONDS = 5.0
_POLL_SECONDS = 0.05


@contextlib.asynccontextmanager
async def local_runner() -> AsyncIterator[SocketRunner]:
    """Start a runner and wait until it can run code. Raises RunnerUnavailable with the runner's own reason."""
    async with started_runner(lambda status: status.ready) as (runner, status):
        if not status.ready:
            raise RunnerUnavailable(f"the runner is not ready: {status.reason}")
        yield runner


@contextlib.asynccontextmanager
async def started_runner(is_settled: Callable[[RunnerStatus], bool]) -> AsyncIterator[tuple[SocketRunner, RunnerStatus]]:
    """Start `gradroom runner` as a child process on a private socket. Yield its client, and its status once `is_settled` accepts that.

    If the runner ends or takes too long, the status is the last one.
    """
    with tempfile.TemporaryDirectory(prefix="gradroom-") as folder:
        socket = Path(folder, "runner.sock")
        process = await asyncio.create_subprocess_exec(sys.executable, "-P", "-m", "app.cli", "runner", "--socket", str(socket))
        try:
            async with SocketRunner(socket) as runner:
                yield runner, await _wait_until_settled(runner, process, is_settled)
        finally:
            await _end(process)


async def _wait_until_settled(
    runner: SocketRunner, process: asyncio.subprocess.Process, is_settled: Callable[[RunnerStatus], bool]
) -> RunnerStatus:
    status = RunnerStatus(ready=False, reason="the runner does not answer")
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_START_SECONDS):
            while process.returncode is None and not is_settled(status):
                await asyncio.sleep(_POLL_SECONDS)
                with contextlib.suppress(RunnerUnavailable):
                    status = await runner.status()
    return status


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(_END_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
