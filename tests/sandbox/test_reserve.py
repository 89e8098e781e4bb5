"""Space that removed files use up: when it is noticed, and which run is suspected."""

import os

import pytest

from app.sandbox.scratch import reserve
from app.sandbox.scratch.reserve import Reserve, system_ticks

BOUND = 100
BUSY, IDLE = 11, 22


class Machine:
    """Imitates free bytes and inodes, and the time of processes in the kernel."""

    def __init__(self) -> None:
        self.free = [10_000, 10_000]
        self.ticks = {BUSY: 50, IDLE: 300}


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine()
    monkeypatch.setattr(reserve, "_UNNOTICED_BYTES", 0)
    monkeypatch.setattr(reserve, "free_space", lambda _: tuple(made.free))
    monkeypatch.setattr(reserve, "system_ticks", made.ticks.get)
    return made


@pytest.fixture
def held(machine: Machine) -> Reserve:
    """A reserve with two runs, of which one has been busy since it began."""
    made = Reserve("/")
    assert not suspected(made, BUSY)
    assert not suspected(made, IDLE)
    machine.ticks[BUSY] += 5
    machine.ticks[IDLE] += 1
    return made


def suspected(held: Reserve, pid: int) -> bool:
    return held.suspects(pid, BOUND, BOUND)


def test_nobody_is_suspected_while_there_is_space(held: Reserve, machine: Machine) -> None:
    machine.free = [9_400, 500]  # as much as two runs may keep, and four more
    assert not suspected(held, BUSY)


def test_who_is_busiest_is_suspected_when_space_goes(held: Reserve, machine: Machine) -> None:
    machine.free = [9_399, 10_000]
    assert (suspected(held, BUSY), suspected(held, IDLE)) == (True, False)


def test_who_is_busiest_is_suspected_when_little_is_left(held: Reserve, machine: Machine) -> None:
    machine.free = [10_000, 399]
    assert (suspected(held, BUSY), suspected(held, IDLE)) == (True, False)


def test_what_is_over_is_forgotten(held: Reserve, machine: Machine) -> None:
    machine.free = [9_000, 10_000]
    held.forget(BUSY)
    assert not suspected(held, BUSY)


def test_runs_that_did_nothing_are_spared(held: Reserve, machine: Machine) -> None:
    machine.free = [0, 0]
    held.forget(BUSY)
    assert not suspected(held, IDLE)


def test_a_file_system_that_was_full_before_is_nobodys_fault(machine: Machine) -> None:
    machine.free = [300, 300]
    held = Reserve("/")
    suspected(held, BUSY)
    machine.ticks[BUSY] += 5
    machine.free = [160, 160]
    assert not suspected(held, BUSY)


def test_time_in_the_kernel_is_read_from_proc() -> None:
    for _ in range(20_000):
        os.stat("/")
    assert 0 < system_ticks(os.getpid()) <= os.times().system * os.sysconf("SC_CLK_TCK") + 1
    assert system_ticks(2**22) == 0
