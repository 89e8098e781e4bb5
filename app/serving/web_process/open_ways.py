"""Makes folders reachable for a process that is about to become an ordinary user, even if a folder above them is closed to others."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from app.sandbox import kernel


def open_ways(wanted: Iterable[Path]) -> None:
    """Cover each closed folder above a `wanted` path with an open folder that contains only the `wanted` paths.

    This is done in a mount namespace of this process's own, so that other processes notice nothing. A folder is closed if other users may
    not enter it, like root's home. Paths that do not exist are skipped. Raises OSError if the kernel refuses the namespace or a mount.
    """
    closed = {path: folder for path in map(Path.resolve, wanted) if path.exists() and (folder := find_closed(path))}
    if not closed:
        return
    here = os.getcwd()
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    sources = {path: os.open(path, os.O_PATH) for path in sorted(closed)}
    for folder in set(closed.values()):
        kernel.mount("tmpfs", str(folder), "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=755")
    umask = os.umask(0o022)  # so that others may pass the folders made here
    for path, source in sources.items():
        path.mkdir(parents=True, exist_ok=True)
        kernel.mount(f"/proc/self/fd/{source}", str(path), None, kernel.MS_BIND | kernel.MS_REC)
        os.close(source)
    os.umask(umask)
    if os.path.isdir(here):
        os.chdir(here)


def find_closed(path: Path) -> Path | None:
    """Return the outermost folder above `path` that other users may not enter, or None."""
    return next((folder for folder in reversed(path.parents) if not folder.stat().st_mode & stat.S_IXOTH), None)
