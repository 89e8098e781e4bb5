"""The front end: npm's packages and the bundles made of them."""

import subprocess
from pathlib import Path

from bootstrap import node, reference_file
from bootstrap.places import API_TYPES, NODE_MODULES, PACKAGE_JSON, PACKAGE_LOCK, ROOT, STATIC, STATIC_BUILD
from bootstrap.report import step
from bootstrap.stamp import Stamp, digest_of_files


def install_packages() -> None:
    """What package-lock.json lists, unless it is there."""
    packages = Stamp(NODE_MODULES / ".stamp-packages", digest_of_files([PACKAGE_JSON, PACKAGE_LOCK]))
    if packages.holds():
        return
    step("Installing the front end's packages")
    packages.remove()
    run(*node.npm_command(), "ci", "--loglevel=error")
    packages.write()


def build() -> None:
    """The packages, the editor's reference, and the bundles, unless they are made of just this."""
    install_packages()
    reference_file.write()
    bundles = Stamp(NODE_MODULES / ".stamp-bundles", digest_of_files([PACKAGE_LOCK, *sources()]))
    if bundles.holds() and (STATIC_BUILD / "manifest.json").is_file():
        return
    step("Building the front end")
    bundles.remove()
    run(node.find().node, str(STATIC / "build.mjs"))
    bundles.write()


def sources() -> list[Path]:
    """Return every file that the build reads: all of static/, with the editor's reference, without its own output and without the types."""
    return [file for file in STATIC.rglob("*") if file.is_file() and file != API_TYPES and STATIC_BUILD not in file.parents]


def run(*command: str) -> None:
    subprocess.run(command, check=True, cwd=ROOT, env=node.environment())
