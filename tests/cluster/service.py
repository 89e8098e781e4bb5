"""A cluster of machines that are namespaces of this one: its head, and nodes that run programs."""

import asyncio
import json
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import msgspec

from app.cluster.key_folder import COPIED
from app.protocol.load import ClusterView, NodeLoad
from app.runner.client import RunnerError
from app.runner.cluster.entries import Entries
from tests.cluster.machines import Machine, Network
from tests.cluster.redis_server import PASSWORD
from tests.load.kill_learners import now
from tests.patience import wait_for

GRADROOM = (sys.executable, "-P", "-m", "app.cli")
PORT, RAY_PORT = 8000, 6379
START_SECONDS = 300.0
PLACES = 2  # of each node
ASK_SECONDS = 2.0
SETTINGS = {"GRADROOM_CONCURRENCY": str(PLACES), "GRADROOM_SPARES": "2", "GRADROOM_LOG_LEVEL": "warning", "GRADROOM_ZYGOTE_EARLY": "false"}


class Cluster:
    """The head, which runs no programs, and nodes by their names. `redis`: HOST:PORT, or None if Ray's state is in the head's memory."""

    def __init__(self, network: Network, folder: Path, redis: str | None = None) -> None:
        self._network, self._folder, self._redis = network, folder, redis
        self.nodes: dict[str, Machine] = {}
        self.head = self._make("head", None)
        if redis:
            keys = self.head.state / "cluster"
            keys.mkdir(mode=0o700)
            (keys / "redis_password").write_text(PASSWORD)
            (keys / "redis_password").chmod(0o600)

    def start(self, *names: str) -> None:
        """Start the head, and nodes of these names, and wait until all accept runs."""
        self.switch_on(self.head)
        keys = [self.head.state / "cluster" / name for name in COPIED]
        wait_for(lambda: all(key.exists() for key in keys), seconds=START_SECONDS)
        for name in names:
            self.add(name)
        wait_for(lambda: asyncio.run(self.is_whole()), self.describe, START_SECONDS)

    def add(self, name: str, tree: Path | None = None) -> None:
        """Let a new machine join, which has the project's code from `tree`, if given."""
        self.nodes[name] = self._make(name, tree)
        shutil.copytree(self.head.state / "cluster", self.nodes[name].state / "cluster", ignore=shutil.ignore_patterns("redis_password"))
        self.switch_on(self.nodes[name])

    def switch_on(self, machine: Machine) -> None:
        own = ("--name", machine.name, "--address", machine.address, "--port", str(PORT))
        if machine is self.head:
            words = ("start", *own, "--no-runs", "--ray-port", str(RAY_PORT), *(["--redis", self._redis] if self._redis else []))
        else:
            words = ("join", f"{self.head.address}:{RAY_PORT}", *own)
        machine.switch_on((*GRADROOM, "cluster", *words), SETTINGS)

    def remove(self) -> None:
        for machine in self.machines:
            machine.remove()

    @property
    def machines(self) -> list[Machine]:
        return [self.head, *self.nodes.values()]

    @property
    def web_settings(self) -> dict[str, str]:
        entries = ",".join(entry_of(machine) for machine in self.machines)
        return {"GRADROOM_RUNNER": f"ray://{entries}", "GRADROOM_RUNNER_TOKEN": self.token}

    @property
    def token(self) -> str:
        return (self.head.state / "cluster" / "run_token").read_text()

    @property
    def controllers(self) -> list[int]:
        """The processes of Serve's controller: one, or none while it is down."""
        return [pid for machine in self.machines for pid in machine.find("ray::ServeController")]

    async def is_whole(self) -> bool:
        """Return whether each machine's entry leads to each node, each node accepts runs, and Serve has its controller."""
        if not self.controllers:
            return False
        found = await asyncio.gather(*(self._leads_to_all(machine) for machine in self.machines))
        return all(found)

    async def loads(self, machine: Machine) -> dict[str, NodeLoad]:
        """Return the load of each node that a machine's entry leads to."""
        async with entries_of(machine, self.token) as entries:
            names = []
            with suppress(RunnerError):
                names = await entries.find_nodes()
            found = await asyncio.gather(*(self._load(entries, name) for name in names))
        return {name: load for name, load in zip(names, found, strict=True) if load}

    async def _load(self, entries: Entries, name: str) -> NodeLoad | None:
        view = msgspec.json.encode(ClusterView(nodes=max(len(self.nodes), 1)))
        with suppress(RunnerError, TimeoutError, aiohttp.ClientError):
            async with asyncio.timeout(ASK_SECONDS), await entries.ask(name, "POST", "/load", data=view) as response:
                return msgspec.json.decode(await response.read(), type=NodeLoad) if response.status == 200 else None
        return None

    async def _leads_to_all(self, machine: Machine) -> bool:
        loads = await self.loads(machine)
        return {name for name, load in loads.items() if load.accepts} >= self.nodes.keys()

    def describe(self) -> str:
        loads = {machine.name: asyncio.run(self.loads(machine)) for machine in self.machines}
        logs = "\n".join((machine.disk / "log").read_text(errors="replace")[-1500:] for machine in self.machines)
        return f"{json.dumps({name: sorted(found) for name, found in loads.items()})}, controllers {self.controllers}\n{logs}"

    def _make(self, name: str, tree: Path | None) -> Machine:
        return Machine(self._network, name, self._folder / name, tree)


@asynccontextmanager
async def entries_of(machine: Machine, token: str) -> AsyncIterator[Entries]:
    entries = Entries([entry_of(machine)], token)
    try:
        yield entries
    finally:
        await entries.close()


def entry_of(machine: Machine) -> str:
    return f"{machine.address}:{PORT}"


async def seconds_until(condition: Callable[[], Awaitable[bool]], began: float, most: float) -> float | None:
    """Return how many seconds after `began`, of `now`, the condition held for the first time, or None if it did not within `most`."""
    while now() - began < most:
        if await condition():
            return round(now() - began, 2)
        await asyncio.sleep(0.2)
    return None
