"""Installs distributions with the virtual environment's pip."""

import os
import subprocess

from bootstrap.places import ROOT, VENV, VENV_PYTHON


def install(*arguments: str) -> None:
    """Run `pip install` and show its output. `compile_modules` then has to compile what was installed. Raises CalledProcessError."""
    quiet = {**os.environ, "PYTHONWARNINGS": "ignore"}  # setuptools warns at length about every editable install
    command = [str(VENV_PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--no-compile", *arguments]
    subprocess.run(command, check=True, cwd=ROOT, env=quiet)


def compile_modules() -> None:
    """Compile all installed modules and the app's that are not compiled yet, on all processors.

    pip would use one, for half of the time of set-up; and each of the tests' workers would compile the app, because they start together.

    Its status says nothing: among the modules are some for newer Pythons.
    """
    subprocess.run([str(VENV_PYTHON), "-m", "compileall", "-qq", "--workers", "0", str(VENV / "lib"), str(ROOT / "app")], check=False)
