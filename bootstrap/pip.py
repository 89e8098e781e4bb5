"""Runs the virtual environment's pip."""

import os
import subprocess

from bootstrap.places import ROOT, VENV_PYTHON


def pip(*arguments: str) -> None:
    """Run pip and show its output. Raises CalledProcessError."""
    quiet = {**os.environ, "PYTHONWARNINGS": "ignore"}  # setuptools warns at length about every editable install
    subprocess.run([str(VENV_PYTHON), "-m", "pip", "--disable-pip-version-check", *arguments], check=True, cwd=ROOT, env=quiet)
