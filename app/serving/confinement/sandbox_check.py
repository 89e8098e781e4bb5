"""Asks a runner what confines programs on this machine. The runner may be running already, or is started for this."""

import asyncio
import contextlib
import os
import sys
import tempfile
from pathlib import Path

from app.protocol.sandbox import RunnerStatus, SandboxAnswer, answer_operator
from app.runner.client import RunnerError, RunnerUnavailable
from app.runner.socket_runner import SocketRunner
from app.serving.supervised_process import end_in_time, start

START_SECONDS = 60.0
END_SECONDS = 5.0
POLL_SECONDS = 0.1


def inspect_sandbox() -> SandboxAnswer:
    """Start a runner, and return its answer once it can run programs or knows why it cannot."""
    os.environ.setdefault("GRADROOM_LOG_LEVEL", "error")  # the runner's answer says everything
    with tempfile.TemporaryDirectory(prefix="gradroom-") as folder:
        return answer_operator(asyncio.run(ask_runner(Path(folder, "runner.sock"))))


def ask_sandbox(socket: Path) -> SandboxAnswer:
    """Return the answer of the runner that listens on `socket`."""

    async def ask() -> RunnerStatus:
        try:
            async with SocketRunner(socket) as runner:
                return await runner.status()
        except RunnerError as error:
            return RunnerStatus(ready=False, reason=f"{error}: {socket}")

    return answer_operator(asyncio.run(ask()))


async def ask_runner(socket: Path) -> RunnerStatus:
    process = start((sys.executable, "-P", "-m", "app.cli", "runner", "--socket", str(socket)), ())
    status = RunnerStatus(ready=False, reason="the runner does not answer")
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_SECONDS), SocketRunner(socket) as runner:
                while process.poll() is None and not is_settled(status):
                    await asyncio.sleep(POLL_SECONDS)
                    with contextlib.suppress(RunnerUnavailable):
                        status = await runner.status()
    finally:
        await end_in_time(process, END_SECONDS)
    return status


def is_settled(status: RunnerStatus) -> bool:
    """Return whether the runner's answer is final: it can run programs, or its sandbox is unsafe."""
    return status.ready or (status.sandbox is not None and not status.sandbox.safe)
