"""A fresh interpreter for each run, in bubblewrap where that is installed and permitted."""

import shutil
import subprocess
import sys

from tests.bench.snippet import DRAW_IN_PROCESS, SNIPPET

RUN_SECONDS = 120
BUBBLEWRAP = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--unshare-all", "--die-with-parent")


def find_wrapper() -> list[str]:
    """Return the command that precedes Python's; an empty list if bubblewrap does not work here."""
    bubblewrap = shutil.which("bwrap")
    if bubblewrap is None:
        return []
    wrapper = [bubblewrap, *BUBBLEWRAP]
    works = subprocess.run([*wrapper, "true"], capture_output=True, timeout=RUN_SECONDS, check=False).returncode == 0
    return wrapper if works else []


def run_fresh(wrapper: list[str]) -> None:
    subprocess.run([*wrapper, sys.executable, "-c", SNIPPET + DRAW_IN_PROCESS], stdout=subprocess.DEVNULL, timeout=RUN_SECONDS, check=True)
