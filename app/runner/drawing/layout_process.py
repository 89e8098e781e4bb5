"""The runner's handle of one layout process, which answers one request at a time."""

import asyncio
import os
import resource
import signal
import socket
import struct
import subprocess
import sys

import msgspec

from app.protocol.channel import HEADER_BYTES
from app.protocol.geometry import LAYOUT_FRAME_BYTES, Answer, Geometry, LayoutReady, LayoutRequest, PngCopy, Question, Refused
from app.runner.readable import readable
from app.sandbox.confinement.confinement import HELPER_BUDGET
from app.sandbox.confinement.rlimits import Present, limits_of
from app.sandbox.framing import encode_frame
from app.sandbox.verification.verification import Marks, NotConfined, verify_process

COMMAND = (sys.executable, "-s", "-P", "-m", "app.sandbox.layout.layout_main")
START_SECONDS = 30.0
BUFFER_BYTES = 1024 * 1024


class LayoutFailed(Exception):
    """A graph or PNG was refused or took too long, or the process died. The message is for the log."""


class LayoutTimedOut(LayoutFailed):
    """The layout took longer than it may."""


class LayoutProcess:
    """A running process and our end of its channel. Only one task at a time may use it. Await `gone` once, to reap the process."""

    def __init__(self, process: "subprocess.Popen[bytes]", reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._process = process
        self._pidfd: int | None = os.pidfd_open(process.pid)
        self._reader = reader
        self._writer = writer
        self._decoder = msgspec.msgpack.Decoder(Answer)

    @classmethod
    async def start(cls, uid: int | None) -> "LayoutProcess":
        """Start a process and wait until it is warm and confined. Raises LayoutFailed."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = spawn(theirs, uid)
        started = cls(process, *await asyncio.open_unix_connection(sock=ours, limit=BUFFER_BYTES))
        try:
            async with asyncio.timeout(START_SECONDS):
                answer = await started._receive()
            if not isinstance(answer, LayoutReady):
                raise LayoutFailed("the layout process did not say that it is warm")
            verify_process(process.pid, marks_of_helper(uid))
        except BaseException as error:
            started.end()
            await started.gone()
            if isinstance(error, TimeoutError):
                raise LayoutFailed("the layout process did not get warm in time") from error
            if isinstance(error, NotConfined):
                raise LayoutFailed(f"the layout process is not confined: {error}") from error
            raise
        return started

    @property
    def alive(self) -> bool:
        """Whether the process has not ended, as far as is known."""
        return self._pidfd is not None and not self._reader.at_eof()

    async def ask(self, request: Question) -> Geometry | PngCopy | Refused:
        """Return the answer to one request.

        Raises LayoutFailed if the process died or sent an invalid answer; the caller must end the process then.
        """
        try:
            self._writer.write(encode_frame(request))
            await self._writer.drain()
        except OSError as error:
            raise LayoutFailed("the layout process died") from error
        answer = await self._receive()
        if isinstance(answer, LayoutReady):
            raise LayoutFailed("the layout process answered out of turn")
        if not (isinstance(answer, Refused) or fits(answer, request)):
            raise LayoutFailed("the layout process answered about something else")
        return answer

    def end(self) -> None:
        """Kill the process, whatever it is doing; does nothing if it has ended already."""
        if self._pidfd is not None:
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    async def gone(self) -> None:
        """Wait until the process has ended, and clear up after it. If the waiting is cancelled, the process is ended."""
        if self._pidfd is None:
            return
        try:
            await readable(self._pidfd)
        finally:
            self.end()
            os.close(self._pidfd)
            self._pidfd = None
            self._writer.close()
            self._process.wait()

    async def _receive(self) -> Answer:
        try:
            (length,) = struct.unpack(">I", await self._reader.readexactly(HEADER_BYTES))
            if length > LAYOUT_FRAME_BYTES:
                raise LayoutFailed("the layout process answered too much")
            answer: Answer = self._decoder.decode(await self._reader.readexactly(length))
        except (EOFError, OSError) as error:
            raise LayoutFailed("the layout process died") from error
        except msgspec.MsgspecError as error:
            raise LayoutFailed(f"the layout process answered nonsense: {error}") from error
        return answer


def fits(answer: Geometry | PngCopy, request: Question) -> bool:
    if isinstance(answer, Geometry) and isinstance(request, LayoutRequest):
        return len(answer.centres) == len(request.nodes) and len(answer.curves) == len(request.links)
    return isinstance(answer, PngCopy) and not isinstance(request, LayoutRequest)


def spawn(channel: socket.socket, uid: int | None) -> "subprocess.Popen[bytes]":
    """Start the process with a clean environment and `channel` as its standard input."""
    return subprocess.Popen(
        COMMAND if uid is None else (*COMMAND, str(uid)),
        stdin=channel.fileno(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # Graphviz warns about graphs that it nevertheless lays out
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1"},
        cwd="/",
    )


def marks_of_helper(uid: int | None) -> Marks:
    """Return the marks of a process that was confined with `confine_helper`. The memory limit is left out, because it is not known here."""
    limits = limits_of(HELPER_BUDGET, Present(space_bytes=0, data_bytes=0, tasks=0))
    for unknown in (resource.RLIMIT_AS, resource.RLIMIT_DATA, resource.RLIMIT_NPROC):
        del limits[unknown]
    return Marks(uid=uid, namespaces=False, limits=limits)
