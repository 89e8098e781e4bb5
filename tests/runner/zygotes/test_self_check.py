"""The attacks that a runner makes on itself, in real children, and what it makes of what they say.

The children are bare; those of every other runner of the tests are attacked too, or it would not be ready.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from app.protocol.sandbox import Check
from app.runner.conversation.child_handle import ChildHandle
from app.runner.zygotes import zygote_handle
from app.runner.zygotes.self_check import attacks_on, judge, run_self_check
from app.runner.zygotes.zygote_handle import ZygoteHandle
from app.runtimes.specs import SPECS
from app.sandbox.confinement.rlimits import Budget
from app.sandbox.verification import attacks
from app.sandbox.verification.attacks import ATTACKS
from app.settings import load_settings
from tests.bare.gradroom import BARE_ZYGOTE
from tests.sandbox.test_assessment import host

NAMES = attacks_on(host())
BUDGET = Budget(memory_bytes=2**29, cpu_seconds=11, scratch_bytes=2**26, scratch_inodes=4096, threads=64)
EVERY_LINE = [json.dumps([name, True, "Operation not permitted"]) for name in NAMES]


def with_child(folder: Path, then: Callable[[ZygoteHandle, ChildHandle], object], confined: bool = True) -> object:
    """Return the result of `then` for a new child of a new zygote."""

    async def scenario() -> object:
        uid = load_settings().first_uid
        zygote = ZygoteHandle(SPECS["torch"], folder, uid, confined, lambda _: None)
        try:
            with patch.object(zygote_handle, "COMMAND", BARE_ZYGOTE):
                await zygote.start()
            child = zygote.fork(0, uid + 1, BUDGET)
            await child.ready
            try:
                return await then(zygote, child)  # type: ignore[misc]
            finally:
                child.close()
        finally:
            zygote.stop()
            await zygote.cleared

    return asyncio.run(scenario())


@pytest.fixture(scope="module")
def open_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the uid of a run can pass through."""
    folder = tmp_path_factory.mktemp("zygote")
    for one in (folder, *folder.parents[:2]):
        one.chmod(0o711)
    return folder


@pytest.fixture(scope="module")
def both_checks(open_folder: Path) -> tuple[list[Check], list[Check]]:
    """Return the checks of a child, and those of a second child of the same zygote, which was killed and does not answer."""

    async def check(zygote: ZygoteHandle, child: ChildHandle) -> tuple[list[Check], list[Check]]:
        found = await run_self_check(child, zygote.host)
        killed = zygote.fork(1, load_settings().first_uid + 2, BUDGET)
        await killed.ready
        killed.kill()
        try:
            return found, await run_self_check(killed, zygote.host)
        finally:
            killed.close()

    return with_child(open_folder, check)  # type: ignore[misc]


@pytest.fixture(scope="module")
def checks(both_checks: tuple[list[Check], list[Check]]) -> list[Check]:
    return both_checks[0]


def test_every_attack_on_a_real_child_is_refused(checks: list[Check]) -> None:
    assert [check.detail for check in checks if not check.passed] == []
    assert len(checks) >= 10


def test_a_check_says_what_was_tried_and_what_the_kernel_said(checks: list[Check]) -> None:
    details = {check.name: check.detail for check in checks}
    assert details["start_process"] == "tried to start another process: refused (Operation not permitted)"
    assert details["take_memory"] == "tried to take more memory than a run may use: refused (Cannot allocate memory)"


def test_the_attacks_on_a_child_without_a_sandbox_are_noticed(open_folder: Path) -> None:
    async def check(zygote: ZygoteHandle, child: ChildHandle) -> list[Check]:
        return await run_self_check(child, host())

    found = with_child(open_folder, check, confined=False)
    assert isinstance(found, list)
    allowed = {check.name: check.detail for check in found if not check.passed}
    assert {"read_files", "read_processes", "start_process", "open_socket", "look_into_processes"} <= set(allowed)
    assert allowed["start_process"] == "tried to start another process: NOT refused: fork"


def test_a_child_that_does_not_answer_has_passed_nothing(both_checks: tuple[list[Check], list[Check]]) -> None:
    found = both_checks[1]
    assert not any(check.passed for check in found)
    assert [check.name for check in found] == [name for name in ATTACKS if name in {check.name for check in found}]


def test_what_was_told_whole_has_passed() -> None:
    assert all(check.passed for check in judge(NAMES, "\n".join(EVERY_LINE)))


@pytest.mark.parametrize(
    "lines",
    [
        [],
        EVERY_LINE[:-1],
        [*EVERY_LINE, EVERY_LINE[-1]],
        [*EVERY_LINE, '["another", true, ""]'],
        EVERY_LINE[::-1],
        [*EVERY_LINE[:-1], json.dumps([NAMES[-1], 1, ""])],
        [*EVERY_LINE[:-1], json.dumps([NAMES[-1], True, "", ""])],
        [*EVERY_LINE[:-1], json.dumps({"name": NAMES[-1], "refused": True, "words": ""})],
        [*EVERY_LINE, "hello"],
        ["\udc80"],
    ],
)
def test_what_is_missing_or_in_other_words_has_not_passed(lines: list[str]) -> None:
    assert not any(check.passed for check in judge(NAMES, "\n".join(lines)))


def test_what_was_not_refused_is_said() -> None:
    lines = [json.dumps([name, name != "open_socket", "a socket (Unix)"]) for name in NAMES]
    (failed,) = (check for check in judge(NAMES, "\n".join(lines)) if not check.passed)
    assert failed.name == "open_socket"
    assert failed.detail == "tried to open a network connection, or any other socket: NOT refused: a socket (Unix)"


def test_without_a_file_system_of_its_own_a_child_is_not_asked_to_fill_it() -> None:
    assert "fill_scratch" in attacks_on(host())
    assert "fill_scratch" not in attacks_on(host(namespaces=False))


def test_a_process_that_an_attack_started_is_waited_for() -> None:
    """A later attack traces the child. If the process ended after that, its end would stop the child for good."""
    program = f"{Path(attacks.__file__).read_text()}\nfork()\nos.waitpid(-1, 0)\n"
    ended = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True)
    assert ended.stderr.endswith("ChildProcessError: [Errno 10] No child processes\n")


def test_outside_of_a_sandbox_the_attacks_succeed(tmp_path: Path) -> None:
    """Each would be noticed. What needs a right that the tests may not have, or an interface this kernel may not have, is left out."""
    names = [name for name in ATTACKS if name not in ("change_mounts", "gain_privileges", "use_kernel_interfaces")]
    around = attacks.Surroundings(
        runner=os.getppid(),
        source=__file__,
        memory_bytes=2**20,
        scratch_bytes=4096,
        calls={"execve": 59 if os.uname().machine == "x86_64" else 221, "pidfd_open": 434},
    )
    program = f"{Path(attacks.__file__).read_text()}\nattack_all({names!r}, {around!r})\n"
    # one descriptor more than a child has
    reader, writer = os.pipe()
    ended = subprocess.run(
        (sys.executable, "-c", program), cwd=tmp_path, capture_output=True, text=True, pass_fds=(reader, writer), check=True
    )
    refused = {name: was_refused for name, was_refused, _ in map(json.loads, ended.stdout.splitlines())}
    assert refused == dict.fromkeys(names, False)
