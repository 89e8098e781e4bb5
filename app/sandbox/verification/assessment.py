"""Decides which layers protect this host, and whether they suffice, from what the host grants. Runs in the runner."""

from app.protocol.sandbox import Layer, SandboxReport
from app.sandbox.cgroups.cgroup import Grant
from app.sandbox.confinement.seccomp import ARCHITECTURES
from app.sandbox.zygote.host import LANDLOCK_ABI_FOR_FILES, LANDLOCK_ABI_FOR_SCOPES, SWITCHED_OFF, Host

_RLIMITS = "address space, private memory, processor time, file size, open files, tasks, no core files"
_HOW_TO_GET_GROUPS = (
    "To get control groups, start the server as root, or as a systemd unit with Delegate=yes; in a container, mount its own cgroup tree "
    "writable"
)
_CLOSED = "a uid that can write nowhere but in its scratch folder"
_HOW_TO_GET_LANDLOCK = (
    "Use Linux 6.2 or newer with landlock in its list of security modules (/sys/kernel/security/lsm, the boot parameter lsm=), "
    "and in a container Docker 20.10.18 or newer"
)
_HOW_TO_KEEP_APART = "Start the runner as root, or in a container with the capabilities SETUID and SETGID, or use Linux 6.12 or newer"


def assess(host: Host, grant: Grant) -> SandboxReport:
    """Return the report of a host and its control groups. The sandbox is safe if at least one layer meets each requirement."""
    if not host.confined:
        return _nothing(host)
    return SandboxReport(
        setting=host.setting,
        safe=not shortcomings(host),
        layers=_list_layers(host, grant),
        degraded=weaknesses(host, grant),
    )


def _nothing(host: Host) -> SandboxReport:
    """Return the report of a runner whose sandbox is switched off."""
    off = [Layer(name=name, active=False, detail=SWITCHED_OFF) for name in ("seccomp", "landlock", "namespaces", "own uid")]
    return SandboxReport(setting=host.setting, safe=False, layers=[*off, _rlimits()])


def shortcomings(host: Host) -> list[str]:
    """Return the requirements that are not met, as texts for an operator. If there are none, runs may be accepted."""
    files_by_landlock = host.landlock_abi >= LANDLOCK_ABI_FOR_FILES
    signals_by_landlock = host.landlock_abi >= LANDLOCK_ABI_FOR_SCOPES
    found = []
    if host.machine not in ARCHITECTURES:
        known = ", ".join(sorted(ARCHITECTURES))
        found.append(f"the seccomp filter is not tested on {host.machine}, only on {known}: use a machine of one of these types")
    if not (files_by_landlock or host.namespaces or host.closed):
        found.append(
            f"files are not confined: Landlock ABI {LANDLOCK_ABI_FOR_FILES} is needed, this kernel has {host.landlock_abi} "
            f"{host.landlock_detail}; nor are mount namespaces granted: {host.namespaces_detail}; "
            f"nor is this a container in which a run can write nowhere: {host.closed_detail or 'not looked for'}. {_HOW_TO_GET_LANDLOCK}"
        )
    if not (host.own_uid or host.namespaces or signals_by_landlock):
        found.append(
            f"runs are not kept apart: no uid of their own ({host.own_uid_detail}), no pid namespace ({host.namespaces_detail}), "
            f"no Landlock scopes (ABI {LANDLOCK_ABI_FOR_SCOPES}, here {host.landlock_abi}). {_HOW_TO_KEEP_APART}"
        )
    if host.root and not host.own_uid:
        found.append(
            f"the runner is root and may not change a run's uid ({host.own_uid_detail}): "
            "give it the capabilities SETUID and SETGID, or start it as another user"
        )
    return found


def weaknesses(host: Host, grant: Grant) -> list[str]:
    """Return the layers that protect less here than on other hosts, as texts for an operator."""
    found = []
    if "memory" not in grant.controllers:
        found.append(
            "no control group counts a run's memory: what it may map is limited instead, and it can also fill copies of what its "
            f"zygote holds ({grant.missing.get('memory', 'not looked for')}). {_HOW_TO_GET_GROUPS}"
        )
    if not host.namespaces:
        found.append("a run's files taken together are measured while it runs, because no file system of its own bounds them")
    if host.closed and host.landlock_abi == 0:
        found.append(
            "a run can read what everybody in this container may read: keep every secret out of it, as compose.yaml does. "
            f"{_HOW_TO_GET_LANDLOCK}"
        )
    if not host.own_uid:
        found.append("a run's threads count together with everything that the server's user runs, so their limit is loose")
    return found


def _list_layers(host: Host, grant: Grant) -> list[Layer]:
    files = _CLOSED if host.closed else "Landlock"
    return [
        Layer(name="seccomp", active=True, detail=f"allow-list for {host.machine}; no fork, exec or sockets"),
        _layer(
            "landlock",
            host.landlock_abi > 0,
            f"ABI {host.landlock_abi}, kernel {host.kernel}",
            host.landlock_detail,
            "the minimal root" if host.namespaces else _CLOSED if host.closed else None,
        ),
        _layer(
            "namespaces",
            host.namespaces,
            "own pid and mount namespaces in a minimal root; net, ipc and uts separate from the host's",
            host.namespaces_detail,
            f"seccomp (no sockets), {files} (files)",
        ),
        _layer(
            "own uid",
            host.own_uid,
            "one for each run",
            host.own_uid_detail,
            "pid namespace" if host.namespaces else "Landlock scopes",
        ),
        _rlimits(),
        _cgroup(grant),
    ]


def _layer(name: str, active: bool, what_it_does: str, why_absent: str, stand_in: str | None) -> Layer:
    return Layer(name=name, active=active, detail=what_it_does if active else why_absent, stands_in=None if active else stand_in)


def _rlimits() -> Layer:
    return Layer(name="rlimits", active=True, detail=_RLIMITS)


def _cgroup(grant: Grant) -> Layer:
    absent = "; ".join(f"{name}: {why}" for name, why in sorted(grant.missing.items()))
    if not grant.controllers:
        return Layer(
            name="cgroup", active=False, detail=absent or "not looked for", stands_in="rlimits, and the score that ends runs first"
        )
    detail = f"{', '.join(sorted(grant.controllers))} of one group for each run" + (f"; not {absent}" if absent else "")
    return Layer(name="cgroup", active=True, detail=detail, stands_in="rlimits" if absent else None)
