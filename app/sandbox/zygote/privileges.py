"""Drops the zygote's privileges once it is prepared, except those that forking a child needs. Runs before the fork.

A zygote of root needs to mount scratches and make pid namespaces (SYS_ADMIN), to let children become their uids and drop everything
(SETUID, SETGID, SETPCAP), to give them their folders (CHOWN) and to end them (KILL). It never reads or writes what its uid may not.
"""

import contextlib

from app.sandbox import kernel

_KEPT = (
    kernel.CAP_CHOWN,
    kernel.CAP_KILL,
    kernel.CAP_SETGID,
    kernel.CAP_SETUID,
    kernel.CAP_SETPCAP,
    kernel.CAP_SYS_ADMIN,
)


def drop_privileges() -> None:
    """Keep only what forking needs; no program that this process could start, and no child of it, gets more."""
    with contextlib.suppress(PermissionError):  # without CAP_SETPCAP there is little that could come back
        kernel.lock_securebits()
    kernel.drop_bounding_set(_KEPT)
    kernel.drop_capabilities(_KEPT)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
