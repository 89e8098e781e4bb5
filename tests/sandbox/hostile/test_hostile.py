"""Every hostile program is contained, as root and as an ordinary user, and would not be without the sandbox.

The suite runs in processes of its own (see `__main__`), because it takes in the orphans of whatever the programs try; each of
its verdicts is a test here. In containers it runs by itself: docs/sandbox.md says how.
"""

import os
from collections.abc import Iterator

import pytest

from tests.sandbox.hostile.row import PROGRAMS, HeaderError, load_rows, parse_row
from tests.sandbox.hostile.verdicts import Verdicts, running_suite

pytestmark = pytest.mark.timeout(600)  # the first test of a suite waits for all programs

ROWS = load_rows()
GROUPS = sorted({row.group for row in ROWS})
HARMLESS = "# tries: nothing\n# outcome: finished\nprint(1)\n"


# one after the other: together they would leave the other workers' tests little of the machine


@pytest.fixture(scope="module")
def here() -> Iterator[Verdicts]:
    """The programs as whoever runs the tests."""
    with running_suite() as verdicts:
        yield verdicts


@pytest.fixture(scope="module")
def twins() -> Iterator[Verdicts]:
    """The programs outside of the sandbox."""
    with running_suite("--twins-only") as verdicts:
        yield verdicts


@pytest.fixture(scope="module")
def user() -> Iterator[Verdicts]:
    """The programs as an ordinary user."""
    if os.geteuid() != 0:
        pytest.skip("this is an ordinary user already")
    with running_suite("--as-user") as verdicts:
        yield verdicts


@pytest.mark.parametrize("name", [row.name for row in ROWS] + [f"{group}/afterwards" for group in GROUPS])
def test_the_program_is_contained(name: str, here: Verdicts) -> None:
    assert here.wrong(name) == []


@pytest.mark.parametrize("name", [row.name for row in ROWS if not row.twin.as_root or os.geteuid() == 0])
def test_the_program_would_work_outside(name: str, twins: Verdicts) -> None:
    assert twins.wrong(f"{name} (twin)") == []


@pytest.mark.parametrize("name", [row.name for row in ROWS] + [f"{group}/afterwards" for group in GROUPS])
def test_the_program_is_contained_for_an_ordinary_user(name: str, user: Verdicts) -> None:
    assert user.wrong(name) == []


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
        HARMLESS.replace("# outcome", "# runtimes: moon\n# outcome"),
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
