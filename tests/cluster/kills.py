"""Kills parts of a cluster while learners run, save and submit: `python -m tests.cluster.kills [--kills N] [--roles ROLE,…]`, as root.

Needs the extra `ray`, PostgreSQL, and Redis unless --without-redis. Machines are namespaces of this one: the head, and two nodes with two
places each; outside of them are two web processes, PostgreSQL and Redis. SIGKILL is sent to a node's runner, to a whole node, Serve's
controller, the whole head, a web process, and all of PostgreSQL, one every 15 seconds, or later if not everything works again. What was
killed is started again at once. Prints JSON: when pages, saves and runs worked again for learners, and when every machine's entry led to
every node again, in seconds from the kill; how runs ended; and whether what learners were told is true.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from itertools import count, islice
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.figures import say
from tests.bench.processes import command, descendants
from tests.bench.server import ANY_RATE, Server, serve
from tests.cluster.class_at_work import Followed, work_during
from tests.cluster.machines import Machine, network_of_machines, requirements_missing
from tests.cluster.redis_server import redis_server
from tests.cluster.service import Cluster, seconds_until
from tests.load.kill_learners import Told, now
from tests.load.kill_recovery import Recovery, Visitor
from tests.load.kill_truth import find_untrue
from tests.load.kills import DURABLE, start_postgres
from tests.postgresql import PostgresServer

ROLES = ("a node's runner", "a node", "controller", "head", "web", "postgresql")
EVERY_SECONDS = 15.0
WEB_BACK_SECONDS = 20.0  # a connection that breaks so soon after the kill of a web process was to that process
NODES = ("n1", "n2")


class ClusterKiller:
    """Kills one part after the other, and waits each time until everything works again, at most `patience` seconds."""

    def __init__(
        self, cluster: Cluster, server: Server, postgres: PostgresServer, told: Told, dice: random.Random, patience: float
    ) -> None:
        self._cluster, self._server, self._postgres, self._told, self._dice = cluster, server, postgres, told, dice
        self._patience = patience
        self.recovery = Recovery()
        self.whole: dict[str, list[float]] = {}
        self.killed: Counter[str] = Counter()
        self._web_killed: list[float] = []
        self._thread = ThreadPoolExecutor(1)  # PostgreSQL ends with the thread that has started it, so this one lasts

    async def kill_all(self, roles: Sequence[str]) -> None:
        visitor = Visitor(self._server, self._told, self.recovery)
        await visitor.begin()
        for number, role in enumerate(roles, 1):
            await asyncio.sleep(self._dice.uniform(0, 1))
            began = now()
            await self._kill(role)
            self.killed[role] += 1
            _, whole = await asyncio.gather(
                visitor.look(role, began, lambda: 0.0, {}), seconds_until(self._cluster.is_whole, began, self._patience)
            )
            if whole is None:
                self.recovery.missed.append(f"all nodes after {role}")
            else:
                self.whole.setdefault(role, []).append(whole)
            last = {kind: seconds[-1] for kind, seconds in self.recovery.seconds.get(role, {}).items()}
            say(f"{number} of {len(roles)}: {role}: {last}, whole {whole}, load {os.getloadavg()[0]:.1f}")
            await asyncio.sleep(max(0.0, began + EVERY_SECONDS - now()))

    def explains(self, began: float) -> bool:
        """Return whether a web process was killed after this moment, or so shortly before that its successor was not there."""
        return any(killed > began - WEB_BACK_SECONDS for killed in self._web_killed)

    async def _kill(self, role: str) -> None:
        node = self._dice.choice(list(self._cluster.nodes.values()))
        match role:
            case "a node's runner":
                kill(*node.find("app.cli runner")[:1])
            case "a node":
                self._restart(node)
            case "head":
                self._restart(self._cluster.head)
            case "controller":
                kill(*self._cluster.controllers)
            case "web":
                web = [pid for pid in descendants(self._server.pid) if "app.cli web" in command(pid)]
                self._web_killed.append(now())
                kill(self._dice.choice(web))
            case _:
                await asyncio.get_running_loop().run_in_executor(self._thread, self._restart_postgres)

    def _restart_postgres(self) -> None:
        below = descendants(self._postgres.pid)
        self._postgres.stop(signal.SIGKILL)
        for pid in below:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._postgres.start(**DURABLE)

    def _restart(self, machine: Machine) -> None:
        machine.switch_off()
        self._cluster.switch_on(machine)


def kill(*pids: int) -> None:
    if not pids:
        raise RuntimeError("there is nothing to kill")
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


def draw_roles(kills: int, roles: Sequence[str], dice: random.Random) -> list[str]:
    """Return so many roles, each as often as the others, in a random order."""
    drawn = list(islice((role for _ in count() for role in dice.sample(roles, len(roles))), kills))
    dice.shuffle(drawn)
    return drawn


def kill_and_look(roles: Sequence[str], seed: int, *, redis: bool, patience: float) -> dict[str, Any]:
    """Return the report."""
    told, dice = Told(), random.Random(seed)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gradroom-cluster-")))
        folder.chmod(0o711)
        network = stack.enter_context(network_of_machines())
        address = stack.enter_context(redis_server(network.host, folder / "redis")) if redis else None
        cluster = Cluster(network, folder, address)
        stack.callback(cluster.remove)
        cluster.start(*NODES)
        say("the cluster is whole")
        postgres = start_postgres(stack)
        url = postgres.make_database()
        settings = {"GRADROOM_DATABASE_URL": url, "GRADROOM_WEB_PROCESSES": "2", "GRADROOM_LOG_LEVEL": "error"}
        with serve(ANY_RATE | settings | cluster.web_settings) as server:
            killer = ClusterKiller(cluster, server, postgres, told, dice, patience=patience)
            followed = Followed(killer.explains)
            began = now()
            asyncio.run(work_during(server, told, followed, seed, killer.kill_all(roles)))
            seconds = now() - began
        untrue = find_untrue(url, told)
    return {
        "seed": seed,
        "seconds": round(seconds),
        "load": [round(load, 1) for load in os.getloadavg()],
        "killed": dict(killer.killed),
        "seconds_until_learners_are_served": killer.recovery.report(),
        "seconds_until_whole": {role: {"most": max(found), "median": median(found)} for role, found in killer.whole.items()},
        "never_worked_again": killer.recovery.missed,
        "receipts": len(told.receipts),
        "drafts_saved": sum(map(len, told.saved.values())),
        "asked_again": dict(told.asked_again),
        "different_receipts_for_one_key": told.different_receipts,
        "runs": dict(followed.ends),
        "runs_by_node": dict(followed.nodes),
        "untold": followed.untold,
        "untrue": untrue,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--roles", default=",".join(ROLES))
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--without-redis", action="store_true")
    parser.add_argument("--patience", type=float, default=90.0, help="seconds after a kill until it counts as never whole again")
    given = parser.parse_args()
    if missing := requirements_missing():
        raise SystemExit(missing)
    roles = draw_roles(given.kills, given.roles.split(","), random.Random(given.seed))
    report = kill_and_look(roles, given.seed, redis=not given.without_redis, patience=given.patience)
    print(json.dumps(report, indent=2))
    wrong = report["untrue"] or report["untold"] or report["different_receipts_for_one_key"] or report["never_worked_again"]
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
