"""The runner's handle of one sandbox child, from its fork until it is killed.

A Conversation reads what the child sends after it has become ready.
"""

import asyncio
import contextlib
import os
import select
import signal
import socket
import struct
from collections.abc import Callable
from functools import partial

import msgspec

from app.protocol.channel import Down, Ready, Touch, Touched
from app.runner.conversation.dump import names_a_place
from app.runner.conversation.frames import FrameMalformed, FrameReader, FrameTooLarge
from app.runner.conversation.output_pipe import ErrorPipe, OutputPipe
from app.runner.conversation.scratch_watch import ScratchWatch
from app.runner.conversation.send_queue import SendQueue
from app.runner.readable import readable
from app.sandbox.cgroups.cgroup import Group
from app.sandbox.child.child import WATCHDOG_SIGNAL
from app.sandbox.confinement.rlimits import Budget
from app.sandbox.framing import encode_frame
from app.sandbox.verification.verification import Marks, NotConfined, verify_child

_CREDENTIALS = struct.Struct("iII")  # struct ucred of unix(7): pid, uid, gid
_LONG_SHARE = 1 / 8  # the processor weight of a child with a long run, relative to a child that is getting ready
_GREETING_BYTES, _GREETING_FRAMES = 4096, 8  # what a child may send before it is sent a request
RECEIVE_BYTES = 256 * 1024
_EXIT_SECONDS = 1.0  # a child that closed its channel must end within this time
_WORD_SECONDS = 10.0  # a busy zygote must report within this time how a child ended


class ChildLost(Exception):
    """There is no child, or it ended before its program began. That is our fault, and another try may succeed."""


class Exit(msgspec.Struct, frozen=True):
    """How a child ended: its exit code or minus the signal's number, and the processor time it used.

    `oom_killed`: the kernel ended it because its control group's memory was used up.
    """

    status: int
    cpu_seconds: float
    oom_killed: bool = False


