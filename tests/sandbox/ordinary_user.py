"""The sandbox as an ordinary user has it: what to put before a command, so that root runs it as one.

    python -m tests.sandbox.ordinary_user UID COMMAND…

Where a folder above Python or the project is closed to others, as a root's home is, the command gets a mount namespace in which it is open.
"""

import os
import sys
from pathlib import Path

from app.serving.open_ways import open_ways

# one of its own for each worker of pytest-xdist: the kernel counts the threads of a uid together
UID = 1000 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
PROJECT = Path(__file__).resolve().parents[2]


def as_ordinary_user() -> list[str]:
    """Nothing for who is an ordinary user already. The command has to be started in the project's folder."""
    return [sys.executable, "-m", "tests.sandbox.ordinary_user", str(UID)] if os.geteuid() == 0 else []


def become_ordinary_user(uid: int = UID) -> None:
    """Become that user for good, one who can reach Python and the project."""
    open_ways([PROJECT, Path(sys.prefix), Path(sys.base_prefix)])
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


if __name__ == "__main__":
    become_ordinary_user(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])
