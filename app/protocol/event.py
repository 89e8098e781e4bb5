"""The events of a run, in the order they happen. The runner streams them to web, web to the browser."""

import msgspec

from app.protocol.grading import CheckResult, Verdict
from app.protocol.run import RunResult, RuntimeName


class Queued(msgspec.Struct, tag_field="event", tag="queued", omit_defaults=True):
    """`starting`: the runtime that is still warming up; the run's deadline begins later."""

    id: str
    position: int  # from 1; how many runs start before this one, this one included
    starting: RuntimeName | None = None


class Started(msgspec.Struct, tag_field="event", tag="started"):
    id: str


class Stdout(msgspec.Struct, tag_field="event", tag="stdout"):
    text: str


class Stderr(msgspec.Struct, tag_field="event", tag="stderr"):
    text: str


class Recorded(msgspec.Struct, tag_field="event", tag="record"):
    """The JSON of one record, decoded and bounded by the runner and encoded once: whoever passes it on need not know its kind."""

    record: msgspec.Raw


class Ended(msgspec.Struct, tag_field="event", tag="result"):
    result: RunResult


class CheckDone(msgspec.Struct, tag_field="event", tag="check"):
    """One check of a submission is decided. Comes after the `Ended` of its run."""

    check: CheckResult


class Graded(msgspec.Struct, tag_field="event", tag="verdict"):
    """The last event of a submission."""

    verdict: Verdict


class Failed(msgspec.Struct, tag_field="event", tag="error"):
    """The fault is ours. `code`: unavailable (nothing was run), grader (a submission's run came to its end, and its
    verdict cannot be had), queue_full (`message` is then the cap; nothing was run, or with the cap
    `memory` a long run was ended for others), lost, internal."""

    code: str
    message: str


RunEvent = Queued | Started | Stdout | Stderr | Recorded | Ended | CheckDone | Graded | Failed
