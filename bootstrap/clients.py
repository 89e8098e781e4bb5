"""Makes an environment with the generators of clients. It is one of its own, because they need other versions of the server's libraries."""

import subprocess
import sys

from bootstrap import machine
from bootstrap.places import CLIENTS_REQUIREMENTS, CLIENTS_VENV
from bootstrap.report import step
from bootstrap.stamp import Stamp, digest_of_files


def install() -> None:
    """Install what tests/web/clients/requirements.txt lists. Does nothing if the same list is installed already."""
    stamp = Stamp(CLIENTS_VENV / ".stamp", digest_of_files([CLIENTS_REQUIREMENTS]), sys.version)
    if stamp.holds():
        return
    step("Installing the generators of clients")
    machine.check_venv_module()
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(CLIENTS_VENV)], check=True)
    command = [str(CLIENTS_VENV / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-compile"]
    subprocess.run([*command, "--requirement", str(CLIENTS_REQUIREMENTS)], check=True)
    stamp.write()
