"""Runs programs in a real runner with the real sandbox. The tests of the sandbox, the runner and the lessons share it."""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from app.protocol.event import RunEvent
from app.protocol.grading import GradeOrder, Rubric, Verdict
from app.protocol.limits import Limits
from app.protocol.records.registry import decode_records
from app.protocol.run import DEFAULT_RUNTIME, Program, RunOrder, RunResult, RuntimeName, Source
from app.protocol.sandbox import RunnerStatus
from app.runner.client import RunnerUnavailable
from app.runner.socket_runner import SocketRunner

START_SECONDS = 110.0  # less than a test may take, because the runner's reason says more than a timeout
MOST_PAUSE_SECONDS = 0.3  # between two status requests, which cost the runner as much as a short run
RUNNER = ("app.cli", "runner")
BARE_RUNNER = ("tests.bare.gradroom", "runner")  # without a framework, whose import takes some seconds


class Programs:
    """A runner behind a socket, for synchronous tests."""

    def __init__(self, socket: Path, process: "subprocess.Popen[bytes]") -> None:
        self.socket = socket
        self.process = process

    def run(self, text: str, limits: Limits | None = None, program: Program | None = None, runtime: RuntimeName = DEFAULT_RUNTIME) -> Any:
        """Return the result of one program. Fails the test if the fault was the runner's."""
        last = self.events(text, limits, program, runtime)[-1]
        assert isinstance(last, RunResult), last
        return typed(last)

    def events(
        self, text: str, limits: Limits | None = None, program: Program | None = None, runtime: RuntimeName = DEFAULT_RUNTIME
    ) -> list[RunEvent]:
        """Return all events of one program."""
        return asyncio.run(self.collect(order_of(text, limits, program, runtime)))

    async def collect(self, order: RunOrder) -> list[RunEvent]:
        async with SocketRunner(self.socket) as runner, runner.run(order) as stream:
            return [event async for event in stream]

    def grade(self, text: str, exercise: Rubric, limits: Limits | None = None) -> Verdict:
        """Return the verdict on one submission. Fails the test if the fault was the runner's."""
        last = asyncio.run(self.collect_grade(GradeOrder(run=order_of(text, limits), exercise=exercise)))[-1]
        assert isinstance(last, Verdict), last
        return last

    async def collect_grade(self, order: GradeOrder) -> list[RunEvent]:
        """Return all events of one submission."""
        async with SocketRunner(self.socket) as runner, runner.grade(order) as stream:
            return [event async for event in stream]

    def status(self) -> RunnerStatus:
        async def ask() -> RunnerStatus:
            async with SocketRunner(self.socket) as runner:
                return await runner.status()

        return asyncio.run(ask())

    def wait_until_refused(self) -> RunnerStatus:
        """Wait until the runner has found that it must not run anything. Return its status."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            with suppress(RunnerUnavailable):
                status = self.status()
                assert not status.ready, "it runs programs"
                if status.sandbox:
                    return status
            time.sleep(0.05)
        raise AssertionError("the runner never said what it found")

    def wait_until_ready(self) -> None:
        """Wait for a warm zygote with a spare child."""
        end = time.monotonic() + START_SECONDS
        reason: str | None = "no answer"
        pause = 0.02
        while time.monotonic() < end and self.process.poll() is None:
            with suppress(RunnerUnavailable):
                status = self.status()
                if status.ready:
                    return
                reason = status.reason
            time.sleep(pause := min(1.5 * pause, MOST_PAUSE_SECONDS))
        raise AssertionError(f"the runner is not ready: {reason}")


def typed(result: RunResult) -> Any:
    """Return the result with its records decoded."""
    return msgspec.structs.replace(result, records=decode_records(result.records))


def order_of(text: str, limits: Limits | None = None, program: Program | None = None, runtime: RuntimeName = DEFAULT_RUNTIME) -> RunOrder:
    return RunOrder(program=program or Program(source=Source(text=text)), runtime=runtime, limits=limits or Limits())


@contextmanager
def running_programs(
    command: list[str] | None = None, options: tuple[str, ...] = (), runner: tuple[str, ...] = RUNNER
) -> Iterator[Programs]:
    """Start a runner for as long as the block lasts, and wait until it runs programs."""
    with starting_programs(command, options, runner) as programs:
        programs.wait_until_ready()
        yield programs


@contextmanager
def starting_programs(
    command: list[str] | None = None, options: tuple[str, ...] = (), runner: tuple[str, ...] = RUNNER
) -> Iterator[Programs]:
    """Start a runner for as long as the block lasts. `command`: what to put before it, such as a change of user."""
    with tempfile.TemporaryDirectory(prefix="gradroom-") as folder:
        Path(folder).chmod(0o777)
        socket = Path(folder, "runner.sock")
        arguments = [*(command or []), sys.executable, "-m", *runner, "--socket", str(socket), *options]
        process = subprocess.Popen(arguments)
        programs = Programs(socket, process)
        try:
            yield programs
        finally:
            process.terminate()
            process.wait(10)
