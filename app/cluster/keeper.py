"""Keeps the relay of a node deployed, as a process of the node that `gradroom cluster` supervises.

It ends whenever Ray does not answer, and is then started again: a new cluster, for example after the head was replaced, gets the relay too.
"""

import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import NoReturn

import msgspec

from app.cluster.key_folder import KeyFolder
from app.cluster.ray_process import SERVING

LOOK_SECONDS = 5.0
CONNECT_SECONDS = 60.0
IDLE_CONNECTION_SECONDS = 5  # web closes its unused connections before


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What to keep deployed. `node`: None if no programs are run here, so that only Serve itself is started.

    `keys`, `own`: the folders of the cluster's secrets and of the node. `head`: where Ray's head listens. `host`, `port`: where the entries
    listen.
    """

    keys: str
    own: str
    head: str
    host: str
    port: int
    node: str | None
    socket: str

    @property
    def folder(self) -> KeyFolder:
        return KeyFolder(Path(self.keys), Path(self.own))


def keep(kept: Kept) -> None:
    """Deploy the relay, and look regularly whether it is there, until SIGTERM, which removes it. Raises what Ray raises."""
    import ray
    from ray import serve

    from app.cluster.application import relay

    signal.signal(signal.SIGTERM, leave)
    connect(ray, kept.head)
    http = {"host": kept.host, "port": kept.port, "keep_alive_timeout_s": IDLE_CONNECTION_SECONDS}
    serve.start(proxy_location="EveryNode", http_options=http)
    try:
        while True:
            if kept.node and kept.node not in serve.status().applications:
                args = {"node": kept.node, "socket": kept.socket, "token_file": str(kept.folder.run_token)}
                serve.run(relay(args), name=kept.node, route_prefix=f"/nodes/{kept.node}")
            time.sleep(LOOK_SECONDS)
            serve.status()
    except SystemExit:
        if kept.node:
            serve.delete(kept.node, _blocking=False)
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
    wanted = msgspec.json.decode(sys.argv[1], type=Kept)
    os.environ.update({**wanted.folder.environment(), **SERVING})  # before Ray is imported, which reads them then
    keep(wanted)
