"""The shared libraries of the system that wheels from PyPI need, and the Debian packages that have them."""

import ctypes
import os
import shutil
import subprocess

from bootstrap.report import SetupError, step

# pygraphviz's wheel contains Graphviz, but not the libraries of its drawing plug-ins, which every desktop has.
PACKAGES = {
    "libseccomp.so.2": "libseccomp2",
    "libgobject-2.0.so.0": "libglib2.0-0",
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libXrender.so.1": "libxrender1",
    "libexpat.so.1": "libexpat1",
    "libstdc++.so.6": "libstdc++6",
}


def require() -> None:
    """Raise SetupError if a library is missing. It says what to install. Root on Debian first tries to install the library."""
    names = missing()
    if names and os.geteuid() == 0 and shutil.which("apt-get"):
        packages = [PACKAGES[name] for name in names]
        step(f"Installing system libraries (apt-get install {' '.join(packages)})")
        install_packages(*packages)
        names = missing()
    if names:
        packages = [PACKAGES[name] for name in names]
        raise SetupError(
            f"this machine lacks {', '.join(names)}. On Debian and Ubuntu: apt-get install {' '.join(packages)}\n"
            "Elsewhere install the packages that contain these libraries, or use the container (docs/deployment.md)."
        )


def missing() -> list[str]:
    return [name for name in PACKAGES if not loads(name)]


def loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def install_packages(*packages: str) -> bool:
    """Install Debian packages without asking the user, whom the caller has told. Return whether that succeeded."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    commands = (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages])
    return all(subprocess.run(command, env=environment, check=False, stdout=subprocess.DEVNULL).returncode == 0 for command in commands)
