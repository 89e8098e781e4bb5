"""The frames of the run channel, the one duplex socketpair between the runner and a sandbox child.

A frame is a 4-byte big-endian length and a msgpack body. A child sends `Ready` when it is confined, and then answers one request after
another: `Touch` with `Touched`; `Execute` with `Begun`, any number of `Shown`, and one `Over`. The learner's output does not travel here
but through descriptors 1 and 2, so that C-level output keeps its place; a `Shown` says where in stdout it was, in bytes.

Grading takes two children. One executed the learner's program and continues to answer requests; the other is sent an `Examine` and
answers with any number of `Checked` and one `Judged`. Their questions to each other go through the runner as `Ask` and `Answer`, in both
directions (app.protocol.calls).
"""

from typing import Annotated, Literal

import msgspec

from app.protocol.grading import CheckResult, Examination, Verdict
from app.protocol.outcome import Outcome
from app.protocol.records.record import Count
from app.protocol.run import Program, RunError

HEADER_BYTES = 4


class Touch(msgspec.Struct, tag_field="frame", tag="touch"):
    """Run the warm-up once, so that its copy-on-write faults happen before a learner waits."""


class Execute(msgspec.Struct, tag_field="frame", tag="execute"):
    """Execute a program. `serving`: after `Over`, answer questions about what it defined, until the channel is closed."""

    program: Program
    serving: bool = False


class Examine(msgspec.Struct, tag_field="frame", tag="examine"):
    """Grade a submission. The child that is sent this never executes a learner's source."""

    examination: Examination


class Ask(msgspec.Struct, tag_field="frame", tag="ask"):
    """A question to the other child. At most one is open in each direction.

    `request`: the msgpack of an app.protocol.calls.Request. `serial`: counts questions from 1. `fresh`: the runner first executes the
    program in a new child, which is asked from then on.
    """

    serial: Count
    request: bytes
    fresh: bool = False


class Answer(msgspec.Struct, tag_field="frame", tag="answer"):
    """The answer to a question. `reply`: the msgpack of an app.protocol.calls.Reply; None if the child has ended, and `gone` says how."""

    serial: Count
    reply: bytes | None
    gone: Outcome | None = None


class Ready(msgspec.Struct, tag_field="frame", tag="ready"):
    """The child is confined. `probes`: the forbidden things that it tried itself, and whether each was refused."""

    probes: Annotated[dict[str, bool], msgspec.Meta(max_length=32)]


class Touched(msgspec.Struct, tag_field="frame", tag="touched"):
    pass


class Begun(msgspec.Struct, tag_field="frame", tag="begun"):
    """The program has arrived and is executed next. A child that ends before this has executed no line of it."""


class Shown(msgspec.Struct, tag_field="frame", tag="shown"):
    """A record. `record`: its JSON (app.protocol.records). `stdout_bytes`: how much had been printed to stdout before it."""

    record: bytes
    stdout_bytes: Count = 0


class Over(msgspec.Struct, tag_field="frame", tag="over"):
    """The program has ended by itself. `ending`: "finished", or the kind of uncaught exception, which `error` then describes."""

    ending: Literal["finished", "raised", "out_of_memory", "forbidden"]
    error: RunError | None = None


class Checked(msgspec.Struct, tag_field="frame", tag="checked"):
    check: CheckResult


class Judged(msgspec.Struct, tag_field="frame", tag="judged"):
    verdict: Verdict


Down = Touch | Execute | Examine | Ask | Answer
Up = Ready | Touched | Begun | Shown | Over | Ask | Answer | Checked | Judged
