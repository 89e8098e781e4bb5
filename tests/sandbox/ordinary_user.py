"""The sandbox as an ordinary user has it: what to put before a command, so that it runs as one who is not root."""

import os
import subprocess
import sys

import pytest

UID = 1000


def as_ordinary_user() -> list[str]:
    """Skips the test where this process may not become that user, or where that user cannot reach Python."""
    if os.geteuid() != 0:
        return []
    command = ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups"]
    tried = subprocess.run([*command, sys.executable, "-c", "import app.cli"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"uid {UID} cannot start the server: {tried.stderr.strip().splitlines()[-1:]}")
    return command
