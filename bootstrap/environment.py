"""Makes the virtual environment. It gets packages from PyPI in the versions of constraints.txt, and the project as an editable install."""

import os
import subprocess
import sys
import tomllib

from bootstrap import machine, pip, torch
from bootstrap.places import CONSTRAINTS, PYPROJECT, ROOT, VENV, VENV_PYTHON
from bootstrap.report import SetupError, step
from bootstrap.stamp import Stamp, digest_of_files

OWN_EXTRAS = ("dev", "node")  # extras that have a step of their own


def install_runtime() -> None:
    """Install what `gradroom serve` needs."""
    if not (stamp_of("runtime").holds() or stamp_of("development").holds()):
        install("runtime", extras=[])
    install_extras()


def install_development() -> None:
    """Install what `gradroom serve`, the checks, the tests and the benchmark need."""
    if not stamp_of("development").holds():
        install("development", extras=["dev"])
    install_extras()


def install_extras() -> None:
    """Install the runtimes that the variable EXTRAS names. Bring runtimes that were installed earlier to the pinned versions."""
    optional = {name: stamp_of(f"extra-{name}") for name in optional_dependencies() if name not in OWN_EXTRAS}
    asked = [name.strip() for name in os.environ.get("EXTRAS", "").split(",") if name.strip()]
    for name in asked:
        if name not in optional:
            raise SetupError(f"EXTRAS: there is no extra {name!r}. There are: {', '.join(optional)}.")
    for name, stamp in optional.items():
        if (name in asked or stamp.file.exists()) and not stamp.holds():
            step(f"Installing the extra {name}")
            stamp.remove()
            pip.install("--quiet", "--constraint", str(CONSTRAINTS), *extra_requirements(name))
            pip.compile_modules()
            stamp.write()


def install_node() -> None:
    """Install Node.js and npm from PyPI into the same environment."""
    create()
    pip.install("--quiet", "--constraint", str(CONSTRAINTS), *extra_requirements("node"))


def install(name: str, extras: list[str]) -> None:
    machine.check()
    create()
    stamp_of(name).remove()
    torch.install(pinned("torch"))
    step(f"Installing the {name} dependencies at the versions of {CONSTRAINTS.name}")
    target = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    pip.install("--quiet", "--no-build-isolation", "--constraint", str(CONSTRAINTS), "--editable", target)
    pip.compile_modules()
    stamp_of(name).write()


def create() -> None:
    """Make a virtual environment, unless there is one that works. Install the pinned pip and setuptools into it."""
    stamp = Stamp(VENV / ".stamp-tools", pinned("pip"), pinned("setuptools"))
    if works() and stamp.holds():
        return
    if not works():
        step(f"Creating the virtual environment {VENV.name} with Python {sys.version.split()[0]}")
        machine.check_venv_module()
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)
    pip.install("--quiet", f"pip=={pinned('pip')}", f"setuptools=={pinned('setuptools')}")
    stamp.write()


def works() -> bool:
    """Return whether there is an environment whose interpreter starts and has pip. An upgrade of the system's Python may break it."""
    if not VENV_PYTHON.exists():
        return False
    return subprocess.run([VENV_PYTHON, "-c", "import pip"], capture_output=True, check=False).returncode == 0


def pinned(name: str) -> str:
    """Return the version of a distribution in constraints.txt."""
    for line in CONSTRAINTS.read_text().splitlines():
        if line.partition("==")[0] == name:
            return line.partition("==")[2]
    raise SetupError(f"{CONSTRAINTS.name} does not pin {name}: run `make lock`.")


def extra_requirements(extra: str) -> list[str]:
    """Return the requirements of one of the extras of pyproject.toml."""
    return optional_dependencies()[extra]


def optional_dependencies() -> dict[str, list[str]]:
    """Return the requirements of each extra of pyproject.toml."""
    extras: dict[str, list[str]] = tomllib.loads(PYPROJECT.read_text())["project"]["optional-dependencies"]
    return extras


def stamp_of(name: str) -> Stamp:
    """Return the stamp of the step `name`.

    The stamp depends on the pins, the project's metadata, the interpreter, and the folder's path, which an editable install contains.
    """
    project = tomllib.loads(PYPROJECT.read_text())["project"]
    interpreter = str((VENV / "bin" / "python3").resolve())
    return Stamp(VENV / f".stamp-{name}", digest_of_files([CONSTRAINTS]), project, interpreter, str(ROOT))
