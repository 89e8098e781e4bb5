"""What protects this host: the layers of the sandbox, the live checks of it, and whether runs are accepted."""

from typing import Literal

import msgspec

from app.protocol.run import RuntimeName

WITHOUT_SANDBOX = "none"  # the setting of a runner that was told on its command line to confine nothing

RuntimeState = Literal["ready", "starting", "failed", "idle", "absent"]


class Layer(msgspec.Struct, kw_only=True):
    """One layer of isolation. If it is not active, `detail` says why, and `stands_in` names what protects instead."""

    name: str
    active: bool
    detail: str
    stands_in: str | None = None


class Check(msgspec.Struct, kw_only=True):
    """One thing that a confined child tried. The check passed if the kernel refused it."""

    name: str
    passed: bool
    detail: str = ""


class SandboxReport(msgspec.Struct, kw_only=True):
    """What protects a host. `setting`: root, user, container or none.

    `safe` is false if a required layer is missing, or an attack was not refused.
    """

    setting: str
    safe: bool
    layers: list[Layer] = []
    checks: list[Check] = []
    degraded: list[str] = []  # what is weaker than it could be, in plain words


class RuntimeStatus(msgspec.Struct, kw_only=True):
    """The status of one runtime. Its state is "idle" if nobody has asked for it yet, and "absent" if it is not installed.

    `reason`: why it failed, or what installs it. `versions`, `sandbox`: set once it was ready.
    """

    name: RuntimeName
    installed: bool
    state: RuntimeState
    reason: str | None = None
    versions: dict[str, str] = {}
    sandbox: SandboxReport | None = None


class NodeStatus(msgspec.Struct, kw_only=True):
    """One of several machines that run programs. `accepts`: whether it gets runs; if not, `reason` says why.

    `places`: how many runs it executes at once. `runs`: those that it has, `waiting` ones included. `spares`: children that wait for a run.
    `degraded`: what is weaker there than it could be.
    """

    name: str
    accepts: bool
    reason: str | None = None
    build: str = ""
    places: int = 0
    runs: int = 0
    waiting: int = 0
    spares: int = 0
    versions: dict[str, str] = {}
    degraded: list[str] = []


class RunnerStatus(msgspec.Struct, kw_only=True):
    """The status of a runner. `reason`: why runs are refused, if `ready` is false. `sandbox` and `versions` are the default runtime's.

    `libraries`: the versions of the other libraries that programs can import, by the names under which they are imported.
    `nodes`: set if this is the status of several runners.
    """

    ready: bool
    reason: str | None = None
    sandbox: SandboxReport | None = None
    zygotes: int = 0
    spares: int = 0
    active: int = 0
    queued: int = 0
    versions: dict[str, str] = {}
    libraries: dict[str, str] = {}
    runtimes: list[RuntimeStatus] = []
    nodes: list[NodeStatus] = []


class SandboxAnswer(SandboxReport, kw_only=True):
    """What operators are told, by the API and by `gradroom sandbox check`: the report, and whether programs are run.

    The report is that of the default runtime. `runtimes` has the report of each runtime.
    """

    ready: bool
    reason: str | None = None
    runtimes: list[RuntimeStatus] = []


def answer_operator(status: RunnerStatus) -> SandboxAnswer:
    """Return what a runner's status says of its sandbox. Its `setting` is "unknown" while there is no report."""
    report = status.sandbox or SandboxReport(setting="unknown", safe=False)
    return SandboxAnswer(ready=status.ready, reason=status.reason, runtimes=status.runtimes, **msgspec.structs.asdict(report))
