"""Upgrades a cluster while learners run, save and submit: `python -m tests.cluster.upgrade [--pause SECONDS]`, as root.

Needs the extra `ray` and PostgreSQL. Machines are namespaces of this one. Two nodes and web are of the old build. Two nodes of a new build
join, then a web process of the new build, behind a balancer. An old node leaves while the old web process still sends orders; the old web
process ends, and the last old node leaves. The new build is a copy of the project with a line more. Prints JSON: how long each step took,
how runs ended and where, and whether what learners were told is true.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from app.protocol.load import NodeLoad
from app.settings import PROJECT
from tests.bench.figures import say
from tests.bench.server import ANY_RATE, serve
from tests.cluster.balancer import Balancer, balancer
from tests.cluster.class_at_work import FINISHED, Followed, work_during
from tests.cluster.machines import network_of_machines, requirements_missing
from tests.cluster.redis_server import redis_server
from tests.cluster.service import GRADROOM, START_SECONDS, Cluster
from tests.load.kill_learners import Told, now
from tests.load.kill_truth import find_untrue
from tests.load.kills import start_postgres
from tests.patience import wait_for

OLD_NODES, NEW_NODES = ("o1", "o2"), ("u1", "u2")
LEAVE_SECONDS = 120.0
WITH_TREE = ("unshare", "--mount", "sh", "-c", 'mount --bind "$1/app" "$2/app" && shift 2 && exec "$@"', "sh")
CAPS = "429 queue_full"


class Upgrade:
    """The steps, each with the pause before it, in which both builds are at work. `seconds`: how long each took."""

    def __init__(self, cluster: Cluster, front: Balancer, settings: dict[str, str], tree: Path, pause: float) -> None:
        self._cluster, self._front, self._settings, self._tree, self._pause = cluster, front, settings, tree, pause
        self._old, self._new = ExitStack(), ExitStack()
        self.seconds: dict[str, float] = {}
        self.builds: dict[str, str] = {}

    def begin(self) -> None:
        """Start web of the old build."""
        self._front.admit("old", self._old.enter_context(serve(self._settings | self._cluster.web_settings)))

    async def run(self) -> None:
        steps: dict[str, Callable[[], None]] = {
            "nodes of the new build join": partial(self._join, *NEW_NODES),
            "web of the new build joins": self._start_web,
            "an old node leaves": partial(self._leave, OLD_NODES[0]),
            "web of the old build ends": self._end_web,
            "the other old node leaves": partial(self._leave, OLD_NODES[1]),
        }
        for name, step in steps.items():
            await asyncio.sleep(self._pause)
            began = now()
            await asyncio.to_thread(step)
            self.seconds[name] = round(now() - began, 1)
            say(f"{name}: {self.seconds[name]} s, load {os.getloadavg()[0]:.1f}")
        await asyncio.sleep(self._pause)

    def end(self) -> None:
        self._old.close()
        self._new.close()

    def _join(self, *names: str) -> None:
        for name in names:
            self._cluster.add(name, self._tree)
        wait_for(lambda: asyncio.run(self._cluster.is_whole()), self._cluster.describe, START_SECONDS)
        self.builds = {name: load.build for name, load in self._loads().items()}

    def _start_web(self) -> None:
        copied = serve(self._settings | self._cluster.web_settings, (*WITH_TREE, str(self._tree), str(PROJECT)))
        self._front.admit("new", self._new.enter_context(copied))

    def _end_web(self) -> None:
        self._front.drain("old")
        self._old.close()

    def _leave(self, name: str) -> None:
        machine = self._cluster.nodes[name]
        left = machine.run(*GRADROOM, "cluster", "leave")
        if left.returncode:
            raise RuntimeError(left.stderr)
        machine.wait_until_off(LEAVE_SECONDS)
        self._cluster.nodes.pop(name).remove()

    def _loads(self) -> dict[str, NodeLoad]:
        return asyncio.run(self._cluster.loads(self._cluster.head))


def upgrade_and_look(seed: int, pause: float) -> dict[str, Any]:
    """Return the report."""
    told, followed = Told(), Followed(lambda _: False)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gradroom-cluster-")))
        folder.chmod(0o711)
        tree = copy_tree(folder / "new")
        network = stack.enter_context(network_of_machines())
        cluster = Cluster(network, folder, stack.enter_context(redis_server(network.host, folder / "redis")))
        stack.callback(cluster.remove)
        cluster.start(*OLD_NODES)
        url = start_postgres(stack).make_database()
        settings = ANY_RATE | {"GRADROOM_DATABASE_URL": url, "GRADROOM_LOG_LEVEL": "error", "GRADROOM_COOKIE_SECRET": 64 * "0"}
        front = stack.enter_context(balancer(folder, ("old", "new")))
        upgrade = Upgrade(cluster, front, settings, tree, pause)
        stack.callback(upgrade.end)
        upgrade.begin()
        say("the old build serves")
        asyncio.run(work_during(front.server, told, followed, seed, upgrade.run()))
        untrue = find_untrue(url, told)
    refused = Counter({end: number for end, number in followed.ends.items() if end not in (FINISHED, CAPS)})
    refused.update({why: number for why, number in told.asked_again.items() if why != CAPS})
    return {
        "seed": seed,
        "load": [round(load, 1) for load in os.getloadavg()],
        "builds": upgrade.builds,
        "seconds": upgrade.seconds,
        "receipts": len(told.receipts),
        "drafts_saved": sum(map(len, told.saved.values())),
        "asked_again": dict(told.asked_again),
        "different_receipts_for_one_key": told.different_receipts,
        "runs": dict(followed.ends),
        "runs_by_node": dict(followed.nodes),
        "refused_or_lost": dict(refused),
        "untold": followed.untold,
        "untrue": untrue,
    }


def copy_tree(folder: Path) -> Path:
    """Return a copy of the project's code that has another build."""
    shutil.copytree(PROJECT / "app", folder / "app", ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "app" / "runner" / "build.py").open("a") as file:
        file.write("\n# The next build.\n")
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--pause", type=float, default=15.0, help="seconds before each step")
    given = parser.parse_args()
    if missing := requirements_missing():
        raise SystemExit(missing)
    report = upgrade_and_look(given.seed, given.pause)
    print(json.dumps(report, indent=2))
    sys.exit(1 if any(report[name] for name in ("refused_or_lost", "different_receipts_for_one_key", "untold", "untrue")) else 0)


if __name__ == "__main__":
    main()
