"""Finds the mounted hierarchies of control groups and this process's group in each; writes control files. Runs in the runner.

Each controller is in one hierarchy: that of cgroup v2, or one of v1 (cgroups(7)).
"""

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from app.sandbox.process_status import Mount, parse_mounts

LEAF = "gradroom-server"  # the group of v2 for the server's own processes; also to be named in systemd's DelegateSubgroup=


class Hierarchy(msgspec.Struct, frozen=True, kw_only=True):
    """One mounted hierarchy. `own` is the folder of this process's group.

    In v2, if that group is named LEAF, `own` is the folder above it.
    """

    version: Literal[1, 2]
    controllers: frozenset[str]
    root: Path
    own: Path


def read_hierarchies(proc: Path) -> list[Hierarchy]:
    """Return the mounted hierarchies in which this process is, from /proc (proc_pid_mountinfo(5), cgroups(7))."""
    own = {}
    for line in (proc / "cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        own[controllers] = path
    find = {"cgroup": _find_v1, "cgroup2": _find_v2}
    mounts = parse_mounts((proc / "mountinfo").read_text())
    return [found for mount in mounts if mount.kind in find and (found := find[mount.kind](mount, own))]


def _find_v1(mount: Mount, own: Mapping[str, str]) -> Hierarchy | None:
    """Return the hierarchy of v1 at a mount; None if this process is not in it.

    `own` maps controllers, such as "cpu,cpuacct", to the path of this process's group. A hierarchy's controllers are among the features of
    its mount.
    """
    names = next((names for names in own if names and mount.features >= set(names.split(","))), "")
    folder = _find_folder(mount, own[names]) if names else None
    if folder is None:
        return None
    return Hierarchy(version=1, controllers=frozenset(names.split(",")), root=Path(mount.point), own=folder)


def _find_v2(mount: Mount, own: Mapping[str, str]) -> Hierarchy | None:
    folder = _find_folder(mount, own[""]) if "" in own else None
    if folder is None:
        return None
    if folder.name == LEAF:
        folder = folder.parent
    with contextlib.suppress(OSError):
        controllers = frozenset(read_words(folder / "cgroup.controllers"))
        return Hierarchy(version=2, controllers=controllers, root=Path(mount.point), own=folder)
    return None


def _find_folder(mount: Mount, path: str) -> Path | None:
    """Return the folder of the group at `path`; None if the mount does not contain it."""
    inside = mount.root == "/" or path == mount.root or path.startswith(f"{mount.root}/")
    if path.startswith("/..") or not inside:
        return None
    return Path(mount.point, path.removeprefix(mount.root).lstrip("/"))


def read_words(path: Path) -> list[str]:
    return path.read_text().split()


def write(path: Path | str, text: str) -> None:
    """Write to a control file. Raises OSError with the file's name, also if this kernel does not have the file."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    except OSError as error:
        raise OSError(error.errno, f"{os.strerror(error.errno or 0)}: {path}") from error
    finally:
        os.close(descriptor)
