"""Drops the zygote's privileges after its preparation, except the privileges that forking a child needs. Runs before the fork.

A zygote of root needs SYS_ADMIN to mount scratches and make pid namespaces, SETUID, SETGID and SETPCAP so that children can become their
uids and drop everything, CHOWN to give them their folders, and KILL to end them. It needs no right to others' files.
"""

import contextlib

from app.sandbox import kernel

_RETAINED = (
    kernel.CAP_CHOWN,
    kernel.CAP_KILL,
    kernel.CAP_SETGID,
    kernel.CAP_SETUID,
    kernel.CAP_SETPCAP,
    kernel.CAP_SYS_ADMIN,
)


def drop_privileges() -> None:
    """Keep only the capabilities that forking needs. Neither this process nor a program that it executes can gain others."""
    with contextlib.suppress(PermissionError):  # without CAP_SETPCAP; then the process has few capabilities that could come back
        kernel.prctl(kernel.PR_SET_SECUREBITS, kernel.SECUREBITS_LOCKED)
    kernel.drop_bounding_set(_RETAINED)
    kernel.drop_capabilities(_RETAINED)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