class ChildHandle:
    """A child in its slot.

    The future `ready` is done once the child is confined and, if `marks` are given, verified. The future `exited` is done once the child
    was reaped.
    """

    def __init__(
        self, slot: int, budget: Budget, group: Group | None, marks: Marks | None, channel: socket.socket, stdout: int, stderr: int
    ) -> None:
        loop = asyncio.get_running_loop()
        self.slot = slot
        self.budget = budget
        self.group = group
        self.touched = False
        self.scratch: ScratchWatch | None = None  # if the scratch has no file system of its own that bounds it
        self.ready: asyncio.Future[None] = loop.create_future()
        self.exited: asyncio.Future[Exit] = loop.create_future()
        for future in (self.ready, self.exited):
            future.add_done_callback(
                lambda done: done.cancelled() or done.exception()
            )  # marks the exception as retrieved, in case nobody awaits it
        self.channel = channel
        self.frames = FrameReader(_GREETING_BYTES, _GREETING_FRAMES)
        self.stdout = OutputPipe(stdout)
        self.stderr = ErrorPipe(stderr)
        self._outbox = SendQueue(channel)
        self._on_touched: Callable[[], None] | None = None
        self._marks = marks
        self._pidfd: int | None = None
        self._open = True
        self._on_close: Callable[[], object] = partial(loop.remove_reader, channel.fileno())
        channel.setblocking(False)
        channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        loop.add_reader(channel.fileno(), self._on_greeting)

    def _on_greeting(self) -> None:
        """Read what the child sends before a conversation begins."""
        try:
            data, ancillary, _, _ = self.channel.recvmsg(RECEIVE_BYTES, socket.CMSG_SPACE(_CREDENTIALS.size))
            if not data:
                words = self.read_last_words().decode(errors="replace").strip()
                raise NotConfined(f"the child ended before it was ready: {words[:500] or 'it said nothing'}")
            for frame in self.frames.feed(data):
                self._take(frame, ancillary)
        except BlockingIOError:
            return
        except (NotConfined, FrameMalformed, FrameTooLarge, OSError) as error:
            self._refuse(error)

    def _take(self, frame: object, ancillary: list[tuple[int, int, bytes]]) -> None:
        if isinstance(frame, Ready) and not self.ready.done():
            pid = _sender(ancillary)
            self._pidfd = os.pidfd_open(pid)
            if self._marks:
                verify_child(pid, self._marks, frame.probes)
            self.ready.set_result(None)
        elif isinstance(frame, Touched) and self._on_touched and not self.touched:
            self.touched = True
            self._on_touched()
        else:
            raise NotConfined("the child spoke before it was asked")

    def _refuse(self, error: Exception) -> None:
        self.kill()
        if not self.ready.done():
            self.ready.set_exception(error)
        self.close()

    @property
    def waiting(self) -> bool:
        """Whether the child can be sent frames."""
        return self._open and not self.exited.done()

    @property
    def ended(self) -> bool:
        """Whether the process has ended, even if the zygote has not reported it yet."""
        if self._pidfd is None:
            return False
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        return bool(poll.poll(0))

    @property
    def touching(self) -> bool:
        return self._on_touched is not None and not self.touched

    def touch(self, on_touched: Callable[[], None]) -> None:
        """Have the child run the warm-up once. A program that is sent in the meantime starts after it."""
        self._on_touched = on_touched
        self.send(Touch())

    def hand_over(self, frame_bytes: int, frames: int, on_close: Callable[[], None]) -> None:
        """Stop reading the channel, because a conversation reads it from now on.

        `frame_bytes` and `frames`: how much the child may send from now on. `on_close`: called when the child's descriptors are closed.
        """
        self._on_close = on_close
        asyncio.get_running_loop().remove_reader(self.channel.fileno())
        self.frames.bytes_left, self.frames.frames_left = frame_bytes, frames

    def send(self, frame: Down) -> None:
        """Send a frame as soon as there is room in the channel."""
        self._outbox.send(encode_frame(frame))

    def pause(self) -> None:
        """Stop the process until `resume`, and give it a low processor weight from then on. It can still be killed."""
        self.weigh_less()
        if self.scratch:
            self.scratch.halt()
        self.signal(signal.SIGSTOP)

    def weigh_less(self) -> None:
        """Lower the processor weight, so that children that are starting and children with short runs get most of the processor."""
        if self.group:
            self.group.weigh(_LONG_SHARE)

    def resume(self) -> None:
        if self.scratch:
            self.scratch.go()
        self.signal(signal.SIGCONT)

    async def ask_where(self, patience_seconds: float) -> bytes:
        """Ask the child's watchdog which line is running, and return what it writes to stderr.

        The answer is empty if it takes longer than `patience_seconds`. Call this only after a conversation.
        """
        self.signal(WATCHDOG_SIGNAL)
        self.resume()  # a program can stop its own process
        try:
            async with asyncio.timeout(patience_seconds):
                return await self._read_dump()
        except TimeoutError:
            return b""

    async def _read_dump(self) -> bytes:
        """Read what the watchdog writes, until it has named a line of the program."""
        dump = b""
        while not names_a_place(dump):
            await readable(self.stderr.descriptor)
            if not self.stderr.read():
                break
            dump += self.stderr.take_pending()
        return dump

    def read_last_words(self) -> bytes:
        """Return what the interpreter wrote to stderr while it crashed. Call this only after the child has ended."""
        with contextlib.suppress(OSError):
            self.stderr.read()
        return self.stderr.take_pending()

    def signal(self, number: int) -> None:
        if self._pidfd is not None and not self.exited.done():
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, number)

    def kill(self) -> None:
        """Kill the process."""
        self.signal(signal.SIGKILL)

    async def wait_for_exit(self) -> Exit | None:
        """Return how the child ended, or None if it closed its channel and is alive. Raises ChildLost if the zygote does not say how."""
        for seconds in (_EXIT_SECONDS, _WORD_SECONDS):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    return await asyncio.shield(self.exited)
            if not self.ended:
                return None
        raise ChildLost("the zygote does not say how the child ended")

    def report_exit(self, status: int, cpu_seconds: float) -> None:
        """Record how the child ended. Its zygote has reported this."""
        if not self.exited.done():
            oom_killed = self.group is not None and self.group.take_oom_kills() > 0
            self.exited.set_result(Exit(status, cpu_seconds, oom_killed))

    def lose(self) -> None:
        """Kill the child, because its zygote has died. Whoever awaits `ready` or `exited` gets ChildLost."""
        self.kill()
        for future in (self.ready, self.exited):
            if not future.done():
                future.set_exception(ChildLost("the zygote died"))

    def close(self) -> None:
        """Close the descriptors."""
        if not self._open:
            return
        self._open = False
        self._outbox.close()
        self._on_close()
        self.channel.close()
        os.close(self.stdout.descriptor)
        os.close(self.stderr.descriptor)
        if self._pidfd is not None:
            os.close(self._pidfd)
            self._pidfd = None


def _sender(ancillary: list[tuple[int, int, bytes]]) -> int:
    """Return the sender's pid in our own pid namespace, as the kernel gives it (SCM_CREDENTIALS)."""
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            pid, _, _ = _CREDENTIALS.unpack(data[: _CREDENTIALS.size])
            if pid:
                return int(pid)
    raise NotConfined("the child sent no credentials")
