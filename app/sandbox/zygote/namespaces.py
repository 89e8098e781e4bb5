"""The namespaces of the zygote and of each child: who sees which processes, mounts, sockets and shared memory.

The zygote enters its namespaces once, before it is warm: one network namespace without interfaces, one ipc and one
uts namespace serve all its children, because making a network namespace costs milliseconds and nothing in it can be used
(no socket, no shared memory: seccomp). Each child then gets a pid and a mount namespace of its own.
Runs before the fork (zygote) and after it (child).
"""

import os
from pathlib import Path

from app.sandbox import kernel

_ZYGOTE = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS | kernel.CLONE_NEWNET


def enter_namespaces() -> None:
    """Enter the zygote's namespaces; the next fork is the first process in the new pid namespace.

    An ordinary user gets them through a user namespace in which it stays who it is. Raises OSError where refused.
    """
    uid, gid = os.getuid(), os.getgid()
    if os.geteuid() == 0:
        kernel.unshare(_ZYGOTE)
        return
    kernel.unshare(kernel.CLONE_NEWUSER | _ZYGOTE)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


class PidNamespaces:
    """A fresh pid namespace for each fork.

    unshare(CLONE_NEWPID) moves only the children to come, and the kernel refuses a second one until the caller has set
    its children's namespace back to its own (pid_namespaces(7)). In each the child is process 1, so nothing outlives it.
    """

    def __init__(self) -> None:
        self._own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)

    def fork(self) -> int:
        """os.fork() into a new pid namespace; the pid is the one in the caller's namespace."""
        kernel.unshare(kernel.CLONE_NEWPID)
        pid = None
        try:
            pid = os.fork()
        finally:
            if pid != 0:  # also when there is no room for another process: the next fork may find some
                kernel.setns(self._own, kernel.CLONE_NEWPID)
        return pid
