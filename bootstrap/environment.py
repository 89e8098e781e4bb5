"""The virtual environment: everything from PyPI, at the versions of constraints.txt, and the project itself, editable."""

import os
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request

from bootstrap import machine
from bootstrap.places import CONSTRAINTS, PYPROJECT, ROOT, VENV, VENV_PYTHON
from bootstrap.report import SetupError, note, step
from bootstrap.stamp import Stamp, digest_of_files

TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
PROBE_SECONDS = 3


def install_runtime() -> None:
    """What `gradroom serve` needs."""
    if not (stamp_of("runtime").holds() or stamp_of("development").holds()):
        install(extras=[], stamp=stamp_of("runtime"))


def install_development() -> None:
    """What the checks, the tests and the benchmark need besides."""
    if not stamp_of("development").holds():
        install(extras=["dev"], stamp=stamp_of("development"))


def install_node() -> None:
    """Node.js and npm from PyPI, in the same environment."""
    create()
    pip("install", "--quiet", "--constraint", str(CONSTRAINTS), *extra_requirements("node"))


def install(extras: list[str], stamp: Stamp) -> None:
    machine.check()
    stamp.remove()
    create()
    install_torch()
    target = f"{ROOT}[{','.join(extras)}]" if extras else str(ROOT)
    step(f"Installing {'the development' if extras else 'the'} dependencies at the versions of {CONSTRAINTS.name}")
    pip("install", "--quiet", "--no-build-isolation", "--constraint", str(CONSTRAINTS), "--editable", target)
    stamp.write()


def create() -> None:
    """A virtual environment with the pinned pip and setuptools, unless there is a working one."""
    stamp = Stamp(VENV / ".stamp-tools", pinned("pip"), pinned("setuptools"))
    if works() and stamp.holds():
        return
    if not works():
        step(f"Creating the virtual environment {VENV.name} with Python {sys.version.split()[0]}")
        machine.check_venv_module()
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)
    pip("install", "--quiet", f"pip=={pinned('pip')}", f"setuptools=={pinned('setuptools')}")
    stamp.write()


def works() -> bool:
    """Whether there is an environment whose interpreter starts and has pip (a system upgrade may have taken it away)."""
    if not VENV_PYTHON.exists():
        return False
    return subprocess.run([VENV_PYTHON, "-c", "import pip"], capture_output=True, check=False).returncode == 0


def install_torch() -> None:
    """PyTorch by itself, without its dependencies: so that the extra index is asked for nothing else."""
    version = pinned("torch")
    step(f"Installing PyTorch {version} (the CPU build, about 190 MB)")
    pip("install", "--no-deps", *torch_index(), f"torch=={version}")


def torch_index() -> list[str]:
    """PyTorch's CPU index where it answers. pip would try an unreachable one for nine seconds, so ask first, once."""
    try:
        urllib.request.urlopen(f"{TORCH_CPU_INDEX}/torch/", timeout=PROBE_SECONDS).close()
    except (urllib.error.URLError, OSError) as problem:
        note(f"PyTorch's CPU index cannot be reached ({getattr(problem, 'reason', problem)}):")
        note("taking what the configured registries offer for this version. If that is the CUDA build, it is several GB.")
        return []
    return ["--extra-index-url", TORCH_CPU_INDEX]


def pip(*arguments: str) -> None:
    quiet = {**os.environ, "PYTHONWARNINGS": "ignore"}  # setuptools warns at length about every editable install
    subprocess.run([str(VENV_PYTHON), "-m", "pip", "--disable-pip-version-check", *arguments], check=True, cwd=ROOT, env=quiet)


def pinned(name: str) -> str:
    """The version of a distribution in constraints.txt."""
    for line in CONSTRAINTS.read_text().splitlines():
        if line.partition("==")[0] == name:
            return line.partition("==")[2]
    raise SetupError(f"{CONSTRAINTS.name} does not pin {name}: run `make lock`.")


def extra_requirements(extra: str) -> list[str]:
    """The requirements of one of the extras of pyproject.toml."""
    requirements: list[str] = tomllib.loads(PYPROJECT.read_text())["project"]["optional-dependencies"][extra]
    return requirements


def stamp_of(name: str) -> Stamp:
    """Depends on the pins, the project's metadata, the interpreter, and the folder, which an editable install remembers."""
    project = tomllib.loads(PYPROJECT.read_text())["project"]
    interpreter = str((VENV / "bin" / "python3").resolve())
    return Stamp(VENV / f".stamp-{name}", digest_of_files([CONSTRAINTS]), project, interpreter, str(ROOT))
