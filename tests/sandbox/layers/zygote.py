"""The real zygote with single steps of the confinement left out, and a bare runtime instead of a framework.

    python -s -m tests.sandbox.layers.zygote N LAYER…      as app.sandbox.zygote.zygote, without these layers

Only tests start it; the product has no such switch.
"""

import resource
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from app.sandbox import kernel
from app.sandbox.child import child
from app.sandbox.confinement import confinement, files, rlimits
from app.sandbox.zygote import zygote
from tests.bare.runtime import BareRuntime


def without_limit(*names: str) -> None:
    """Do not set some resource limits."""
    left_out = {getattr(resource, name) for name in names}
    limits_of = rlimits.limits_of
    rlimits.limits_of = lambda *used: {which: most for which, most in limits_of(*used).items() if which not in left_out}


def without_option(option: int) -> None:
    """Do not make one of the prctl calls."""
    prctl = kernel.prctl
    kernel.prctl = lambda number, argument=0: None if number == option else prctl(number, argument)


def without_namespaces() -> None:
    probe = zygote.probe_host
    zygote.probe_host = lambda uid: msgspec.structs.replace(probe(uid), namespaces=False)


def without_own_uid() -> None:
    confine = child.confine
    child.confine = lambda prepared, uid, scratch, budget: confine(prepared, None, scratch, budget)


def without_scratch_size() -> None:
    mount = confinement.mount_scratch
    confinement.mount_scratch = lambda uid, gid, size_bytes, inodes: mount(uid, gid, 100 * size_bytes, inodes)


def without_scratch_inodes() -> None:
    mount = confinement.mount_scratch
    confinement.mount_scratch = lambda uid, gid, size_bytes, inodes: mount(uid, gid, size_bytes, 100 * inodes)


def without_scopes() -> None:
    """Use Landlock for files only."""
    landlock = files.py_landlock.Landlock
    files.py_landlock.Landlock = lambda strict: landlock(strict=strict).allow_all_scope()


def without_capability_drop() -> None:
    """Let the child keep the zygote's capabilities."""
    drop = kernel.drop_capabilities
    kernel.drop_capabilities = lambda *kept: drop(*kept) if kept else None


def do_nothing(*_: Any) -> None: ...


LAYERS: dict[str, Callable[[], None]] = {
    "seccomp": lambda: setattr(kernel, "load_filter", do_nothing),
    "landlock": lambda: setattr(confinement, "confine_files", do_nothing),
    "scopes": without_scopes,
    "namespaces": without_namespaces,
    "own uid": without_own_uid,
    "capabilities": without_capability_drop,
    "descriptors": lambda: setattr(kernel, "close_range", do_nothing),
    "no_new_privs": partial(without_option, kernel.PR_SET_NO_NEW_PRIVS),
    "death signal": partial(without_option, kernel.PR_SET_PDEATHSIG),
    "not dumpable": partial(without_option, kernel.PR_SET_DUMPABLE),
    "limit of memory": partial(without_limit, "RLIMIT_AS", "RLIMIT_DATA"),
    "limit of tasks": partial(without_limit, "RLIMIT_NPROC"),
    "limit of files": partial(without_limit, "RLIMIT_NOFILE"),
    "limit of file size": partial(without_limit, "RLIMIT_FSIZE"),
    "limit of core files": partial(without_limit, "RLIMIT_CORE"),
    "limit of processor time": partial(without_limit, "RLIMIT_CPU"),
    "scratch size": without_scratch_size,
    "scratch inodes": without_scratch_inodes,
}


if __name__ == "__main__":
    for layer in sys.argv[2:]:
        LAYERS[layer]()
    zygote.main(lambda _: BareRuntime())
