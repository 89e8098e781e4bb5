"""Writes the editor's reference of Python and PyTorch into a file, from which the front end is built."""

import sys

from bootstrap.generated_file import generate, installed
from bootstrap.places import REFERENCE, ROOT, VENV, VENV_PYTHON
from bootstrap.report import note, step
from bootstrap.stamp import Stamp, digest_of_files

GENERATOR = ROOT / "bootstrap" / "reference"


def write() -> None:
    """Write the file, unless it is up to date. Without torch, an existing file stays, and a new one describes only Python."""
    libraries = installed("torch", "torchviz")
    if not libraries:
        if not REFERENCE.is_file():
            list_names(sys.executable)
            note("PyTorch is not installed here: completion in the editor will know only Python")
        return
    current = Stamp(VENV / ".stamp-reference", digest_of_files(GENERATOR.glob("*.py")), libraries, VENV_PYTHON.resolve().name)
    if current.holds() and REFERENCE.is_file():
        return
    current.remove()
    list_names(str(VENV_PYTHON))
    current.write()


def list_names(python: str) -> None:
    step("Listing the names that the editor completes")
    generate(python, "bootstrap.reference", REFERENCE)
