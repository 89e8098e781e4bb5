"""Checks course and suites on other processors: makes this one compute like each of them, as far as it can.

`python -m tests.processors [NAME...] [--only course|suites]` runs `gradroom lessons check` and the suites below as each variant, or as
those whose names contain one of the words. It prints a table and what was found, and ends with status 1 if anything was.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence

from app.settings import PROJECT
from tests.processors.variants import Variant, list_variants, read_flags, read_numpy_features

FOLDERS = ("runtimes", "lessons", "authoring", "grading", "runner")
WORKS = {
    "course": ("-m", "app.cli", "lessons", "check"),
    "suites": ("-m", "pytest", "-q", "-n", "2", *(f"tests/{folder}" for folder in FOLDERS)),
}
PROBLEM = re.compile(r"^(?:FAILED|ERROR) .*|^\S+:\d+: .*", re.MULTILINE)
LAST = 300  # characters of what failed without saying where


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--only", choices=WORKS)
    given = parser.parse_args()
    found: list[str] = []
    print(f"{'processor':22}{'work':10}{'problems':>8}{'seconds':>9}", flush=True)
    for variant in choose(list_variants(read_flags(), read_numpy_features()), given.names):
        for work in [given.only] if given.only else WORKS:
            begin = time.monotonic()
            problems = run(variant, WORKS[work])
            print(f"{variant.name:22}{work:10}{len(problems):8}{time.monotonic() - begin:9.0f}", flush=True)
            found += [f"{variant.name}: {problem}" for problem in problems]
    print("\n".join(found))
    return bool(found)


def choose(variants: Sequence[Variant], words: Sequence[str]) -> list[Variant]:
    """Return the variants whose names contain one of the words; all if there are no words."""
    return [one for one in variants if not words or any(word.casefold() in one.name.casefold() for word in words)]


def run(variant: Variant, work: Sequence[str]) -> list[str]:
    done = subprocess.run(
        [sys.executable, *work],
        cwd=PROJECT,
        env=os.environ | variant.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return find_problems(done.stdout, done.returncode)


def find_problems(printed: str, status: int) -> list[str]:
    """Return the lines that name a place. If there are none although the command failed, return the end of its output."""
    return PROBLEM.findall(printed) or ([f"status {status}: {printed[-LAST:].strip()}"] if status else [])


if __name__ == "__main__":
    sys.exit(main())
