"""What the runner says of itself: its status, for operators, and its load, for web processes that distribute runs among several runners."""

import msgspec

from app.protocol.load import NodeLoad
from app.protocol.sandbox import RunnerStatus
from app.runner.build import hash_build
from app.runner.queue.run_queue import RunQueue
from app.runner.zygotes.pools import Pools
from app.runtimes.libraries import find_libraries

NOT_READY = "no child is ready"


def describe_status(pools: Pools, queue: RunQueue, shortage: str | None) -> RunnerStatus:
    """`shortage`: if there is too little memory, a sentence that says so."""
    pool = pools.usual
    ready, report = pool.ready, pool.rotation.report
    if report and shortage:
        report = msgspec.structs.replace(report, degraded=[*report.degraded, shortage])
    return RunnerStatus(
        ready=ready,
        reason=None if ready else pool.failure or NOT_READY,
        sandbox=report,
        zygotes=len(pool.rotation.warm),
        spares=pool.spares,
        active=queue.active,
        queued=len(queue),
        versions=pool.versions,
        libraries=find_libraries(),
        runtimes=pools.status(),
    )


def describe_load(pools: Pools, queue: RunQueue, places: int, *, draining: bool) -> NodeLoad:
    pool = pools.usual
    states = pools.status()
    return NodeLoad(
        build=hash_build(),
        accepts=pool.ready and not draining,
        reason="it drains" if draining else None if pool.ready else pool.failure or NOT_READY,
        places=places,
        spares=pool.spares,
        runs=queue.active + queue.paused + len(queue),
        waiting=len(queue),
        owners=queue.owners,
        warm=[one.name for one in states if one.state in ("ready", "starting")],
        installed=[one.name for one in states if one.installed],
    )
