"""A runner of one's own: there while the block lasts, and then gone."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from app.runner import local
from app.runner.local import local_runner
from tests.bare.gradroom import BARE_GRADROOM
from tests.bench.processes import descendants, parent
from tests.patience import wait_for
from tests.programs import order_of
from tests.runner.chaos.anatomy import gone


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Have `python -m app.cli` start a runner with bare zygotes."""
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nshift 3\nexec {" ".join(BARE_GRADROOM)} "$@"\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))


@pytest.mark.usefixtures("bare")
def test_it_runs_programs_and_ends_with_the_block() -> None:
    before = own_children()

    async def scenario() -> list[int]:
        async with local_runner() as runner, runner.run(order_of("print('on')")) as stream:
            assert "on\n" in [getattr(event, "text", None) async for event in stream]
            made = own_children() - before  # the servers of other tests may go on making processes below theirs
            return [pid for child in made for pid in (child, *descendants(child))]

    processes = asyncio.run(scenario())
    assert processes
    wait_for(lambda: gone(processes))


def test_a_runner_that_will_not_end_is_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\ntrap '' TERM\nexec sleep 60\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr(local, "_START_SECONDS", 0.5)
    monkeypatch.setattr(local, "_END_SECONDS", 0.05)
    before = own_children()

    async def scenario() -> list[int]:
        async with asyncio.timeout(20), local.started_runner(lambda status: status.ready) as (_, status):
            assert not status.ready
            return [*own_children() - before]

    stubborn = asyncio.run(scenario())
    assert stubborn
    wait_for(lambda: gone(stubborn))


def own_children() -> set[int]:
    own = os.getpid()
    return {pid for pid in descendants(own) if parent(pid) == own}
