"""Checks that this machine can run Gradroom, and says what to install if it cannot."""

import importlib.util
import sys

from bootstrap import libraries
from bootstrap.report import SetupError

CONTAINER = "Use the container there: `docker compose up --build`, as docs/deployment.md says."


def check() -> None:
    """Raise SetupError if something is missing. Only the first thing that is missing is named."""
    check_system()
    check_venv_module()
    libraries.require()


def check_system() -> None:
    if sys.platform != "linux":
        system = {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)
        raise SetupError(
            f"learners' programs are confined by means that only Linux has (seccomp, Landlock), and this is {system}. {CONTAINER}"
        )


def check_venv_module() -> None:
    """Raise SetupError if venv or ensurepip is missing, as on Debian without python3-venv. The environment would have no pip."""
    if any(importlib.util.find_spec(name) is None for name in ("venv", "ensurepip")):
        raise SetupError("Python's venv module is missing or incomplete. On Debian and Ubuntu: apt-get install python3-venv")
