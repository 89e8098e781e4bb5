"""The sandbox as an ordinary user has it: what to put before a command, so that root runs it as one.

    python -m tests.sandbox.ordinary_user COMMAND…

Where a folder above Python or the project is closed to others, as a root's home is, the command gets a mount namespace in which it is open.
"""

import os
import stat
import sys
from pathlib import Path

from app.sandbox import kernel

UID = 1000
PROJECT = Path(__file__).resolve().parents[2]


def as_ordinary_user() -> list[str]:
    """Nothing for who is an ordinary user already. The command has to be started in the project's folder."""
    return [sys.executable, "-m", "tests.sandbox.ordinary_user"] if os.geteuid() == 0 else []


def become_ordinary_user() -> None:
    """Become that user for good, one who can reach Python and the project."""
    open_ways([PROJECT, Path(sys.prefix), Path(sys.base_prefix)])
    os.setgroups([])
    os.setresgid(UID, UID, UID)
    os.setresuid(UID, UID, UID)


def open_ways(wanted: list[Path]) -> None:
    """In a mount namespace of this process's own, put an open folder over each closed one, with nothing in it but what is wanted."""
    closed = {path: folder for path in wanted if (folder := find_closed(path))}
    if not closed:
        return
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    sources = {path: os.open(path, os.O_PATH) for path in closed}
    for folder in set(closed.values()):
        kernel.mount("tmpfs", str(folder), "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=755")
    for path, source in sources.items():
        path.mkdir(parents=True, exist_ok=True)
        kernel.mount(f"/proc/self/fd/{source}", str(path), None, kernel.MS_BIND)


def find_closed(path: Path) -> Path | None:
    """The outermost folder above a path, or at it, through which others may not pass."""
    return next((folder for folder in (*reversed(path.parents), path) if not folder.stat().st_mode & stat.S_IXOTH), None)


if __name__ == "__main__":
    become_ordinary_user()
    os.execvp(sys.argv[1], sys.argv[1:])
