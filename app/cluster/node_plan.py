"""What a node is. `gradroom cluster` makes the plan, and passes it to the process that keeps the relay deployed."""

import json
from pathlib import Path
from typing import Self

import msgspec

from app.cluster.key_folder import KeyFolder

OBJECT_STORE_BYTES = 100_000_000  # nothing is stored in it


class NodePlan(msgspec.Struct, frozen=True, kw_only=True):
    """What a node is. `head`: host and port of Ray's head. `is_head`: whether this is it. `runs`: whether programs are run here.

    `host`, `port`: where the entries listen. `redis`: for the head, the address of the Redis that has Ray's state, if there is one.
    `secrets_folder`, `own_folder`: the folders of the cluster's secrets and of the node. All paths are absolute.
    """

    name: str
    address: str
    head: str
    is_head: bool
    runs: bool
    host: str
    port: int
    redis: str | None
    secrets_folder: Path
    own_folder: Path
    socket: Path

    @classmethod
    def decode(cls, text: str) -> Self:
        return msgspec.json.decode(text, type=cls, dec_hook=lambda kind, value: kind(value))

    def encode(self) -> str:
        return msgspec.json.encode(self, enc_hook=str).decode()

    @property
    def keys(self) -> KeyFolder:
        return KeyFolder(self.secrets_folder, self.own_folder)

    @property
    def ray_options(self) -> list[str]:
        place = ["--head", "--port", self.head.rpartition(":")[2]] if self.is_head else ["--address", self.head]
        password = self.keys.redis_password.read_text().strip() if self.keys.redis_password.exists() else ""
        resources = {f"gradroom-{self.name}": 1} if self.runs else {}
        return [
            *place,
            "--node-ip-address", self.address,
            "--num-cpus", "1",
            "--object-store-memory", str(OBJECT_STORE_BYTES),
            "--resources", json.dumps(resources),
            "--include-log-monitor", "false",  # nobody reads logs through Ray, and nothing is scaled
            *(["--include-dashboard", "false", "--no-monitor"] if self.is_head else []),
            *(["--redis-password", password] if self.redis and password else []),
            "--disable-usage-stats",
        ]  # fmt: skip
