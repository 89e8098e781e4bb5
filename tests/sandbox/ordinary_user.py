"""The sandbox as an ordinary user has it: what to put before a command, so that root runs it as one.

    python -m tests.sandbox.ordinary_user COMMAND…

Where a folder above Python or the project is closed to others, as a root's home is, the command gets a mount namespace in which it is open.
"""

import os
import sys
from pathlib import Path

from app.serving.open_ways import open_ways

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


if __name__ == "__main__":
    become_ordinary_user()
    os.execvp(sys.argv[1], sys.argv[1:])
