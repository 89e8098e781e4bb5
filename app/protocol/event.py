"""The events of a run, in the order they happen. The runner streams them to web, web to the browser (app.protocol.event_frame)."""

import msgspec

from app.protocol.grading import CheckResult, Verdict
from app.protocol.run import RunResult, RuntimeName


class Queued(msgspec.Struct, omit_defaults=True):
    """The run waits for its place. `starting`: the runtime that is still warming up; the run's deadline begins only after that."""

    id: str
    position: int  # from 1; how many runs start before this one, this one included
    starting: RuntimeName | None = None


class Started(msgspec.Struct):
    id: str


class Stdout(msgspec.Struct):
    text: str


class Stderr(msgspec.Struct):
    text: str


class Failed(msgspec.Struct):
    """The run or its grading failed through a fault of ours, or was refused. `code` says how:

    unavailable: nothing was run. grader: the submission's program has ended, but there is no verdict. queue_full: `message` names the cap
    that was reached; nothing was run, except that for the cap `memory` a long run was ended because others waited for its memory. lost: a
    child of the run was lost. gave_way: another run needed the place of this background run. internal: the runner failed.
    """

    code: str
    message: str


# Raw is the JSON of one record, decoded and bounded by the runner and encoded once: whoever passes it on need not know its kind. A run ends
# with its result, a submission with its verdict: its checks come after the result of its run, each when it is decided.
RunEvent = Queued | Started | Stdout | Stderr | msgspec.Raw | RunResult | CheckResult | Verdict | Failed
