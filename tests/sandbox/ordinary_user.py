"""Runs a command as an ordinary user, if root runs the tests.

    python -m tests.sandbox.ordinary_user UID COMMAND…

If a folder above Python or the project is closed to other users, as root's home is, the command gets a mount namespace in which it is open.
"""

import os
import sys
from pathlib import Path

from app.serving.web_process.open_ways import open_ways

# a uid for each worker of pytest-xdist, because the kernel counts all threads of a uid
UID = 1000 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
PROJECT = Path(__file__).resolve().parents[2]


def as_ordinary_user() -> list[str]:
    """Return what to put before a command; nothing for an ordinary user. Start the command in the project's folder."""
    return [sys.executable, "-m", "tests.sandbox.ordinary_user", str(UID)] if os.geteuid() == 0 else []


def become_ordinary_user(uid: int = UID) -> None:
    """Become this user for good, with access to Python and the project."""
    open_ways([PROJECT, Path(sys.prefix), Path(sys.base_prefix)])
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


if __name__ == "__main__":
    become_ordinary_user(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])
