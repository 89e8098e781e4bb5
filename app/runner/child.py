"""One sandbox child, seen from the runner: made ready, verified, given one program, listened to, killed.

Everything it sends is hostile. Its descriptors are read without blocking whenever there is something; what comes is handed to a
`Listener` in the order it happened.
"""

import asyncio
import contextlib
import os
import signal
import socket
import struct
from collections.abc import Callable
from typing import Protocol

import msgspec

from app.protocol.channel import Down, Execute, Over, Ready, Shown, Touch, Touched
from app.protocol.run import Program
from app.runner.dump import names_a_place
from app.runner.frames import FrameMalformed, FrameReader, FrameTooLarge
from app.runner.output import ErrorPipe, OutputPipe
from app.sandbox.channel import encode_frame
from app.sandbox.child import WATCHDOG_SIGNAL
from app.sandbox.rlimits import Budget
from app.sandbox.verification import NotConfined, verify_child

_RECEIVE_BYTES = 256 * 1024
_CREDENTIALS = struct.Struct("iII")  # struct ucred of unix(7): pid, uid, gid
_BEFORE_RUN_BYTES = 4096  # a child has little to say before it runs


class ZygoteGone(Exception):
    """The child's zygote died, and the child with it: our fault, not the program's."""


class Exit(msgspec.Struct, frozen=True):
    """How a child ended: its exit code or minus the signal's number, and the processor time it used."""

    status: int
    cpu_seconds: float


class Listener(Protocol):
    """Who is told what a running child does."""

    def on_stdout(self, text: str) -> None: ...
    def on_stderr(self, text: str) -> None: ...
    def on_shown(self, shown: Shown) -> None: ...
    def on_over(self, over: Over) -> None: ...
    def on_too_much(self) -> None: ...  # the output or display cap is reached
    def on_malformed(self) -> None: ...  # the run channel carried nonsense
    def on_gone(self) -> None: ...  # the run channel ended without `Over`


