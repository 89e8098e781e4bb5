"""Runs once a night what takes too long for every change: each attack in each setting, loads, kills, and every lesson in full.

    python -m tests.nightly [WORD…]  only the steps whose name has one of the words

Each step is a command. At the end it prints how long each took and how it ended, and the last lines of those that failed. Ends with status
1 if one failed.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec

from app.runtimes.specs import SPECS

LAST_LINES = 60
HOSTILE = ("-m", "tests.sandbox.hostile")
PYTEST = ("-m", "pytest", "--quiet")
EVERY_ELEMENT = {"EVERY_ELEMENT": "1"}  # axe measures every contrast: tests/browser/axe.py
MANY_CHANGES = {"INTERLEAVED_CHANGES": "10000"}  # tests/classroom/test_interleaved.py
EVERY_LANGUAGE = {"EVERY_LANGUAGE": "1"}  # each lesson in both: tests/browser/every_lesson.py


@dataclass(frozen=True)
class Step:
    """The arguments and environment variables of a Python command."""

    name: str
    arguments: Sequence[str]
    environment: dict[str, str] = field(default_factory=dict)


OF_CLUSTERS = [
    Step("hostile programs through Ray", ["-m", "tests.cluster.hostile"]),
    Step("kills in a cluster", ["-m", "tests.cluster.kills"]),
    Step("a cluster is upgraded", ["-m", "tests.cluster.upgrade"]),
]
STEPS = [
    Step("hostile programs, and what they do outside", [*HOSTILE, "--twins"]),
    *(
        Step(f"hostile programs in {spec.name}", [*HOSTILE, "--runtime", spec.name])
        for spec in SPECS.values()
        if spec.extra and spec.installed
    ),
    *([Step("hostile programs of an ordinary user", [*HOSTILE, "--as-user"])] if os.geteuid() == 0 else []),
    *(OF_CLUSTERS if find_spec("ray") and os.geteuid() == 0 else []),
    Step("load: nothing is lost or left", [*PYTEST, "-m", "nightly", "tests/load"]),
    Step("what each change tests a sample of", [*PYTEST, "--numprocesses=auto", "-m", "nightly", "--ignore=tests/load"]),
    Step("10,000 changes by two writers", [*PYTEST, "--timeout=3600", "tests/classroom/test_interleaved.py"], MANY_CHANGES),
    Step("load: siege", ["-m", "tests.load.siege"]),
    Step("load: 10,000 runs in a row", ["-m", "tests.load.soak"]),
    Step("kills", ["-m", "tests.load.kills"]),
    Step("kills with PostgreSQL", ["-m", "tests.load.kills", "--postgresql", "--kills", "60", "--learners", "40"]),
    Step("backups with PostgreSQL", ["-m", "tests.load.backup_under_load"]),
    Step("load: neighbours of attackers", ["-m", "tests.load.neighbours"]),
    Step("load: forty first visits", ["-m", "tests.load.first_visits"]),
    Step("load: a class that submits at once", ["-m", "tests.load.submissions"]),
    Step("load: a small disk", ["-m", "tests.load.full_disk"]),
    Step("lessons, run", ["-m", "app.cli", "lessons", "check"]),
    Step(
        "lessons in a browser",
        [*PYTEST, "--numprocesses=auto", "--dist=loadgroup", "tests/browser/every_lesson.py", "tests/grading/every_memory_limit.py"],
        EVERY_ELEMENT | EVERY_LANGUAGE,
    ),
    Step("other pages in a browser", [*PYTEST, "--numprocesses=auto", "tests/browser"], EVERY_ELEMENT),
    Step("processors", ["-m", "tests.processors"]),
]


def main() -> int:
    words = sys.argv[1:]
    chosen = [step for step in STEPS if not words or any(word in step.name for word in words)]
    table = [run(step) for step in chosen]
    print("\n".join(["", *(line for line, _ in table)]))
    return 0 if chosen and all(passed for _, passed in table) else 1


def run(step: Step) -> tuple[str, bool]:
    """Return a line of the table, and whether the step passed."""
    print(f"… {step.name}", flush=True)
    start = time.monotonic()
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        command = [sys.executable, *step.arguments]
        status = subprocess.run(command, check=False, stdout=output, stderr=subprocess.STDOUT, env=os.environ | step.environment).returncode
        output.seek(0)
        if status:
            print("".join(output.readlines()[-LAST_LINES:]), flush=True)
    return f"{'ok' if status == 0 else 'FAILED':8}{time.monotonic() - start:8.0f} s  {step.name}", status == 0


if __name__ == "__main__":
    sys.exit(main())
