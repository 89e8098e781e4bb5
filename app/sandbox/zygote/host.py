"""Finds out by trying which means of confinement this host grants. Runs in the zygote, before it imports a framework.

None of this can be configured, because only an attempt shows what the kernel grants.
"""

import os
import tempfile
from pathlib import Path

import msgspec

from app.protocol.sandbox import WITHOUT_SANDBOX
from app.sandbox import kernel
from app.sandbox.attempt import try_in_fork
from app.sandbox.confinement.files import find_landlock
from app.sandbox.zygote.namespaces import enter_namespaces
from app.sandbox.zygote.reach import verify_closed

LANDLOCK_ABI_FOR_FILES = 3  # truncate is handled from 3 on
LANDLOCK_ABI_FOR_SCOPES = 6  # signals and abstract sockets are scoped from 6 on
SWITCHED_OFF = "switched off on the command line"


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """What this host grants. A `…_detail` says why something is missing, in the kernel's words.

    `closed` says that a run's uid can write only to its scratch; this is tried only in a container that grants no other means to confine
    files. `confined` is false if the operator has switched the sandbox off; then nothing was tried.
    """

    machine: str
    kernel: str
    root: bool
    container: bool
    namespaces: bool
    namespaces_detail: str
    landlock_abi: int
    landlock_detail: str
    own_uid: bool
    own_uid_detail: str
    closed: bool = False
    closed_detail: str = ""
    confined: bool = True

    @property
    def setting(self) -> str:
        if not self.confined:
            return WITHOUT_SANDBOX
        if self.container and not self.namespaces:
            return "container"
        return "root" if self.root else "user"


def probe_host(uid: int) -> Host:
    """Try every layer once, each in a short-lived process. `uid` is one of the uids that runs get."""
    namespaces_detail = try_in_fork(_try_namespaces)
    own_uid_detail = try_in_fork(lambda: os.setresuid(uid, uid, uid))
    abi, landlock_detail = find_landlock()
    closed_detail = ""
    is_last_resort = bool(namespaces_detail) and abi < LANDLOCK_ABI_FOR_FILES
    if is_last_resort:
        closed_detail = own_uid_detail or (try_in_fork(lambda: verify_closed(uid)) if _in_container() else "this is not a container")
    return Host(
        machine=os.uname().machine,
        kernel=os.uname().release,
        root=os.geteuid() == 0,
        container=_in_container(),
        namespaces=not namespaces_detail,
        namespaces_detail=namespaces_detail,
        landlock_abi=abi,
        landlock_detail=landlock_detail,
        own_uid=not own_uid_detail,
        own_uid_detail=own_uid_detail,
        closed=is_last_resort and not closed_detail,
        closed_detail=closed_detail,
    )


def switched_off() -> Host:
    """Return a host that grants nothing, for a sandbox that is switched off."""
    return Host(
        machine=os.uname().machine,
        kernel=os.uname().release,
        root=os.geteuid() == 0,
        container=_in_container(),
        namespaces=False,
        namespaces_detail=SWITCHED_OFF,
        landlock_abi=0,
        landlock_detail=SWITCHED_OFF,
        own_uid=False,
        own_uid_detail=SWITCHED_OFF,
        confined=False,
    )


def _try_namespaces() -> None:
    enter_namespaces()
    # AppArmor can grant user namespaces without the right to mount in them: that counts as refused
    with tempfile.TemporaryDirectory() as folder:
        kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
        kernel.mount("tmpfs", folder, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=64k")
        kernel.unmount(folder)
    child = os.fork()  # the first process of the new pid namespace
    if child == 0:
        try:
            kernel.unshare(kernel.CLONE_NEWPID)
        except OSError as error:
            os._exit(error.errno or 1)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        raise OSError(status, f"nested pid namespace: {os.strerror(abs(status))}")


def _in_container() -> bool:
    """Return whether this process is in a container.

    Docker leaves a file in its containers. In other containers the bounding set lacks CAP_SYS_ADMIN; in an ordinary login it has it.
    """
    if Path("/.dockerenv").exists():
        return True
    status = Path("/proc/self/status").read_text()
    bounding = next(line for line in status.splitlines() if line.startswith("CapBnd:"))
    return not int(bounding.split()[1], 16) >> kernel.CAP_SYS_ADMIN & 1
