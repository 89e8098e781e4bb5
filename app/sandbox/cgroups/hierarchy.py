"""The hierarchies of control groups that are mounted here, this process's group in each, and their control files. Runs in the runner.

A controller lives in one hierarchy: in that of cgroup v2, or in one of v1 (cgroups(7)).
"""

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from app.sandbox.process_status import Mount, parse_mounts

LEAF = "gradroom-server"  # where a server keeps its own processes in a group of v2; also the name for systemd's DelegateSubgroup=


class Hierarchy(msgspec.Struct, frozen=True, kw_only=True):
    """One mounted hierarchy. `own`: the folder of the group this process is in; of v2 the one above, if that is a server's leaf."""

    version: Literal[1, 2]
    controllers: frozenset[str]
    root: Path
    own: Path


def read_hierarchies(proc: Path) -> list[Hierarchy]:
    """The hierarchies that are mounted and hold this process, as /proc tells (proc_pid_mountinfo(5), cgroups(7))."""
    own = {}
    for line in (proc / "cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        own[controllers] = path
    find = {"cgroup": _find_v1, "cgroup2": _find_v2}
    mounts = parse_mounts((proc / "mountinfo").read_text())
    return [found for mount in mounts if mount.kind in find and (found := find[mount.kind](mount, own))]


def _find_v1(mount: Mount, own: Mapping[str, str]) -> Hierarchy | None:
    """`own`: the paths of this process's groups by the names of their controllers, which are among the features of what is mounted."""
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
    """Where a group is mounted; None if it is not below what is mounted."""
    inside = mount.root == "/" or path == mount.root or path.startswith(f"{mount.root}/")
    if path.startswith("/..") or not inside:
        return None
    return Path(mount.point, path.removeprefix(mount.root).lstrip("/"))


def read_words(path: Path) -> list[str]:
    return path.read_text().split()


def write(path: Path | str, text: str) -> None:
    """Write into a control file. Never makes one: what is not there is not offered by this kernel. Raises OSError that names the file."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    except OSError as error:
        raise OSError(error.errno, f"{os.strerror(error.errno or 0)}: {path}") from error
    finally:
        os.close(descriptor)
