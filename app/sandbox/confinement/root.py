"""The minimal root file system of children in namespaces: Python's files, read-only, three devices, and nothing else.

The zygote enters it after its imports, because the app's own source is not in it, and before its first fork. Each child then mounts an
empty scratch of its own over `SCRATCH`.
"""

import os
from pathlib import Path

from app.sandbox import kernel

SCRATCH = "/scratch"
CANARY = "/canary"  # its mode lets everybody read it: only Landlock denies that
# empty files in the usual places: "permission denied", which Landlock answers, tells a learner more than "no such file"
PLACEHOLDERS = ("/etc/passwd", "/etc/shadow", "/etc/group", "/etc/hosts", "/proc/self/environ", "/proc/1/environ", "/proc/cpuinfo")
EMPTY_FOLDERS = ("/home", "/root", "/tmp", "/var", "/sys", "/usr/bin", "/bin", "/opt", "/srv")
# without /dev/zero: a shared mapping of it is memory that no limit counts
DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")

_READ_ONLY = kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY | kernel.MS_NOSUID


def enter_minimal_root(mount_point: Path, readable: list[str]) -> None:
    """Build the root on a tmpfs over `mount_point`, enter it and detach the old one.

    The files and folders in `readable` have the same paths in it, and are read-only. Needs a mount namespace and the right to mount.
    """
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("tmpfs", str(mount_point), "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=755,size=1m,nr_inodes=4096")
    for path in readable:
        _bind(path, mount_point, kernel.MS_NODEV)
    for device in DEVICES:
        _bind(device, mount_point, kernel.MS_NOEXEC)
    for path in (SCRATCH, *EMPTY_FOLDERS):
        (mount_point / path.lstrip("/")).mkdir(parents=True, exist_ok=True)
    for path in (CANARY, *PLACEHOLDERS):
        _touch(mount_point / path.lstrip("/"))
    old = mount_point / "old"
    old.mkdir()
    kernel.pivot_root(str(mount_point), str(old))
    os.chdir("/")
    kernel.unmount("/old")
    os.rmdir("/old")
    kernel.mount("none", "/", None, kernel.MS_REMOUNT | kernel.MS_RDONLY | kernel.MS_NOSUID | kernel.MS_NODEV)


def mount_scratch(uid: int, gid: int, size_bytes: int, inodes: int) -> None:
    """Mount an empty tmpfs over `SCRATCH` in a new mount namespace of this process. Only `uid` may use it."""
    kernel.unshare(kernel.CLONE_NEWNS)
    options = f"mode=700,uid={uid},gid={gid},size={size_bytes},nr_inodes={inodes}"
    kernel.mount("tmpfs", SCRATCH, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC, options)


def _bind(path: str, root: Path, flags: int) -> None:
    source = os.path.realpath(path)
    if not os.path.exists(source):
        return
    target = root / path.lstrip("/")
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
    if os.path.isdir(source):
        target.mkdir(exist_ok=True)
    else:
        target.touch()
    kernel.mount(source, str(target), None, kernel.MS_BIND)
    kernel.mount("none", str(target), None, _READ_ONLY | flags)


def _touch(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    path.chmod(0o644)
