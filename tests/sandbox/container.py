"""Imitates a container without a container engine: everything is read-only but the folder of the runner's socket, capabilities are few.

    python -m tests.sandbox.container MODE COMMAND…

MODE is that of the socket's folder, which the command names last. Needs root.
"""

import os
import sys
from pathlib import Path

from app.sandbox import kernel
from app.sandbox.process_status import read_mounts

CAPABILITIES = "-all,+setuid,+setgid,+kill,+chown"  # those of compose.yaml


def inside(mode: str) -> list[str]:
    """Return what to put before a runner's command."""
    drop = ["setpriv", "--bounding-set", CAPABILITIES, "--inh-caps", "-all"]
    return [sys.executable, "-m", "tests.sandbox.container", mode, *drop]


def close(folder: Path, mode: int) -> None:
    """Make everything but `folder` read-only for this process and those that it starts."""
    folder.chmod(mode)
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    read_only = [mount.point for mount in read_mounts(os.getpid()) if mount.kind != "proc"]
    kernel.mount(str(folder), str(folder), None, kernel.MS_BIND)
    for point in read_only:
        kernel.mount("none", point, None, kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY)


if __name__ == "__main__":
    socket_folder = Path(sys.argv[-1]).parent
    close(socket_folder, int(sys.argv[1], 8))
    os.environ["GRADROOM_SCRATCH_FOLDER"] = str(socket_folder)
    os.execvp(sys.argv[2], sys.argv[2:])
