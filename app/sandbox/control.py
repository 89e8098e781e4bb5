"""The messages between the runner and a zygote, over one SOCK_SEQPACKET socketpair: a packet is a message.

`Fork` carries three descriptors (SCM_RIGHTS): the child's end of its run channel, and the write ends of its stdout and stderr.
"""

import msgspec

from app.sandbox.host import Host
from app.sandbox.rlimits import Budget

PACKET_BYTES = 64 * 1024


class Begin(msgspec.Struct, tag_field="message", tag="begin"):
    """`folder`: a private folder of this zygote's, for its mount point or its children's scratch. `uid`: one that runs would get."""

    runtime: str
    folder: str
    uid: int


class Fork(msgspec.Struct, tag_field="message", tag="fork"):
    """Fork a child for `slot`; `uid` is used where the host lets the zygote change it."""

    slot: int
    uid: int
    budget: Budget


class Kill(msgspec.Struct, tag_field="message", tag="kill"):
    """Kill a child that never became ready; ready ones are killed by the runner itself, by pidfd."""

    slot: int


class Warm(msgspec.Struct, tag_field="message", tag="warm"):
    """The zygote can fork. `versions`: of its framework and of Python."""

    host: Host
    versions: dict[str, str]


class Exited(msgspec.Struct, tag_field="message", tag="exited"):
    """A child is gone and so is its scratch. `status`: its exit code, or minus the signal's number."""

    slot: int
    status: int
    cpu_seconds: float


class Broken(msgspec.Struct, tag_field="message", tag="broken"):
    """The zygote cannot serve; it ends after saying why."""

    reason: str


Down = Begin | Fork | Kill
Up = Warm | Exited | Broken
