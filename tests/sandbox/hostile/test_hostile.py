"""Every hostile program is contained, as root and as an ordinary user, and would not be without the sandbox.

The suite runs beside pytest, in processes of its own (see `__main__`), because it takes in the orphans of whatever the programs try;
each verdict is a test here. In containers it runs by itself: docs/sandbox.md says how.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sandbox.hostile.row import PROGRAMS, HeaderError, load_rows, parse_row

pytestmark = pytest.mark.timeout(600)  # the first test of a session waits for all programs

PROJECT = Path(__file__).resolve().parents[3]
ROWS = load_rows()
GROUPS = sorted({row.group for row in ROWS})
HARMLESS = "# tries: nothing\n# outcome: finished\nprint(1)\n"

Verdicts = dict[str, list[str]]  # what is wrong, by name


class Suite:
    """The suite in a process of its own; its verdicts once they are asked for."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "tests.sandbox.hostile", "--json", *options]
        # an error that ends it is shown by the test that misses its verdict
        self._process = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True)
        self._verdicts: Verdicts | None = None

    def wrong(self, name: str) -> list[str]:
        if self._verdicts is None:
            output, _ = self._process.communicate()
            self._verdicts = {told["name"]: told["wrong"] for told in map(json.loads, output.splitlines())}
        return self._verdicts.get(name, ["there is no verdict: the suite broke off"])

    def end(self) -> None:
        """Let it end its runner, if it was not waited for."""
        if self._verdicts is None:
            self._process.send_signal(signal.SIGINT)
            self._process.communicate()


@pytest.fixture(scope="session")
def suites() -> Iterator[dict[str, Suite]]:
    """All of them at once: the programs as whoever runs the tests and as an ordinary user, and the twins."""
    started = {"here": Suite(), "twins": Suite("--twins-only")}
    if os.geteuid() == 0:
        started["user"] = Suite("--as-user")
    yield started
    for suite in started.values():
        suite.end()


@pytest.mark.parametrize("name", [row.name for row in ROWS] + [f"{group}/afterwards" for group in GROUPS])
def test_the_program_is_contained(name: str, suites: dict[str, Suite]) -> None:
    assert suites["here"].wrong(name) == []


@pytest.mark.parametrize("name", [row.name for row in ROWS if not row.twin.as_root or os.geteuid() == 0])
def test_the_program_would_work_outside(name: str, suites: dict[str, Suite]) -> None:
    assert suites["twins"].wrong(f"{name} (twin)") == []


@pytest.mark.parametrize("name", [row.name for row in ROWS] + [f"{group}/afterwards" for group in GROUPS])
def test_the_program_is_contained_for_an_ordinary_user(name: str, suites: dict[str, Suite]) -> None:
    if os.geteuid() != 0:
        pytest.skip("this is an ordinary user already")
    assert suites["user"].wrong(name) == []


@pytest.mark.parametrize(
    "source",
    [
        HARMLESS.replace("# tries: nothing\n", ""),
        HARMLESS.replace("# outcome: finished\n", ""),
        HARMLESS.replace("finished", "well"),
        HARMLESS.replace("# tries: nothing", "# tries: nothing\n# tries: again"),
        HARMLESS.replace("# tries", "# attempts"),
        HARMLESS.replace("# outcome", "# twin: perhaps\n# outcome"),
        HARMLESS.replace("# outcome", "# twin: none\n# outcome"),
        HARMLESS.replace("# outcome", "# settings: moon\n# outcome"),
    ],
)
def test_a_header_that_says_too_little_or_too_much_is_refused(source: str) -> None:
    with pytest.raises(HeaderError):
        parse_row("group/name", source)


def test_the_twin_has_its_own_bounds() -> None:
    row = parse_row("group/name", HARMLESS + "ROUNDS = 10**12  # twin: 20\n")
    assert "ROUNDS = 10**12" in row.source and row.twin.source.endswith("ROUNDS = 20\n")


def test_every_program_has_a_row() -> None:
    assert len(ROWS) == len([path for path in PROGRAMS.rglob("*") if path.is_file() and "__pycache__" not in path.parts])
