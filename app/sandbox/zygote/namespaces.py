"""The namespaces of the zygote and of each child, which separate processes, mounts, sockets and shared memory.

The zygote enters its namespaces once, before the warm-up. All its children share one network namespace without interfaces, one ipc and
one uts namespace: making a network namespace costs milliseconds, and a child can use none of them, since seccomp denies sockets and
shared memory. Each child gets a pid and a mount namespace of its own. Runs before the fork (zygote) and after it (child).
"""

import os
from pathlib import Path

from app.sandbox import kernel

_ZYGOTE = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS | kernel.CLONE_NEWNET


def enter_namespaces() -> None:
    """Enter the zygote's namespaces. The next process that is forked is the first in the new pid namespace.

    An ordinary user enters a user namespace too, with the same uid and gid in it. Raises OSError if the kernel refuses.
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
    """Forks each child into a new pid namespace, in which it is process 1, so that no process outlives it.

    unshare(CLONE_NEWPID) affects only processes forked afterwards. The kernel refuses a second unshare until the caller has set the
    namespace of its future children back to its own (pid_namespaces(7)).
    """

    def __init__(self) -> None:
        self._own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)

    def fork(self) -> int:
        """Fork as os.fork() does, into a new pid namespace. The pid returned is the one in the caller's namespace."""
        kernel.unshare(kernel.CLONE_NEWPID)
        pid = None
        try:
            pid = os.fork()
        finally:
            if pid != 0:  # also if the fork failed: the next one may succeed
                kernel.setns(self._own, kernel.CLONE_NEWPID)
        return pid
