"""Space that goes without being in any folder: when it is noticed, and who is suspected."""

import os

import pytest

from app.sandbox import reserve
from app.sandbox.reserve import Reserve, busiest_in_kernel, system_ticks

BOUND = 100
BUSY, IDLE, OTHER = 11, 22, 33


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Free bytes and inodes, to be changed; and time in the kernel of three processes."""
    now = [10_000, 10_000]
    monkeypatch.setattr(reserve, "free_space", lambda _: tuple(now))
    monkeypatch.setattr(reserve, "system_ticks", {BUSY: 50, IDLE: 3, OTHER: 4}.get)
    return now


def suspected(held: Reserve, pid: int) -> bool:
    return held.suspects(pid, [BUSY, IDLE, OTHER], BOUND, BOUND)


def test_nobody_is_suspected_while_there_is_space(free: list[int]) -> None:
    held = Reserve("/")
    free[:] = [9_700, 9_000]
    assert not suspected(held, BUSY)


def test_who_is_busiest_is_suspected_when_little_is_left(free: list[int]) -> None:
    held = Reserve("/")
    for left in ([399, 10_000], [10_000, 399]):
        free[:] = left
        assert (suspected(held, BUSY), suspected(held, IDLE)) == (True, False)


def test_what_goes_while_a_run_lasts_is_noticed_long_before(free: list[int]) -> None:
    held = Reserve("/")
    assert not suspected(held, BUSY)
    free[0] -= 500
    assert not suspected(held, BUSY)
    free[0] -= 1
    assert suspected(held, BUSY)
    held.forget(BUSY)
    assert not suspected(held, BUSY)


def test_a_file_system_that_was_full_before_is_nobodys_fault(free: list[int]) -> None:
    free[:] = [300, 300]
    held = Reserve("/")
    free[:] = [160, 160]
    assert not suspected(held, BUSY)


def test_runs_that_did_nothing_are_spared(free: list[int]) -> None:
    held = Reserve("/")
    free[0] = 0
    assert not held.suspects(IDLE, [IDLE, OTHER], BOUND, BOUND)


def test_time_in_the_kernel_is_read_from_proc() -> None:
    for _ in range(20_000):
        os.stat("/")
    assert 0 < system_ticks(os.getpid()) <= os.times().system * os.sysconf("SC_CLK_TCK") + 1
    assert system_ticks(2**22) == 0
    assert busiest_in_kernel([2**22]) is None
