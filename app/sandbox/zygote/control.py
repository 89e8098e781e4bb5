"""The messages between the runner and a zygote, over one SOCK_SEQPACKET socketpair: a packet is a message.

`Fork` carries descriptors (SCM_RIGHTS): the child's end of its run channel, the write ends of its stdout and stderr, and the
entrances of the control groups it is to enter, if there are any.
"""

import msgspec

from app.runtimes.specs import RuntimeSpec
from app.sandbox.confinement.rlimits import Budget, Present
from app.sandbox.zygote.host import Host

PACKET_BYTES = 64 * 1024
FORK_DESCRIPTORS = 16  # at most


class Begin(msgspec.Struct, tag_field="message", tag="begin"):
    """`folder`: a private folder of this zygote's, for its mount point or its children's scratch. `uid`: one that runs would get.

    `confined` is false where the operator has switched the sandbox off. `early`: be warm soon, for the most common lessons alone.
    """

    runtime: RuntimeSpec
    folder: str
    uid: int
    confined: bool
    early: bool = False


class Fork(msgspec.Struct, tag_field="message", tag="fork"):
    """Fork a child for `slot`; `uid` is used where the host lets the zygote change it."""

    slot: int
    uid: int
    budget: Budget


class Kill(msgspec.Struct, tag_field="message", tag="kill"):
    """Kill a child that never became ready; ready ones are killed by the runner itself, by pidfd."""

    slot: int


class Measure(msgspec.Struct, tag_field="message", tag="measure"):
    """Is the scratch of the child in `slot` within these bounds? Asked only where it is not a tmpfs of its own."""

    slot: int
    scratch_bytes: int
    scratch_inodes: int


class Warm(msgspec.Struct, tag_field="message", tag="warm"):
    """The zygote can fork. `versions`: of its framework and of Python. `present`: the sizes that a child starts with."""

    host: Host
    versions: dict[str, str]
    present: Present


class Exited(msgspec.Struct, tag_field="message", tag="exited"):
    """A child is gone and so is its scratch. `status`: its exit code, or minus the signal's number."""

    slot: int
    status: int
    cpu_seconds: float


class Measured(msgspec.Struct, tag_field="message", tag="measured"):
    """The answer to `Measure`; none is sent when the child has ended. None: the scratch could not be measured."""

    slot: int
    within: bool | None


class Broken(msgspec.Struct, tag_field="message", tag="broken"):
    """The zygote cannot serve; it ends after saying why."""

    reason: str


Down = Begin | Fork | Kill | Measure
Up = Warm | Exited | Measured | Broken
