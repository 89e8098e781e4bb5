"""A runner that lives as long as a `with` block, for the author's tools and the tests."""

import asyncio
import contextlib
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from app.runner.client import RunnerUnavailable
from app.runner.socket_runner import SocketRunner

_START_SECONDS = 60.0
_END_SECONDS = 5.0
_POLL_SECONDS = 0.05


@contextlib.asynccontextmanager
async def local_runner() -> AsyncIterator[SocketRunner]:
    """Start `gradroom runner` as a child process on a private socket and wait until it can run code.

    Raises RunnerUnavailable with the runner's own reason.
    """
    with tempfile.TemporaryDirectory(prefix="gradroom-") as folder:
        socket = Path(folder, "runner.sock")
        process = await asyncio.create_subprocess_exec(sys.executable, "-m", "app.cli", "runner", "--socket", str(socket))
        try:
            async with SocketRunner(socket) as runner:
                await _wait_until_ready(runner, process)
                yield runner
        finally:
            await _end(process)


async def _wait_until_ready(runner: SocketRunner, process: asyncio.subprocess.Process) -> None:
    reason = "it did not answer"
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_START_SECONDS):
            while process.returncode is None:
                with contextlib.suppress(RunnerUnavailable):
                    status = await runner.status()
                    if status.ready:
                        return
                    reason = status.reason or reason
                await asyncio.sleep(_POLL_SECONDS)
    raise RunnerUnavailable(f"the runner is not ready: {reason}")


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
