"""Lists the files that a child may read (Python, its packages, the system's libraries) and makes the Landlock rules for them.

Landlock denies access to everything that no rule names. The zygote lists the paths. It also makes the rules if they are the same for all
its children; otherwise each child makes its own.
"""

import os
import site
import sysconfig
from collections.abc import Iterable

import py_landlock
from py_landlock import AccessFs

from app.sandbox.confinement.root import DEVICES

_SYSTEM = ("/usr/lib", "/lib", "/lib64", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo")

_SCRATCH_ACCESS = (
    AccessFs.READ_FILE
    | AccessFs.READ_DIR
    | AccessFs.WRITE_FILE
    | AccessFs.REMOVE_DIR
    | AccessFs.REMOVE_FILE
    | AccessFs.MAKE_DIR
    | AccessFs.MAKE_REG
    | AccessFs.MAKE_SYM
    | AccessFs.REFER
    | AccessFs.TRUNCATE  # py_landlock leaves it out if the kernel does not know it
)


def readable_paths() -> list[str]:
    """Return the existing files and folders that a program needs to read. None is inside another, and links are not resolved."""
    python = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    base = sysconfig.get_config_var("LIBDIR")
    wanted = {path for path in (*python, *site.getsitepackages(), base, *_SYSTEM) if path and os.path.exists(path)}
    return sorted(path for path in wanted if not any(path.startswith(f"{other}/") for other in wanted))


def find_landlock() -> tuple[int, str]:
    """Return the version of the kernel's Landlock ABI and an empty string; or 0 and the reason if there is no Landlock."""
    try:
        return int(py_landlock.get_abi_version()), ""
    except py_landlock.LandlockError as error:
        return 0, str(error)


def prepare_rules(readable: Iterable[str], scratch: str | None) -> py_landlock.Landlock:
    """Return rules with which a process may read `readable` and the devices, use `scratch` unless it is None, and reach no other file.

    The process can also signal only itself and its children. Making rules takes a millisecond. The paths are looked up when the rules are
    applied. Raises py_landlock.LandlockError.
    """
    rules = py_landlock.Landlock(strict=False)
    rules.add_path_rule(*(path for path in readable if os.path.isdir(path)), access=AccessFs.READ_FILE | AccessFs.READ_DIR)
    rules.add_path_rule(*(path for path in readable if os.path.isfile(path)), access=AccessFs.READ_FILE)
    rules.add_path_rule(*DEVICES, access=AccessFs.READ_FILE)
    rules.add_path_rule("/dev/null", access=AccessFs.READ_FILE | AccessFs.WRITE_FILE)
    if scratch is not None:
        rules.add_path_rule(scratch, access=_SCRATCH_ACCESS)
    return rules


def confine_files(rules: py_landlock.Landlock) -> None:
    """Apply the rules to this process, for good. Needs no_new_privs. Raises py_landlock.LandlockError."""
    rules.apply()
