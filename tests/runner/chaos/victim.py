"""A runner that tests may harm, with the questions that they ask of it afterwards."""

import asyncio
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from app.protocol.event import Failed, RunEvent
from app.protocol.limits import Limits
from app.protocol.outcome import Outcome
from app.protocol.run import RunResult
from app.runner.socket_runner import SocketRunner
from tests.patience import PATIENCE_SECONDS, wait_for
from tests.programs import BARE_RUNNER, Programs, order_of, running_programs
from tests.runner.chaos.anatomy import Generation, Holdings, connections, generations, holdings

LAYOUT_PROCESSES = 3  # for both workers together


class Victim:
    """A real runner with the real sandbox, and a scratch folder of its own."""

    def __init__(self, programs: Programs, scratch: Path) -> None:
        self.programs = programs
        self.scratch = scratch

    @property
    def pid(self) -> int:
        return self.programs.process.pid

    @property
    def zygotes(self) -> list[Generation]:
        """The generations from the oldest to the youngest."""
        return generations(self.pid)

    @property
    def zygote(self) -> Generation:
        """The generation that serves, if there is only one."""
        (only,) = self.zygotes
        return only

    @property
    def holdings(self) -> Holdings:
        """The runner's resources, without the connections of earlier questions."""
        wait_for(lambda: not connections(self.programs.socket))
        return holdings(self.pid, self.scratch)

    def settle(self, spares: int) -> Holdings:
        """Return its resources when all its spares and layout processes wait, and the processes that clean up after a start have ended."""
        self.programs.wait_until_ready()
        settled = Counter(zygotes=1, children=spares, layouts=LAYOUT_PROCESSES, others=0)
        seen = [self.holdings]

        def is_settled() -> bool:
            """Return whether two successive looks are equal, because a process that ends or begins is only in one of them."""
            seen.append(self.holdings)
            return seen[-1] == seen[-2] and seen[-1].processes == settled and self.programs.status().spares == spares

        wait_for(is_settled, lambda: str(seen[-1]))
        return seen[-1]

    def holds_as_much_as(self, before: Holdings) -> None:
        """Wait until the runner has the same resources as before."""
        self.programs.wait_until_ready()
        wait_for(lambda: self.holdings == before, lambda: f"{self.holdings} is not {before}")

    def still_works(self) -> None:
        assert self.programs.run("print('next')").stdout == "next\n"

    def metric(self, name: str) -> float:
        """Return one of its metrics; for metrics of runtimes, that of torch."""

        async def read() -> str:
            async with SocketRunner(self.programs.socket) as runner:
                return await runner.metrics()

        with ThreadPoolExecutor(1) as thread:  # callable inside a running loop too
            text = thread.submit(asyncio.run, read()).result()
        begins = (f"{name} ", f'{name}{{runtime="torch"}} ')
        return float(next(line for line in text.splitlines() if line.startswith(begins)).split()[1])

    async def ask(self, source: str, on_event: Callable[[RunEvent], None] | None = None, limits: Limits | None = None) -> list[RunEvent]:
        """Return all events of a run. Each is passed to `on_event` as it arrives."""
        events = []
        async with SocketRunner(self.programs.socket) as runner, runner.run(order_of(source, limits)) as stream:
            async for event in stream:
                events.append(event)
                if on_event:
                    on_event(event)
        return events

    async def stop(self, run_id: str) -> None:
        async with SocketRunner(self.programs.socket) as runner:
            assert await runner.stop(run_id)

    async def until_active(self) -> None:
        """Wait until a run is active."""
        async with SocketRunner(self.programs.socket) as runner, asyncio.timeout(PATIENCE_SECONDS):
            while not (await runner.status()).active:
                await asyncio.sleep(0.01)


@contextmanager
def running_victim(**settings: object) -> Iterator[Victim]:
    """Yield a runner without a framework, with these settings, whose names are without their prefix."""
    with tempfile.TemporaryDirectory(prefix="gradroom-chaos-") as folder:
        os.chmod(folder, 0o711)
        environment = {"scratch_folder": folder, "log_level": "error"} | settings
        with running_programs(["env", *as_variables(environment)], runner=BARE_RUNNER) as programs:
            yield Victim(programs, Path(folder))


def as_variables(settings: Mapping[str, object]) -> list[str]:
    return [f"GRADROOM_{name.upper()}={value}" for name, value in settings.items()]


def outcome_of(events: list[RunEvent]) -> Outcome | str:
    """Return the outcome, or "ours" if the fault was ours."""
    last = events[-1]
    if isinstance(last, Failed):
        return "ours"
    assert isinstance(last, RunResult), last
    return last.outcome
