"""A zygote, seen from the runner: started with a clean environment, asked to fork, and noticed when it dies."""

import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from app.runner.child import Child, Exit
from app.sandbox.control import PACKET_BYTES, Begin, Broken, Down, Exited, Fork, Kill, Up, Warm
from app.sandbox.host import Host
from app.sandbox.rlimits import Budget

# OMP_NUM_THREADS=1 must be there before torch is imported, or the import itself starts a thread; one arena, because each
# reserves 64 MB of the address space that a run's limit counts
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
    """The zygote cannot serve, in words for an operator."""


class Zygote:
    """One zygote process and the children it has forked."""

    def __init__(self, runtime: str, folder: Path, probe_uid: int, on_gone: Callable[["Zygote"], None]) -> None:
        self.alive = False
        self.host: Host | None = None
        self.versions: dict[str, str] = {}
        self.children: dict[int, Child] = {}
        self._runtime = runtime
        self._folder = Path(tempfile.mkdtemp(prefix="zygote-", dir=folder))
        self._folder.chmod(0o711)  # a child's uid must be able to pass through to its scratch
        self._probe_uid = probe_uid
        self._on_gone = on_gone
        self._decoder = msgspec.msgpack.Decoder(Up)

    async def start(self) -> None:
        """Start it and wait until it is warm. Raises ZygoteFailed."""
        loop = asyncio.get_running_loop()
        self._warm: asyncio.Future[Host] = loop.create_future()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control = ours
        self._process = self._spawn(theirs)
        theirs.close()
        ours.setblocking(False)
        self.alive = True
        loop.add_reader(ours.fileno(), self._on_message)
        self._send(Begin(runtime=self._runtime, folder=str(self._folder), uid=self._probe_uid))
        self.host = await self._warm

    def _spawn(self, theirs: socket.socket) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-s", "-P", "-m", "app.sandbox.zygote", str(theirs.fileno())]
        return subprocess.Popen(command, env=_ENVIRONMENT, stdin=subprocess.DEVNULL, pass_fds=(theirs.fileno(),))

    def fork(self, slot: int, uid: int, budget: Budget) -> Child:
        """Ask for a child; await its `ready`."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        stdout, stdout_child = os.pipe2(os.O_CLOEXEC)
        stderr, stderr_child = os.pipe2(os.O_CLOEXEC)
        child = Child(slot, uid if self.host and self.host.own_uid else None, budget, ours, stdout, stderr)
        self.children[slot] = child
        self._send(Fork(slot=slot, uid=uid, budget=budget), [theirs.fileno(), stdout_child, stderr_child])
        theirs.close()
        os.close(stdout_child)
        os.close(stderr_child)
        return child

    def kill_unready(self, child: Child) -> None:
        """End a child that never came far enough to be killed directly."""
        self._send(Kill(slot=child.slot))

    def stop(self) -> None:
        """End the zygote, and with it (parent-death signal, pid namespace) every child."""
        self._process.kill()
        self._lose("stopped")

    def _send(self, message: Down, descriptors: list[int] | None = None) -> None:
        with contextlib.suppress(OSError):  # a zygote that is gone is noticed by its silence
            socket.send_fds(self._control, [msgspec.msgpack.encode(message)], descriptors or [])

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
        if isinstance(message, Warm):
            self.versions = message.versions
            self._warm.set_result(message.host)
        elif isinstance(message, Broken):
            self._lose(message.reason)
        else:
            self._on_exited(message)

    def _on_exited(self, message: Exited) -> None:
        child = self.children.pop(message.slot)
        if not child.exited.done():
            child.exited.set_result(Exit(message.status, message.cpu_seconds))

    def _lose(self, reason: str) -> None:
        if not self.alive:
            return
        self.alive = False
        asyncio.get_running_loop().remove_reader(self._control.fileno())
        self._control.close()
        self._process.kill()
        self._process.wait()
        if not self._warm.done():
            self._warm.set_exception(ZygoteFailed(reason))
        children, self.children = list(self.children.values()), {}
        for child in children:
            child.lose()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._on_gone(self)
