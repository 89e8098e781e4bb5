"""The runner's handle of a zygote: starts it with a clean environment, asks it for children, and notices its end."""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from app.runner.conversation.child_handle import ChildHandle
from app.runner.conversation.scratch_watch import ScratchWatch
from app.runner.conversation.send_queue import SendQueue
from app.runner.readable import reap
from app.runtimes.specs import RuntimeSpec
from app.sandbox.cgroups.cgroup import Group
from app.sandbox.confinement.rlimits import Budget, Present, limits_of
from app.sandbox.verification.verification import Marks
from app.sandbox.zygote.control import PACKET_BYTES, Begin, Broken, Down, Exited, Fork, Kill, Measure, Measured, Up, Warm
from app.sandbox.zygote.host import Host

COMMAND: tuple[str, ...] = (sys.executable, "-s", "-P", "-m", "app.sandbox.zygote.zygote")
_REMOVE_COMMAND = (sys.executable, "-s", "-P", "-m", "app.sandbox.scratch.scratch")
# The environment of every zygote. OMP_NUM_THREADS=1 must be set before torch is imported, and OPENBLAS_NUM_THREADS=1 before numpy is:
# otherwise the import starts threads. There is one arena, because each reserves 64 MB of the address space, which a run's limit counts.
_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "HOME": "/",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
}


class ZygoteFailed(Exception):
    """The zygote cannot serve. The message is for an operator."""


class ZygoteHandle:
    """One zygote process and the children it has forked. `early`: it imports only what the most common lessons need.

    `cleared`: a task that begins when the zygote is gone, and is done when the zygote's folder is removed.
    """

    def __init__(
        self,
        runtime: RuntimeSpec,
        folder: Path,
        probe_uid: int,
        confined: bool,
        on_gone: Callable[["ZygoteHandle"], None],
        early: bool = False,
    ) -> None:
        self.alive = False
        self.host: Host  # this and `present` are known once the zygote is warm
        self.present: Present
        self.versions: dict[str, str] = {}
        self.children: dict[int, ChildHandle] = {}
        self._runtime = runtime
        self._folder = Path(tempfile.mkdtemp(prefix="zygote-", dir=folder))
        self._folder.chmod(0o711)  # a child's uid must be able to pass through to its scratch
        self._probe_uid = probe_uid
        self.confined = confined
        self.early = early
        self._on_gone = on_gone
        self._decoder = msgspec.msgpack.Decoder(Up)

    async def start(self) -> None:
        """Start the zygote and wait until it is warm. Raises ZygoteFailed."""
        loop = asyncio.get_running_loop()
        self._warm: asyncio.Future[Host] = loop.create_future()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, contextlib.ExitStack() as undo:
            undo.callback(os.rmdir, self._folder)
            undo.callback(ours.close)
            self._process = self._spawn(theirs)
            undo.pop_all()
        self._control = ours
        ours.setblocking(False)
        self._outbox = SendQueue(ours, self._lose)
        self.alive = True
        loop.add_reader(ours.fileno(), self._on_message)
        self._send(Begin(runtime=self._runtime, folder=str(self._folder), uid=self._probe_uid, confined=self.confined, early=self.early))
        self.host = await self._warm

    def _spawn(self, theirs: socket.socket) -> "subprocess.Popen[bytes]":
        command = [*COMMAND, str(theirs.fileno())]
        environment = _ENVIRONMENT | self._runtime.environment
        return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, pass_fds=(theirs.fileno(),))

    def fork(self, slot: int, uid: int, budget: Budget, group: Group | None = None) -> ChildHandle:
        """Ask for a child, in a control group if one is given. Await its `ready`. Raises OSError if descriptors run out."""
        with contextlib.ExitStack() as undo:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
            undo.callback(ours.close)
            undo.callback(theirs.close)
            stdout, stdout_child = _pipe(undo)
            stderr, stderr_child = _pipe(undo)
            entrances = group.open_entrances() if group else []
            undo.pop_all()
        child = ChildHandle(slot, budget, group, self._marks(uid, budget, group), ours, stdout, stderr)
        self.children[slot] = child
        if not self.host.namespaces:
            measure = Measure(slot=slot, scratch_bytes=budget.scratch_bytes, scratch_inodes=budget.scratch_inodes)
            child.scratch = ScratchWatch(lambda: self._send(measure))
        self._send(Fork(slot=slot, uid=uid, budget=budget), [theirs.detach(), stdout_child, stderr_child, *entrances])
        return child

    def _marks(self, uid: int, budget: Budget, group: Group | None) -> Marks | None:
        """Return the marks that a child must have; None if the operator has switched the sandbox off."""
        if not self.confined:
            return None
        own_uid = uid if self.host.own_uid else None
        return Marks(uid=own_uid, namespaces=self.host.namespaces, limits=limits_of(budget, self.present), group=group)

    def kill_unready(self, child: ChildHandle) -> None:
        """Ask the zygote to end a child whose pid the runner does not know yet."""
        self._send(Kill(slot=child.slot))

    def stop(self) -> None:
        """End the zygote, and with it (parent-death signal, pid namespace) every child."""
        self._lose("stopped")

    def _send(self, message: Down, descriptors: Sequence[int] = ()) -> None:
        if self.alive:
            self._outbox.send(msgspec.msgpack.encode(message), descriptors)

    def _on_message(self) -> None:
        try:
            packet = self._control.recv(PACKET_BYTES)
            if not packet:
                self._lose("the zygote ended")
                return
            message = self._decoder.decode(packet)
        except BlockingIOError:
            return
        except (OSError, msgspec.DecodeError) as error:
            self._lose(str(error))
            return
        match message:
            case Warm():
                self.versions = message.versions
                self.present = message.present
                if not self._warm.done():  # otherwise nobody waits for it any more
                    self._warm.set_result(message.host)
            case Broken():
                self._lose(message.reason)
            case Exited():
                self.children.pop(message.slot).report_exit(message.status, message.cpu_seconds)
            case Measured():
                child = self.children.get(message.slot)
                if child and child.scratch:
                    child.scratch.take(message.within)

    def _lose(self, reason: str) -> None:
        if not self.alive:
            return
        self.alive = False
        self._outbox.close()
        asyncio.get_running_loop().remove_reader(self._control.fileno())
        self._control.close()
        self._process.kill()
        self.cleared = asyncio.get_running_loop().create_task(self._clear_away())
        if not self._warm.done():
            self._warm.set_exception(ZygoteFailed(reason))
        children, self.children = list(self.children.values()), {}
        for child in children:
            child.lose()
        self._on_gone(self)

    async def _clear_away(self) -> None:
        """Reap the process and remove its folder. What learners left there may take long to remove: another process does it."""
        await reap(self._process)
        try:
            self._folder.rmdir()
        except OSError:
            await reap(self._start_removal())

    def _start_removal(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([*_REMOVE_COMMAND, str(self._folder)], env=_ENVIRONMENT, stdin=subprocess.DEVNULL)


def _pipe(undo: contextlib.ExitStack) -> tuple[int, int]:
    reader, writer = os.pipe2(os.O_CLOEXEC)
    undo.callback(os.close, reader)
    undo.callback(os.close, writer)
    return reader, writer
