"""One status of a whole cluster, made of those of its nodes."""

from collections.abc import Sequence

import msgspec

from app.protocol.sandbox import NodeStatus, RunnerStatus, RuntimeState, RuntimeStatus, SandboxReport
from app.runner.cluster.nodes import Node

BEST_FIRST: tuple[RuntimeState, ...] = ("ready", "starting", "idle", "failed", "absent")


def describe_node(node: Node, status: RunnerStatus | None) -> NodeStatus:
    """Return what operators see of a node. `status` is None if it did not answer."""
    load = node.load
    report = status.sandbox if status else None
    return NodeStatus(
        name=node.name,
        accepts=node.problem is None,
        reason=node.problem,
        build=load.build if load else "",
        places=load.places if load else 0,
        runs=load.runs if load else 0,
        waiting=load.waiting if load else 0,
        spares=load.spares if load else 0,
        versions=status.versions if status else {},
        degraded=report.degraded if report else [],
    )


def join_statuses(nodes: Sequence[NodeStatus], statuses: Sequence[RunnerStatus | None]) -> RunnerStatus:
    """Return the status of the cluster. It is ready if a node accepts runs. Its sandbox is the weakest of the nodes that accept runs.

    `nodes` and `statuses` are in the same order.
    """
    answers = [(node, status) for node, status in zip(nodes, statuses, strict=True) if status]
    serving = [status for node, status in answers if node.accepts]
    first = serving[0] if serving else None
    return RunnerStatus(
        ready=bool(serving),
        reason=None if serving else "; ".join(f"{node.name}: {node.reason}" for node in nodes) or "the cluster has no nodes",
        sandbox=join_reports([(node.name, status.sandbox) for node, status in answers if node.accepts and status.sandbox]),
        zygotes=sum(status.zygotes for status in serving),
        spares=sum(status.spares for status in serving),
        active=sum(status.active for _, status in answers),
        queued=sum(status.queued for _, status in answers),
        versions=first.versions if first else {},
        libraries=first.libraries if first else {},
        runtimes=join_runtimes(serving),
        nodes=list(nodes),
    )


def join_reports(reports: Sequence[tuple[str, SandboxReport]]) -> SandboxReport | None:
    """Return the report of the weakest node, with what is degraded on all of them, each named."""
    if not reports:
        return None
    weakest = min(reports, key=lambda one: (one[1].safe, -len(one[1].degraded)))[1]
    return msgspec.structs.replace(weakest, degraded=[f"{name}: {line}" for name, report in reports for line in report.degraded])


def join_runtimes(statuses: Sequence[RunnerStatus]) -> list[RuntimeStatus]:
    """Return for each runtime the status of the node on which its state is best."""
    best: dict[str, RuntimeStatus] = {}
    for runtime in (runtime for status in statuses for runtime in status.runtimes):
        known = best.get(runtime.name)
        if known is None or BEST_FIRST.index(runtime.state) < BEST_FIRST.index(known.state):
            best[runtime.name] = runtime
    return list(best.values())
