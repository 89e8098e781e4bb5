"""Asks a runner what confines programs on this machine. The runner may be running already, or is started for this."""

import asyncio
import os
from pathlib import Path

from app.protocol.sandbox import RunnerStatus, SandboxAnswer, answer_operator
from app.runner.client import RunnerError
from app.runner.local import started_runner
from app.runner.socket_runner import SocketRunner


def inspect_sandbox() -> SandboxAnswer:
    """Start a runner, and return its answer once it can run programs or knows why it cannot."""
    os.environ.setdefault("GRADROOM_LOG_LEVEL", "error")  # the runner's answer says everything

    async def ask() -> RunnerStatus:
        async with started_runner(is_settled) as (_, status):
            return status

    return answer_operator(asyncio.run(ask()))


def ask_sandbox(socket: Path) -> SandboxAnswer:
    """Return the answer of the runner that listens on `socket`."""

    async def ask() -> RunnerStatus:
        try:
            async with SocketRunner(socket) as runner:
                return await runner.status()
        except RunnerError as error:
            return RunnerStatus(ready=False, reason=f"{error}: {socket}")

    return answer_operator(asyncio.run(ask()))


def is_settled(status: RunnerStatus) -> bool:
    """Return whether the runner's answer is final: it can run programs, or its sandbox is unsafe."""
    return status.ready or (status.sandbox is not None and not status.sandbox.safe)
