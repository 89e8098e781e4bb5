"""Every hostile program is contained, as root and as an ordinary user, and would not be without the sandbox.

The suite runs in processes of its own (see `__main__`), because it adopts the orphans that programs leave; a test here is about all of
its verdicts. docs/sandbox.md says how to run it in a container. `python -m tests.nightly` also runs what cannot have changed: as an
ordinary user the rows whose defence is the same as root's, and twins that are recorded to succeed.
"""

import os
import warnings
from collections.abc import Iterator

import pytest

from app.sandbox.confinement.seccomp import native_architecture
from app.sandbox.confinement.system_calls import list_rules
from tests.one_test import in_one_test
from tests.sandbox.hostile.row import ALIKE_GROUPS, PROGRAMS, HeaderError, load_rows, parse_row
from tests.sandbox.hostile.twin_record import describe_present, find_change, load_record
from tests.sandbox.hostile.verdicts import Verdicts, running_suite

pytestmark = pytest.mark.timeout(600)  # the first test of a suite waits for all programs

ROWS = load_rows()
GROUPS = sorted({row.group for row in ROWS})
BY_WHO = [row for row in ROWS if row.depends_on_who]
HARMLESS = "# tries: nothing\n# outcome: finished\nprint(1)\n"


# one after the other: together they would leave the other workers' tests little of the machine


@pytest.fixture(scope="module")
def here() -> Iterator[Verdicts]:
    """Run all programs as the user who runs the tests."""
    with running_suite() as verdicts:
        yield verdicts


@pytest.fixture(scope="module")
def twins() -> Iterator[Verdicts]:
    """Run all programs outside of the sandbox, unless it is recorded that they succeed there."""
    change = find_change(load_record(), describe_present())
    if change is None:
        pytest.skip("recorded in twins.json: with these programs, Python, torch and kernel all of them succeed")
    warnings.warn(f"twins.json has another {change}: all twins run, which takes a minute. See `--record-twins`.", stacklevel=1)
    with running_suite("--twins-only") as verdicts:
        yield verdicts


@pytest.fixture(scope="module")
def user() -> Iterator[Verdicts]:
    """Run the programs against which an ordinary user has another defence, as such a user."""
    if os.geteuid() != 0:
        pytest.skip("this is an ordinary user already")
    with running_suite("--as-user", "--by-who") as verdicts:
        yield verdicts


@in_one_test("name", [row.name for row in ROWS] + [f"{group}/afterwards" for group in GROUPS])
def test_the_program_is_contained(name: str, here: Verdicts) -> None:
    assert here.wrong(name) == []


@in_one_test("name", [row.name for row in ROWS if not row.twin.as_root or os.geteuid() == 0])
def test_the_program_would_work_outside(name: str, twins: Verdicts) -> None:
    assert twins.wrong(f"{name} (twin)") == []


@in_one_test("name", [row.name for row in BY_WHO] + [f"{group}/afterwards" for group in sorted({row.group for row in BY_WHO})])
def test_the_program_is_contained_for_an_ordinary_user(name: str, user: Verdicts) -> None:
    assert user.wrong(name) == []


@pytest.mark.parametrize("namespaces", [True, False])
def test_an_ordinary_users_filter_allows_no_more_than_roots(namespaces: bool) -> None:
    """So one of them is enough to try what the filter refuses. Without a uid of its own, a run may change modes only in namespaces."""
    roots = list_rules(may_change_modes=True, may_ask_for_room=namespaces, architecture=native_architecture())
    users = list_rules(may_change_modes=namespaces, may_ask_for_room=namespaces, architecture=native_architecture())
    assert all(rule in roots for rule in users)


def test_the_groups_that_are_alike_exist() -> None:
    assert set(GROUPS) > ALIKE_GROUPS


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
