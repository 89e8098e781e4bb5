"""Writes the editor's reference of Python and PyTorch into a file, from which the front end is built."""

import subprocess
import sys
from pathlib import Path

from bootstrap.places import REFERENCE, ROOT, VENV, VENV_PYTHON
from bootstrap.report import note, step
from bootstrap.stamp import Stamp, digest_of_files

GENERATOR = ROOT / "bootstrap" / "reference"


def write() -> None:
    """Write the file, unless it is up to date. Without torch, an existing file stays, and a new one describes only Python."""
    libraries = installed("torch", "torchviz")
    if not libraries:
        if not REFERENCE.is_file():
            generate(sys.executable)
            note("PyTorch is not installed here: completion in the editor will know only Python")
        return
    current = Stamp(VENV / ".stamp-reference", digest_of_files(GENERATOR.glob("*.py")), libraries, VENV_PYTHON.resolve().name)
    if current.holds() and REFERENCE.is_file():
        return
    current.remove()
    generate(str(VENV_PYTHON))
    current.write()


def installed(*names: str) -> list[str]:
    """Return name and version, as "torch-2.9.0", of each of these distributions that is installed. Nothing is imported."""
    return [file.stem for name in names for file in VENV.glob(f"lib/python3.*/site-packages/{name}-*.dist-info")]


def generate(python: str) -> None:
    step("Listing the names that the editor completes")
    REFERENCE.parent.mkdir(exist_ok=True)
    partial = Path(f"{REFERENCE}.partial")
    subprocess.run([python, "-m", "bootstrap.reference", str(partial)], check=True, cwd=ROOT)
    partial.replace(REFERENCE)
