"""Installs npm's packages and builds the front end's bundles."""

import subprocess
from pathlib import Path

from bootstrap import formulas_file, node, reference_file, titles_file
from bootstrap.places import API_TYPES, NODE_MODULES, PACKAGE_JSON, PACKAGE_LOCK, ROOT, STATIC, STATIC_BUILD
from bootstrap.report import step
from bootstrap.stamp import Stamp, digest_of_files


def install_packages() -> None:
    """Install what package-lock.json lists. Does nothing if the same list is installed already."""
    packages = Stamp(NODE_MODULES / ".stamp-packages", digest_of_files([PACKAGE_JSON, PACKAGE_LOCK]))
    if packages.holds():
        return
    step("Installing the front end's packages")
    packages.remove()
    run(*node.npm_command(), "ci", "--loglevel=error")
    packages.write()


def build() -> None:
    """Build the bundles from the packages, the editor's reference, the formulas and the lessons' titles, unless they are up to date."""
    install_packages()
    reference_file.write()
    formulas_file.write()
    titles_file.write()
    bundles = Stamp(NODE_MODULES / ".stamp-bundles", digest_of_files([PACKAGE_LOCK, *sources()]))
    if bundles.holds() and (STATIC_BUILD / "manifest.json").is_file():
        return
    step("Building the front end")
    bundles.remove()
    run(node.find().node, str(STATIC / "build.mjs"))
    bundles.write()


def sources() -> list[Path]:
    """Return the files of which the bundles are made: all of static/ except the bundles and the API's types."""
    return [file for file in STATIC.rglob("*") if file.is_file() and file != API_TYPES and STATIC_BUILD not in file.parents]


def run(*command: str) -> None:
    subprocess.run(command, check=True, cwd=ROOT, env=node.environment())
