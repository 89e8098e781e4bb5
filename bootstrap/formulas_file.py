"""Writes PyTorch's derivative formulas into a file, which the front end serves."""

from bootstrap.generated_file import generate, installed
from bootstrap.places import FORMULAS, ROOT, VENV, VENV_PYTHON
from bootstrap.report import note, step
from bootstrap.stamp import Stamp, digest_of_files

GENERATOR = ROOT / "bootstrap" / "derivative_formulas.py"


def write() -> None:
    """Write the file, unless it is up to date. Without torch, an existing file stays, and no new one is written."""
    libraries = installed("torch")
    if not libraries:
        if not FORMULAS.is_file():
            note("PyTorch is not installed here: the nodes of a graph will be shown without formulas")
        return
    current = Stamp(VENV / ".stamp-formulas", digest_of_files([GENERATOR]), libraries)
    if current.holds() and FORMULAS.is_file():
        return
    current.remove()
    step("Listing PyTorch's derivative formulas")
    generate(str(VENV_PYTHON), "bootstrap.derivative_formulas", FORMULAS)
    current.write()