class Child:
    """A child in its slot. `ready` is done once it is verified; `exited` when its zygote has reaped it."""

    def __init__(self, slot: int, uid: int | None, budget: Budget, channel: socket.socket, stdout: int, stderr: int) -> None:
        self.slot = slot
        self.budget = budget
        self.touched = False
        self.pid = 0
        self.probes: dict[str, bool] = {}
        loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[None] = loop.create_future()
        self.exited: asyncio.Future[Exit] = loop.create_future()
        for future in (self.ready, self.exited):
            future.add_done_callback(lambda done: done.cancelled() or done.exception())  # seen, whoever waits
        self._on_touched: Callable[[], None] | None = None
        self._uid = uid
        self._pidfd: int | None = None
        self._channel = channel
        self._channel.setblocking(False)
        self._channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._frames = FrameReader(_BEFORE_RUN_BYTES)
        self._listener: Listener | None = None
        self._output_bytes = 0
        self._unsent = b""
        self.stdout = OutputPipe(stdout)
        self.stderr = ErrorPipe(stderr)
        self._loop = loop
        self._open = True
        loop.add_reader(self._channel.fileno(), self._on_channel_before_run)

    # before it runs

    def _on_channel_before_run(self) -> None:
        try:
            data, ancillary, _, _ = self._channel.recvmsg(_RECEIVE_BYTES, socket.CMSG_SPACE(_CREDENTIALS.size))
            if not data:
                raise NotConfined(self._last_words())
            for frame in self._frames.feed(data):
                self._take_before_run(frame, ancillary)
        except BlockingIOError:
            return
        except (NotConfined, FrameMalformed, FrameTooLarge, OSError) as error:
            self._refuse(error)

    def _take_before_run(self, frame: object, ancillary: list[tuple[int, int, bytes]]) -> None:
        if isinstance(frame, Ready) and not self.ready.done():
            self.pid = _sender(ancillary)
            self._pidfd = os.pidfd_open(self.pid)
            self.probes = frame.probes
            verify_child(self.pid, self._uid, frame.probes)
            self.ready.set_result(None)
        elif isinstance(frame, Touched) and self._on_touched:
            self.touched = True
            self._on_touched()
        else:
            raise NotConfined("the child spoke before it was asked")

    def _last_words(self) -> str:
        with contextlib.suppress(OSError):
            self.stderr.read()
        return f"the child ended before it was ready: {self.stderr.release(final=True).strip()[:500] or 'it said nothing'}"

    def _refuse(self, error: Exception) -> None:
        self.kill()
        if not self.ready.done():
            self.ready.set_exception(error)
        self.close()

    @property
    def touching(self) -> bool:
        return self._on_touched is not None and not self.touched

    def touch(self, on_touched: Callable[[], None]) -> None:
        """Let it run the warm-up once. It can be given a program in the meantime, which then waits for that."""
        self._on_touched = on_touched
        self._send(Touch())

    # while it runs

    def execute(self, program: Program, output_bytes: int, displays_bytes: int, listener: Listener) -> None:
        """Send the program and report to `listener` from now on."""
        self._listener = listener
        self._output_bytes = output_bytes
        self._frames.allowance_bytes = displays_bytes
        for descriptor in (self._channel.fileno(), self.stdout.descriptor, self.stderr.descriptor):
            self._loop.add_reader(descriptor, self._pump)
        self._send(Execute(program=program))

    def _send(self, frame: Down) -> None:
        self._unsent += encode_frame(frame)
        self._flush()

    def _flush(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[self._channel.send(self._unsent) :]
            self._loop.remove_writer(self._channel.fileno())
        except BlockingIOError:
            self._loop.add_writer(self._channel.fileno(), self._flush)
        except OSError:
            self._unsent = b""  # it is gone: the reader notices

    def _pump(self) -> None:
        """Take what there is, in the order it happened.

        Output is read first and frames after it: whatever was printed after a display was made lies behind the position its frame names,
        and that frame was sent before, so it is here by now.
        """
        listener = self._listener
        if listener is None or not self._open:
            return
        self._read_output()
        over_cap = self._cut_output()
        alive, frames, fault = self._receive()
        for frame in frames:
            if isinstance(frame, Touched):
                continue  # asked for before the program was
            if isinstance(frame, Shown):
                self._release(frame.display.stdout_offset)
                listener.on_shown(frame)
            elif isinstance(frame, Over):
                self._release(final=True)
                self._stop_listening()
                listener.on_over(frame)
                return
        self._release()
        if over_cap or fault is FrameTooLarge:
            self._stop_listening()
            listener.on_too_much()
        elif fault is FrameMalformed:
            self._stop_listening()
            listener.on_malformed()
        elif not alive:
            self._stop_listening()
            listener.on_gone()

    def _stop_listening(self) -> None:
        self._listener = None
        for descriptor in (self._channel.fileno(), self.stdout.descriptor, self.stderr.descriptor):
            self._loop.remove_reader(descriptor)
            self._loop.remove_writer(descriptor)

    def _read_output(self) -> None:
        for pipe in (self.stdout, self.stderr):
            if not pipe.read():
                self._loop.remove_reader(pipe.descriptor)

    def _cut_output(self) -> bool:
        """Drop what is over the cap; true if anything was."""
        excess = self.stdout.bytes_read + self.stderr.bytes_read - self._output_bytes
        if excess <= 0:
            return False
        for pipe in (self.stdout, self.stderr):
            excess -= pipe.cut(excess)
        return True

    def _receive(self) -> tuple[bool, list[Ready | Touched | Shown | Over], type[Exception] | None]:
        frames: list[Ready | Touched | Shown | Over] = []
        try:
            while data := self._channel.recv(_RECEIVE_BYTES):
                frames += self._frames.feed(data)
        except BlockingIOError:
            return True, frames, None
        except OSError:
            return False, frames, None
        except (FrameTooLarge, FrameMalformed) as error:
            return True, frames, type(error)
        return False, frames, None

    def _release(self, until: int | None = None, final: bool = False) -> None:
        listener = self._listener
        if listener is not None:
            if text := self.stdout.release(until, final):
                listener.on_stdout(text)
            if text := self.stderr.release(None, final):
                listener.on_stderr(text)

    # its end

    async def running_line(self, patience_seconds: float) -> bytes:
        """Ask where the program is: what its watchdog wrote to stderr (nothing, if it does not answer in time)."""
        self._stop_listening()
        self.signal(WATCHDOG_SIGNAL)
        dump = b""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_seconds):
                while not names_a_place(dump):
                    await _readable(self.stderr.descriptor)
                    if not self.stderr.read():
                        break
                    dump += self.stderr.take_pending()
        return dump

    def fault_dump(self) -> bytes:
        """What the interpreter wrote while it crashed; for after its end."""
        self.stderr.read()
        return self.stderr.take_pending()

    def signal(self, number: int) -> None:
        if self._pidfd is not None and not self.exited.done():
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, number)

    def kill(self) -> None:
        """End it, whatever it is doing."""
        self.signal(signal.SIGKILL)

    def lose(self) -> None:
        """Its zygote is gone, and it with it."""
        for future in (self.ready, self.exited):
            if not future.done():
                future.set_exception(ZygoteGone())
        self.kill()

    def close(self) -> None:
        """Let go of its descriptors."""
        if not self._open:
            return
        self._open = False
        self._stop_listening()
        self._channel.close()
        self.stdout.close()
        self.stderr.close()
        if self._pidfd is not None:
            os.close(self._pidfd)
            self._pidfd = None


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    future: asyncio.Future[None] = loop.create_future()
    loop.add_reader(descriptor, lambda: None if future.done() else future.set_result(None))
    try:
        await future
    finally:
        loop.remove_reader(descriptor)


def _sender(ancillary: list[tuple[int, int, bytes]]) -> int:
    """The sender's pid in our own pid namespace, filled in by the kernel (SCM_CREDENTIALS)."""
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            pid, _, _ = _CREDENTIALS.unpack(data[: _CREDENTIALS.size])
            if pid:
                return int(pid)
    raise NotConfined("the child sent no credentials")
