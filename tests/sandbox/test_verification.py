"""Looking at a child from outside: a process that is not locked down is told apart from one that is."""

import os

import pytest

from app.sandbox.verification import EXPECTED_PROBES, NotConfined, read_status, verify_child
from tests.programs import Programs

REFUSED = dict.fromkeys(EXPECTED_PROBES, True)


def test_an_ordinary_process_is_not_taken_for_confined() -> None:
    with pytest.raises(NotConfined):
        verify_child(os.getpid(), None, REFUSED)


def test_a_process_that_is_gone_is_not_taken_for_confined() -> None:
    with pytest.raises(NotConfined, match="gone"):
        read_status(2**22 + 1)


def test_the_children_of_a_runner_show_every_mark(programs: Programs) -> None:
    checks = {check.name: check.passed for check in programs.status().sandbox.checks} if programs.status().sandbox else {}
    assert checks == REFUSED


def test_a_program_sees_its_own_confinement(programs: Programs) -> None:
    source = "import os\nprint(os.getuid() != 0, os.getgroups(), sorted(int(n) for n in range(64) if os.path.exists(f'/proc/self/fd/{n}')))"
    assert programs.run(source).stdout.startswith("True []")
