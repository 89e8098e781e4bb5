"""A child's three streams while it runs: its output pipes and its run channel, heard as one story in the order it happened.

Everything that comes is hostile. The descriptors are read without blocking whenever there is something.
"""

import asyncio
import contextlib
import os
import socket
from typing import Protocol

from app.protocol.channel import Begun, Down, Over, Shown, Up
from app.runner.conversation.dump import names_a_place
from app.runner.conversation.frames import FrameMalformed, FrameReader, FrameTooLarge
from app.runner.conversation.output_pipe import ErrorPipe, OutputPipe
from app.runner.readable import readable
from app.sandbox.framing import encode_frame

RECEIVE_BYTES = 256 * 1024
_REST_SECONDS = 0.01  # between two looks at the output, so that a flood of short lines becomes few events


class Listener(Protocol):
    """Who is told what a running child does. After the last four nothing more is told."""

    def on_stdout(self, text: str) -> None: ...
    def on_stderr(self, text: str) -> None: ...
    def on_shown(self, shown: Shown) -> None: ...
    def on_over(self, over: Over) -> None: ...
    def on_too_much(self) -> None: ...  # the output or display cap is reached
    def on_malformed(self) -> None: ...  # the run channel carried nonsense
    def on_gone(self) -> None: ...  # the run channel ended without `Over`


class Streams:
    """The runner's ends of a child's descriptors 1, 2 and 3."""

    def __init__(self, channel: socket.socket, stdout: int, stderr: int, frames: FrameReader) -> None:
        self.channel = channel
        self.channel.setblocking(False)
        self.frames = frames
        self.stdout = OutputPipe(stdout)
        self.stderr = ErrorPipe(stderr)
        self.begun = False  # the program is being executed: from now on what happens may be its own doing
        self._descriptors = (channel.fileno(), stdout, stderr)
        self._ended: set[OutputPipe] = set()
        self._rest: asyncio.TimerHandle | None = None
        self._listener: Listener | None = None
        self._output_bytes = 0
        self._unsent = b""
        self._loop = asyncio.get_running_loop()

    def send(self, frame: Down) -> None:
        """Send a frame, now or as soon as there is room."""
        self._unsent += encode_frame(frame)
        self._flush()

    def _flush(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[self.channel.send(self._unsent) :]
            self._loop.remove_writer(self.channel.fileno())
        except BlockingIOError:
            self._loop.add_writer(self.channel.fileno(), self._flush)
        except OSError:
            self._unsent = b""  # it is gone: the reader notices

    def listen(self, listener: Listener, output_bytes: int, displays_bytes: int) -> None:
        """Tell `listener` from now on what comes, up to the two caps."""
        self._listener = listener
        self._output_bytes = output_bytes
        self.frames.allowance_bytes = displays_bytes
        for descriptor in self._descriptors:
            self._loop.add_reader(descriptor, self._pump)

    def stop_listening(self) -> None:
        self._listener = None
        if self._rest:
            self._rest.cancel()
        for descriptor in self._descriptors:
            self._loop.remove_reader(descriptor)
            self._loop.remove_writer(descriptor)

    def _pump(self) -> None:
        """Take what there is, in the order it happened.

        Output is read first and frames after it: what was printed after a display was made lies behind the position its frame names, and
        that frame was sent before, so it is here by now. What was printed before a frame was sent is in the pipe when the frame is here,
        perhaps only since the pipe was read: so it is read again, up to where the frame stands.
        """
        listener = self._listener
        if listener is None:
            return
        self._read_output()
        over_cap = self._cut_output()
        frames, end = self._receive()
        for frame in frames:
            if isinstance(frame, Shown):
                if not over_cap:
                    self.stdout.read(frame.stdout_bytes)
                    over_cap = self._cut_output()
                self._release(listener, frame.stdout_bytes)
                listener.on_shown(frame)
            elif isinstance(frame, Begun):
                self.begun = True
            elif isinstance(frame, Over):
                if not over_cap:
                    self._read_output()
                    self._cut_output()
                self._release(listener, final=True)
                self.stop_listening()
                listener.on_over(frame)
                return
        self._release(listener)
        if over_cap or end:
            self.stop_listening()
            _tell_end(listener, FrameTooLarge() if over_cap else end)

    def _read_output(self) -> None:
        """Read both pipes, then leave them alone for a moment; a frame on the channel is what ends that early."""
        for pipe in (self.stdout, self.stderr):
            if not pipe.read():
                self._ended.add(pipe)
            self._loop.remove_reader(pipe.descriptor)
        if not self._rest:
            self._rest = self._loop.call_later(_REST_SECONDS, self._resume_output)

    def _resume_output(self) -> None:
        self._rest = None
        for pipe in (self.stdout, self.stderr):
            if pipe not in self._ended:
                self._loop.add_reader(pipe.descriptor, self._pump)

    def _cut_output(self) -> bool:
        """Drop what is over the cap; true if anything was."""
        excess = self.stdout.bytes_read + self.stderr.bytes_read - self._output_bytes
        if excess <= 0:
            return False
        for pipe in (self.stdout, self.stderr):
            excess -= pipe.cut(excess)
        return True

    def _receive(self) -> tuple[list[Up], Exception | None]:
        """The frames that are there, and what ended the channel, if anything did."""
        frames: list[Up] = []
        try:
            while data := self.channel.recv(RECEIVE_BYTES):
                frames += self.frames.feed(data)  # one by one: those before a bad one are kept
        except BlockingIOError:
            return frames, None
        except (FrameTooLarge, FrameMalformed, OSError) as error:
            return frames, error
        return frames, EOFError()

    def _release(self, listener: Listener, until: int | None = None, final: bool = False) -> None:
        if text := self.stdout.release(until, final):
            listener.on_stdout(text)
        if text := self.stderr.release(None, final):
            listener.on_stderr(text)

    # what is left in stderr when nobody listens any more

    async def read_dump(self) -> bytes:
        """What the watchdog writes, read until it names a line of the program or the stream ends."""
        dump = b""
        while not names_a_place(dump):
            await readable(self.stderr.descriptor)
            if not self.stderr.read():
                break
            dump += self.stderr.take_pending()
        return dump

    def read_last_words(self) -> bytes:
        """What the interpreter wrote while it crashed; for after its end."""
        with contextlib.suppress(OSError):
            self.stderr.read()
        return self.stderr.take_pending()

    def close(self) -> None:
        self.stop_listening()
        self.channel.close()
        os.close(self.stdout.descriptor)
        os.close(self.stderr.descriptor)


def _tell_end(listener: Listener, end: Exception | None) -> None:
    if isinstance(end, FrameTooLarge):
        listener.on_too_much()
    elif isinstance(end, FrameMalformed):
        listener.on_malformed()
    else:
        listener.on_gone()
