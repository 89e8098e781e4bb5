"""The messages between the runner and a zygote, each a packet on one SOCK_SEQPACKET socketpair.

With `Fork` the runner sends descriptors (SCM_RIGHTS): the child's end of its run channel, the write ends of its stdout and stderr, and
the entrances of the control groups that the child is to enter, if there are any.
"""

import msgspec

from app.runtimes.specs import RuntimeSpec
from app.sandbox.confinement.rlimits import Budget, Present
from app.sandbox.zygote.host import Host

PACKET_BYTES = 64 * 1024
FORK_DESCRIPTORS = 16  # the most descriptors that come with a Fork


class Begin(msgspec.Struct, tag_field="message", tag="begin"):
    """The first message to a zygote.

    `folder` is private to this zygote: it is for the minimal root, or for the scratch of the zygote's children. `uid` is one of those that
    runs get. `confined` is false if the operator has switched the sandbox off. With `early`, only the most common lessons are warmed up.
    """

    runtime: RuntimeSpec
    folder: str
    uid: int
    confined: bool
    early: bool = False


class Fork(msgspec.Struct, tag_field="message", tag="fork"):
    """Fork a child for `slot`. The child becomes `uid` if the host lets the zygote change uids."""

    slot: int
    uid: int
    budget: Budget


class Kill(msgspec.Struct, tag_field="message", tag="kill"):
    """Kill a child that never became ready. The runner itself kills ready children, by pidfd."""

    slot: int


class Measure(msgspec.Struct, tag_field="message", tag="measure"):
    """Measure whether the scratch of the child in `slot` is within these bounds. Sent only if the scratch is not a tmpfs of its own."""

    slot: int
    scratch_bytes: int
    scratch_inodes: int


class Warm(msgspec.Struct, tag_field="message", tag="warm"):
    """Reports that the zygote can fork. `versions` are those of its framework and of Python.

    `present` is what a child uses before limits are set.
    """

    host: Host
    versions: dict[str, str]
    present: Present


class Exited(msgspec.Struct, tag_field="message", tag="exited"):
    """Reports that a child has ended and its scratch is removed.

    `status` is the exit code, or the signal that ended it as a negative number.
    """

    slot: int
    status: int
    cpu_seconds: float


class Measured(msgspec.Struct, tag_field="message", tag="measured"):
    """The answer to `Measure`: whether the scratch is `within` its bounds, None if it could not be measured.

    It is not sent if the child has ended.
    """

    slot: int
    within: bool | None


class Broken(msgspec.Struct, tag_field="message", tag="broken"):
    """Reports that the zygote cannot serve. The zygote ends after this message."""

    reason: str


Down = Begin | Fork | Kill | Measure
Up = Warm | Exited | Measured | Broken
