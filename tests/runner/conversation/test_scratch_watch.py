"""The watch over a run's scratch: what its answers lead to, and real runs on hosts that grant no tmpfs."""

import asyncio
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.protocol.limits import Limits
from app.protocol.outcome import Outcome
from app.runner.conversation import scratch_watch
from app.runner.conversation.scratch_watch import ScratchWatch
from tests.programs import BARE_RUNNER, Programs, running_programs
from tests.sandbox.missing import NAMESPACES, without
from tests.sandbox.ordinary_user import as_ordinary_user

SMALL = Limits(scratch_bytes=4 * 1024 * 1024, scratch_inodes=200)
HELD = "import time\ntime.sleep({seconds})\nprint('kept')\n"


@pytest.mark.parametrize(
    ("answers", "asked"),
    [([False], 1), ([True, True, False], 3), ([None, None], 2), ([True, None, True, None, None], 5)],
)
def test_it_ends_when_the_bounds_are_passed_or_nobody_can_tell_twice(
    answers: list[bool | None], asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch_watch, "_BETWEEN_SECONDS", 0)
    given = iter(answers)
    count = 0

    def ask() -> None:
        nonlocal count
        count += 1
        asyncio.get_running_loop().call_soon(lambda: watch.take(next(given)))

    watch = ScratchWatch(ask)
    asyncio.run(watch.wait_until_over())
    assert count == asked


def test_no_answer_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_BETWEEN_SECONDS", "_PATIENCE_SECONDS"):
        monkeypatch.setattr(scratch_watch, name, 0)
    asyncio.run(ScratchWatch(lambda: None).wait_until_over())


def test_a_paused_run_is_left_alone_until_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch_watch, "_BETWEEN_SECONDS", 0)
    asked: list[bool] = []

    def ask() -> None:
        asked.append(True)
        asyncio.get_running_loop().call_soon(lambda: watch.take(len(asked) == 1))

    watch = ScratchWatch(ask)

    async def scenario() -> None:
        watch.halt()
        watching = asyncio.create_task(watch.wait_until_over())
        for _ in range(100):
            await asyncio.sleep(0)
        assert len(asked) == 1
        watch.go()
        await watching

    asyncio.run(scenario())
    assert len(asked) == 2


@pytest.fixture(scope="module", params=["root", "user"])
def crowded(request: pytest.FixtureRequest) -> Iterator[Programs]:
    """A runner whose runs share a file system: it is refused namespaces."""
    if request.param == "root" and os.geteuid() != 0:
        pytest.skip("needs root")
    change = as_ordinary_user() if request.param == "user" else []
    with running_programs([*change, *without(NAMESPACES)], runner=BARE_RUNNER) as running:
        yield running


@pytest.mark.parametrize(
    "source",
    [
        "import time\nfor number in range(9): open(str(number), 'wb').write(b'x' * 10**6)\ntime.sleep(60)",
        "import time\nfor number in range(300): open(str(number), 'w').close()\ntime.sleep(60)",
        "import os, time\nfor number in range(300):\n    os.mkdir('d')\n    os.chdir('d')\ntime.sleep(60)",
        "import os, time\nos.mkdir('closed', 0)\ntime.sleep(60)",
        "import os\nfor name in 'ab': open(name, 'wb').write(b'x' * 3_000_000)\nwhile True: os.rename('a', 'c'), os.rename('c', 'a')",
    ],
    ids=["bytes", "files", "depth", "closed", "renamed"],
)
def test_a_run_that_keeps_too_much_is_ended_and_told_why(crowded: Programs, source: str) -> None:
    result = crowded.run(source, SMALL)
    assert result.outcome == Outcome.FORBIDDEN
    assert result.error is not None
    assert result.error.type == "ScratchLimit"
    assert result.error.line is not None
    assert "4 MiB" in (result.error.explanation or "")
    assert crowded.run("import os\nprint(os.listdir('.'))").stdout == "[]\n"


def test_a_run_within_its_bounds_goes_on(crowded: Programs) -> None:
    source = (
        "import os\nfor number in range(150):\n    folder = f'd/{number % 7}'\n    os.makedirs(folder, exist_ok=True)\n"
        "    open(f'{folder}/{number}', 'w').write('x' * 9000)\n"
    )
    result = crowded.run(source + HELD.format(seconds=1.2), SMALL)
    assert (result.outcome, result.stdout) == (Outcome.FINISHED, "kept\n")


def test_a_runner_that_is_stopped_leaves_nothing_however_deep(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        with running_programs([*scratch_in(folder), *without(NAMESPACES)], runner=BARE_RUNNER) as programs:
            programs.run("import os\nfor _ in range(1500):\n    os.mkdir('d')\n    os.chdir('d')")
            assert os.listdir(folder) != []
        assert os.listdir(folder) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small file system")
def test_removed_files_that_are_still_open_are_noticed_by_the_space_they_take() -> None:
    hide = (
        "import os, time\nkept = []\nfor _ in range(200):\n    try:\n        kept.append(open('f', 'wb', 0))\n"
        "        os.remove('f')\n        kept[-1].write(bytes(4 * 10**6))\n    except OSError: pass\n    time.sleep(.01)\ntime.sleep(60)"
    )
    with small_file_system() as folder, running_programs([*scratch_in(folder), *without(NAMESPACES)], runner=BARE_RUNNER) as programs:
        result = programs.run(hide)
        assert result.error is not None
        assert (result.outcome, result.error.type) == (Outcome.FORBIDDEN, "ScratchLimit")
        fill = "open('f', 'wb').write(bytes(40 * 10**6))"
        tries = (programs.run(fill).outcome for _ in range(100))  # a process that is killed gives back what it held a moment later
        assert Outcome.FINISHED in tries


@contextmanager
def small_file_system() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=150m,mode=755", "tmpfs", folder], check=True)
        try:
            yield folder
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def scratch_in(folder: str) -> list[str]:
    return ["env", f"GRADROOM_SCRATCH_FOLDER={folder}"]
