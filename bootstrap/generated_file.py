"""Writes a file that a module of bootstrap/ generates from installed libraries."""

import subprocess
from pathlib import Path

from bootstrap.places import ROOT, VENV


def installed(*names: str) -> list[str]:
    """Return name and version, as "torch-2.9.0", of each of these distributions that is installed. Nothing is imported."""
    return [file.stem for name in names for file in VENV.glob(f"lib/python3.*/site-packages/{name}-*.dist-info")]


def generate(python: str, module: str, file: Path) -> None:
    """Run `python -m module PATH` and move what it wrote there to `file`, which is never half written."""
    file.parent.mkdir(exist_ok=True)
    partial = Path(f"{file}.partial")
    subprocess.run([python, "-m", module, str(partial)], check=True, cwd=ROOT)
    partial.replace(file)
