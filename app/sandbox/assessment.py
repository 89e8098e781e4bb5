"""From what a host grants to what protects it: the layers, and whether they suffice. Fails closed."""

from app.protocol.sandbox import Layer, SandboxReport
from app.sandbox.host import LANDLOCK_ABI_FOR_FILES, LANDLOCK_ABI_FOR_SCOPES, Host
from app.sandbox.seccomp import ARCHITECTURES


def assess(host: Host) -> SandboxReport:
    """The report of a host. It is safe when each thing that must hold is held by at least one layer."""
    return SandboxReport(
        setting=host.setting,
        safe=not shortcomings(host),
        layers=[_seccomp(host), _landlock(host), _namespaces(host), _own_uid(host), _rlimits(), _cgroup()],
        degraded=weaknesses(host),
    )


def shortcomings(host: Host) -> list[str]:
    """What must hold and does not, in words for an operator; empty when runs may be accepted."""
    files_by_landlock = host.landlock_abi >= LANDLOCK_ABI_FOR_FILES
    signals_by_landlock = host.landlock_abi >= LANDLOCK_ABI_FOR_SCOPES
    found = []
    if host.machine not in ARCHITECTURES:
        known = ", ".join(sorted(ARCHITECTURES))
        found.append(f"the seccomp filter is not verified for {host.machine}, only for {known}")
    if not files_by_landlock and not host.namespaces:
        found.append(
            f"files are not confined: Landlock ABI {LANDLOCK_ABI_FOR_FILES} is needed, this kernel has {host.landlock_abi} "
            f"{host.landlock_detail}; nor are mount namespaces granted: {host.namespaces_detail}"
        )
    if not (host.own_uid or host.namespaces or signals_by_landlock):
        found.append("runs are not kept apart: no uid of their own, no pid namespace, no Landlock scopes (ABI 6)")
    if host.root and not host.own_uid:
        found.append(
            f"the runner is root and may not change a run's uid ({host.own_uid_detail}): "
            "give it the capabilities SETUID and SETGID, or start it as another user"
        )
    return found


def weaknesses(host: Host) -> list[str]:
    """What holds, but less tightly than it could, in words for an operator."""
    found = ["no cgroup limits a run's memory: its address space is limited instead"]
    if not host.namespaces:
        found.append("a run's files are limited one by one, and all together only by the folder they share with other runs")
    if not host.own_uid:
        found.append("a run's threads count with all that the server's user runs, so their limit is a loose one")
    return found


def _seccomp(host: Host) -> Layer:
    return Layer(name="seccomp", active=True, detail=f"allow-list for {host.machine}; no fork, exec or sockets")


def _landlock(host: Host) -> Layer:
    if host.landlock_abi:
        return Layer(name="landlock", active=True, detail=f"ABI {host.landlock_abi}, kernel {host.kernel}")
    stand_in = "the minimal root" if host.namespaces else None
    return Layer(name="landlock", active=False, detail=host.landlock_detail, stands_in=stand_in)


def _namespaces(host: Host) -> Layer:
    if host.namespaces:
        detail = "pid and mount of its own in a minimal root; net, ipc and uts apart from the host's"
        return Layer(name="namespaces", active=True, detail=detail)
    return Layer(name="namespaces", active=False, detail=host.namespaces_detail, stands_in="seccomp (no sockets), Landlock (files)")


def _own_uid(host: Host) -> Layer:
    if host.own_uid:
        return Layer(name="own uid", active=True, detail="one a run")
    stand_in = "pid namespace" if host.namespaces else "Landlock scopes"
    return Layer(name="own uid", active=False, detail=host.own_uid_detail, stands_in=stand_in)


def _rlimits() -> Layer:
    return Layer(name="rlimits", active=True, detail="address space, processor time, file size, open files, tasks, no core files")


def _cgroup() -> Layer:
    return Layer(name="cgroup", active=False, detail="not used", stands_in="rlimits")
