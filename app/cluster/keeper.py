"""Keeps the relay of a node deployed, as a process of the node that `gradroom cluster` supervises.

It ends whenever Ray does not answer, and is then started again: a new cluster, for example after the head was replaced, gets the relay too.
"""

import os
import signal
import sys
import time
from types import FrameType
from typing import NoReturn

from app.cluster.node_plan import NodePlan
from app.cluster.ray_process import SERVING

LOOK_SECONDS = 5.0
CONNECT_SECONDS = 60.0
IDLE_CONNECTION_SECONDS = 5  # web closes its unused connections before


def keep(plan: NodePlan) -> None:
    """Deploy the relay, and look regularly whether it is there, until SIGTERM, which removes it. Raises what Ray raises.

    If no programs are run here, only Serve itself is started.
    """
    import ray
    from ray import serve

    from app.cluster.application import relay

    signal.signal(signal.SIGTERM, leave)
    connect(ray, plan.head)
    http = {"host": plan.host, "port": plan.port, "keep_alive_timeout_s": IDLE_CONNECTION_SECONDS}
    serve.start(proxy_location="EveryNode", http_options=http)
    try:
        while True:
            if plan.runs and plan.name not in serve.status().applications:
                args = {"node": plan.name, "socket": str(plan.socket), "token_file": str(plan.keys.run_token)}
                serve.run(relay(args), name=plan.name, route_prefix=f"/nodes/{plan.name}")
            time.sleep(LOOK_SECONDS)
            serve.status()
    except SystemExit:
        if plan.runs:
            serve.delete(plan.name, _blocking=False)
        raise


def connect(ray: "object", head: str) -> None:
    """Connect to the cluster as soon as it is there. Raises ConnectionError."""
    deadline = time.monotonic() + CONNECT_SECONDS
    while True:
        try:
            ray.init(address=head, namespace="gradroom", log_to_driver=False, logging_level="error")  # type: ignore[attr-defined]
            return
        except ConnectionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(1)


def leave(number: int, frame: FrameType | None) -> NoReturn:
    sys.exit(0)


if __name__ == "__main__":
    plan = NodePlan.decode(sys.argv[1])
    os.environ.update({**plan.keys.environment(), **SERVING})  # before Ray is imported, which reads them then
    keep(plan)
