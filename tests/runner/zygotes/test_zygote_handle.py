"""A zygote seen from the runner: what happens when it ends."""

import asyncio
import gc
import os
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from app.protocol.limits import Limits
from app.runner.conversation.child_handle import ChildLost
from app.runner.runs.run_children import budget_of
from app.runner.zygotes import zygote_handle
from app.runner.zygotes.slots import Slots
from app.runner.zygotes.zygote_handle import ZygoteHandle
from app.runtimes.specs import SPECS
from app.sandbox.cgroups.cgroup import open_groups
from app.sandbox.confinement.rlimits import Present
from app.sandbox.zygote.control import PACKET_BYTES, Begin, Warm
from tests.bare.gradroom import BARE_ZYGOTE
from tests.runner.zygotes.test_pool import FIRST_UID
from tests.sandbox.test_assessment import FULL

FILES = 50_000


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder that the uids of runs can pass through."""
    with tempfile.TemporaryDirectory(prefix="gradroom-zygote-") as name:
        os.chmod(name, 0o711)
        yield Path(name)


def test_what_a_zygote_leaves_is_removed_without_holding_up_the_loop(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zygote_handle, "COMMAND", BARE_ZYGOTE)

    async def scenario() -> None:
        zygote = ZygoteHandle(SPECS["torch"], folder, FIRST_UID, True, lambda _: None)
        await zygote.start()
        (own,) = folder.iterdir()
        scratch = own / "1"
        scratch.mkdir()
        for number in range(FILES):
            (scratch / str(number)).touch()
        zygote.stop()
        assert scratch.exists()  # stopping it returned first
        await zygote.cleared
        assert list(folder.iterdir()) == []

    asyncio.run(scenario())


@pytest.mark.parametrize("read", [True, False], ids=["read", "unread"])
@pytest.mark.parametrize("moment", ["begin", "warm"])
def test_a_zygote_ends_without_a_word_when_the_runner_is_gone(folder: Path, moment: str, read: bool) -> None:
    """If the runner ends without reading all messages, the zygote's socket has an error."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs, ours:
        command = [*BARE_ZYGOTE, str(theirs.fileno())]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, pass_fds=(theirs.fileno(),))
        theirs.close()
        if moment == "warm":
            begin = Begin(runtime=SPECS["torch"], folder=str(folder), uid=FIRST_UID, confined=False)
            ours.send(msgspec.msgpack.encode(begin))
            assert ours.recv(PACKET_BYTES, 0 if read else socket.MSG_PEEK)
        elif not read:
            ours.send(b"")
    assert process.communicate()[1].decode() == ""


WARM = Warm(host=FULL, versions={}, present=Present(space_bytes=0, data_bytes=0, tasks=0))


@contextmanager
def staged_zygote(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[ZygoteHandle, Callable[[], None]]]:
    """Yield a zygote whose process does nothing, and a function that reports in its place that it is warm."""
    ends: list[socket.socket] = []

    def spawn(_: ZygoteHandle, theirs: socket.socket) -> "subprocess.Popen[bytes]":
        ends.append(theirs.dup())
        return subprocess.Popen(["sleep", "60"])

    monkeypatch.setattr(ZygoteHandle, "_spawn", spawn)
    yield ZygoteHandle(SPECS["torch"], folder, FIRST_UID, True, lambda _: None), lambda: ends[0].sendall(msgspec.msgpack.encode(WARM))
    ends[0].close()


@pytest.mark.parametrize("turns", range(4))
def test_a_start_that_is_given_up_as_the_zygote_gets_warm_breaks_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch, turns: int) -> None:
    """`turns`: how many turns of the event loop pass between the zygote's report and the end."""
    broken: list[dict[str, object]] = []

    async def scenario(zygote: ZygoteHandle, say_warm: Callable[[], None]) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: broken.append(context))
        starting = asyncio.create_task(zygote.start())
        await asyncio.sleep(0)
        say_warm()
        for _ in range(turns):
            await asyncio.sleep(0)
        starting.cancel()
        await asyncio.wait([starting])
        zygote.stop()
        await zygote.cleared

    with staged_zygote(folder, monkeypatch) as (zygote, say_warm):
        asyncio.run(scenario(zygote, say_warm))
    assert (broken, list(folder.iterdir())) == ([], [])


def test_a_zygote_that_has_just_ended_forks_no_child_that_never_gets_ready(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(zygote: ZygoteHandle, say_warm: Callable[[], None]) -> None:
        starting = asyncio.create_task(zygote.start())
        await asyncio.sleep(0)
        say_warm()
        await starting
        zygote.stop()
        await zygote.cleared
        groups = open_groups()
        gc.collect()  # descriptors that tests before this one left open are closed now, and not meanwhile
        before = os.listdir("/proc/self/fd")
        with pytest.raises(ChildLost):
            Slots(1, FIRST_UID, groups).fork(zygote, budget_of(Limits()))
        assert os.listdir("/proc/self/fd") == before
        groups.close()

    with staged_zygote(folder, monkeypatch) as (zygote, say_warm):
        asyncio.run(scenario(zygote, say_warm))
