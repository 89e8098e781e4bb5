"""Writes constraints.txt: the version of each distribution that Gradroom installs, directly or as a dependency."""

import json
import re
import subprocess

from bootstrap import environment, torch
from bootstrap.places import CONSTRAINTS, ROOT, VENV_PYTHON
from bootstrap.report import note, step

HEADER = """\
# Every version that Gradroom installs from PyPI, at run time and for development: the one place for them.
# Written by `make lock` (new dependencies) or `make upgrade` (the newest of everything). Do not edit by hand.
"""


def write(upgrade: bool) -> None:
    """Resolve all dependencies and write constraints.txt. Without `upgrade`, distributions that are pinned already keep their versions."""
    environment.create()
    step("Resolving all dependencies" + (" anew" if upgrade else ", keeping the versions that are pinned"))
    before = CONSTRAINTS.read_text().splitlines()
    pins = resolve([] if upgrade else ["--constraint", str(CONSTRAINTS)])
    lines = [f"{name}=={version}" for name, version in sorted(pins.items())]
    CONSTRAINTS.write_text(HEADER + "\n".join(lines) + "\n")
    changed = [line for line in lines if line not in before]
    note(f"{len(pins)} distributions pinned; new or changed: {', '.join(changed) or 'none'}")


def resolve(options: list[str]) -> dict[str, str]:
    """Return the versions, by name, of the distributions that pip would install into an empty environment."""
    target = f"{ROOT}[{','.join(environment.optional_dependencies())}]"
    command = [str(VENV_PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--dry-run", "--ignore-installed"]
    command += [
        "--no-build-isolation",
        "--report",
        "-",
        *torch.source_options(environment.pinned("torch")),
        *options,
        "pip",
        "--editable",
        target,
    ]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout)
    distributions = [entry["metadata"] for entry in report["install"]]
    return {normal(each["name"]): public(each["version"]) for each in distributions if each["name"] != "gradroom"}


def normal(name: str) -> str:
    """Return the name as PEP 503 spells it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def public(version: str) -> str:
    """Return the version without its local part, such as torch's `+cpu`. Not every registry has a build with the same local part."""
    return version.partition("+")[0]
