"""Runs programs in children whose confinement lacks single layers: for the tests of the layers."""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple, cast

from app.protocol.event import Stdout
from app.protocol.limits import MEBIBYTE, Limits
from app.protocol.outcome import Outcome
from app.protocol.run import Program, RunOrder, Source
from app.runner.conversation.child_handle import ChildHandle
from app.runner.drawing.layout_workers import LayoutWorkers
from app.runner.drawing.pictures import Pictures
from app.runner.runs.attempt import Attempt
from app.runner.zygotes import zygote_handle as zygotes
from app.runner.zygotes.zygote_handle import ZygoteHandle
from app.runtimes.specs import SPECS
from app.sandbox.cgroups.cgroup import Group
from app.sandbox.confinement.rlimits import Budget
from app.sandbox.verification.verification import Marks
from tests.sandbox.ordinary_user import UID, as_ordinary_user

PROJECT = Path(__file__).resolve().parents[3]
FIRST_UID = int(os.environ.get("GRADROOM_FIRST_UID", "210000")) + 900
SECRET = "the-secret-of-this-server"
LIMITS = Limits(deadline_seconds=10, scratch_bytes=MEBIBYTE, scratch_inodes=64)
BUDGET = Budget(memory_bytes=256 * MEBIBYTE, cpu_seconds=1, scratch_bytes=MEBIBYTE, scratch_inodes=64, threads=16)


class WeakenedZygote(ZygoteHandle):
    """A zygote without some layers. Its children are verified only if the test wants it."""

    def __init__(self, folder: Path, left_out: list[str], as_user: bool, verified: bool, environment: dict[str, str]) -> None:
        super().__init__(SPECS["torch"], folder, FIRST_UID, True, lambda _: None)
        self._left_out = left_out
        self.verified = verified
        self._change = as_ordinary_user() if as_user else []
        self._environment = environment
        if as_user:
            os.chown(self._folder, UID, UID)

    @property
    def pid(self) -> int:
        return self._process.pid

    def _spawn(self, theirs: "zygotes.socket.socket") -> "subprocess.Popen[bytes]":
        module = [sys.executable, "-s", "-m", "tests.sandbox.layers.zygote", str(theirs.fileno()), *self._left_out]
        environment = zygotes._ENVIRONMENT | self._environment
        return subprocess.Popen(
            [*self._change, *module], cwd=PROJECT, env=environment, stdin=subprocess.DEVNULL, pass_fds=(theirs.fileno(),)
        )

    def _marks(self, uid: int, budget: Budget, group: Group | None) -> Marks | None:
        return super()._marks(uid, budget, group) if self.verified else None


@contextmanager
def open_folder() -> Iterator[Path]:
    """Make a folder that every uid may enter, with a file that only its owner may read."""
    with tempfile.TemporaryDirectory(prefix="layers-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        (folder / "secret").write_text(SECRET)
        (folder / "secret").chmod(0o600)
        yield folder


@asynccontextmanager
async def warm_zygote(
    folder: Path, *left_out: str, as_user: bool = False, verified: bool = False, environment: dict[str, str] | None = None
) -> AsyncIterator[WeakenedZygote]:
    zygote = WeakenedZygote(folder, list(left_out), as_user, verified, environment or {})
    try:
        await zygote.start()
        yield zygote
    finally:
        zygote.stop()
        await zygote.cleared


@asynccontextmanager
async def ready_child(zygote: ZygoteHandle, slot: int = 0) -> AsyncIterator[ChildHandle]:
    """Return a child, verified if the zygote's children are. Raises NotConfined."""
    child = zygote.fork(slot, FIRST_UID + slot, BUDGET)
    try:
        async with asyncio.timeout(20):
            await asyncio.shield(child.ready)
        yield child
    finally:
        child.kill()
        child.close()


class Tried(NamedTuple):
    """What a program printed, and how it ended."""

    stdout: str
    outcome: Outcome


async def attempt_program(child: ChildHandle, text: str, limits: Limits = LIMITS) -> Tried:
    order = RunOrder(program=Program(source=Source(text=text)), limits=limits)
    attempt = Attempt(order, child, Pictures(cast(LayoutWorkers, None), limits, "en"))
    printed = [event.text async for event in attempt.events() if isinstance(event, Stdout)]
    return Tried("".join(printed), attempt.ending.outcome)
