"""What a node of several tells web once a second, and is told in return. docs/decisions/0054 says how web chooses a node by it."""

from typing import Annotated

import msgspec

from app.protocol.owner import Owner
from app.protocol.run import RuntimeName

BUILD_HEADER = "x-gradroom-build"  # of an order: the build of the web process that sends it
NODE_NAME = r"[a-z0-9]{1,16}"
RUN_ID_SEPARATOR = "-"


class ClusterView(msgspec.Struct, kw_only=True):
    """How many nodes web distributes runs among. Each of them takes this part of what an address may have waiting."""

    nodes: Annotated[int, msgspec.Meta(ge=1, le=10_000)]


class NodeLoad(msgspec.Struct, kw_only=True):
    """What a runner has to do. `build`: see app.runner.build. `accepts`: whether it takes new runs; if not, `reason` says why.

    `runs`: those that wait, are executed or are paused; `waiting`: those that wait. `spares`: children of the usual runtime that wait for a
    run. `owners`: whose runs they are. `warm`: the runtimes that are ready or starting. `installed`: the runtimes that it has.
    """

    build: str
    accepts: bool
    reason: str | None = None
    places: int
    spares: int
    runs: int
    waiting: int
    owners: list[Owner] = []
    warm: list[RuntimeName] = []
    installed: list[RuntimeName] = []


def node_of(run_id: str) -> str:
    """Return the name of the node that a run's id names, or "" if it names none."""
    name, separator, _ = run_id.partition(RUN_ID_SEPARATOR)
    return name if separator else ""
