"""One of several children that talk to each other: each of its frames is handed on at once, within caps; its output is counted and dropped.

A Conversation puts what it reads into a queue for a task; here it is handed to a function, so that a question costs one wake-up on its way
through this process.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from app.protocol.channel import Down, Touched, Up
from app.runner.conversation.child_handle import RECEIVE_BYTES, ChildHandle
from app.runner.conversation.conversation import Cut
from app.runner.conversation.dump import LAST_BYTES
from app.runner.conversation.frames import FrameMalformed, FrameTooLarge
from app.runner.stopwatch import Deadline


class PeerCaps(msgspec.Struct, frozen=True, kw_only=True):
    """`seconds`: while it is not waited for, they do not count. `output_bytes`: besides what it had printed before."""

    seconds: float
    frame_bytes: int
    all_bytes: int
    frames: int
    output_bytes: int


class Peer:
    """`on_frame` is called with each frame; `on_end` once, with why nothing more is read, unless it is closed before."""

    def __init__(self, child: ChildHandle, caps: PeerCaps, on_frame: Callable[[Up], None], on_end: Callable[[Cut], None]) -> None:
        self.child = child
        self._stderr = b""
        self._on_frame = on_frame
        self._on_end = on_end
        self._output_bytes = caps.output_bytes + self._printed_bytes
        self._deadline = Deadline(caps.seconds, lambda: self.end(Cut.DEADLINE))
        self._is_counted = False
        self._paused = False
        self._open = True
        self._loop = asyncio.get_running_loop()
        child.hand_over(caps.all_bytes, caps.frames, self.close)
        child.frames.largest_bytes = caps.frame_bytes
        self._loop.add_reader(child.channel.fileno(), self._receive)
        for pipe in (child.stdout, child.stderr):
            self._loop.add_reader(pipe.descriptor, self._drop_output)
        self._loop.call_soon(self._take, b"")  # it may have said more than what it was asked before
        self._scratch = asyncio.create_task(self._watch_scratch(child.scratch.wait_until_over)) if child.scratch else None

    @property
    def seconds(self) -> float:
        """How long it has been waited for."""
        return self._deadline.seconds

    @property
    def _printed_bytes(self) -> int:
        return self.child.stdout.bytes_read + self.child.stderr.bytes_read

    def last_words(self) -> bytes:
        """The last that it wrote to stderr; for after its end."""
        self._stderr = (self._stderr + self.child.read_last_words())[-LAST_BYTES:]
        return self._stderr

    def send(self, frame: Down) -> None:
        """Send a frame; from now on it is waited for."""
        if not self._open:
            return
        self.child.send(frame)
        self._is_counted = True
        if not self._paused:
            self._deadline.go()

    def rest(self) -> None:
        """It is not waited for until it is sent something."""
        self._is_counted = False
        self._deadline.halt()

    def pause(self) -> None:
        """It does nothing, and its time does not pass, until `resume`."""
        self._paused = True
        self._deadline.halt()
        if self._open:
            self.child.pause()

    def resume(self) -> None:
        """Go on, if it was paused."""
        was_paused, self._paused = self._paused, False
        if was_paused and self._open:
            self.child.resume()
            if self._is_counted:
                self._deadline.go()

    def end(self, cut: Cut) -> None:
        """Read no more of it and say why, once."""
        if self._open:
            self.close()
            self._on_end(cut)

    def close(self) -> None:
        """Read no more of it. The child does this when it is let go of: its descriptors may be another's then."""
        if not self._open:
            return
        self._open = False
        self._deadline.halt()
        if self._scratch:
            self._scratch.cancel()
        for descriptor in self.child.descriptors:
            self._loop.remove_reader(descriptor)

    async def _watch_scratch(self, wait_until_over: Callable[[], Coroutine[Any, Any, None]]) -> None:
        await wait_until_over()
        self.end(Cut.SCRATCH)

    def _receive(self) -> None:
        """One read: a child that sends without end leaves others their turns."""
        try:
            data = self.child.channel.recv(RECEIVE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._take(data)
        else:
            self.end(Cut.GONE)

    def _take(self, data: bytes) -> None:
        try:
            for frame in self.child.frames.feed(data):
                if not self._open:
                    return
                if isinstance(frame, Touched) and self.child.touching:
                    self.child.touched = True  # its warm-up had begun before it was taken for this
                else:
                    self._on_frame(frame)
        except FrameTooLarge:
            self.end(Cut.TOO_MUCH)
        except FrameMalformed:
            self.end(Cut.MALFORMED)

    def _drop_output(self) -> None:
        for pipe in (self.child.stdout, self.child.stderr):
            if not pipe.read():
                self._loop.remove_reader(pipe.descriptor)
            dropped = pipe.take_pending()
            if pipe is self.child.stderr:
                self._stderr = (self._stderr + dropped)[-LAST_BYTES:]
        if self._printed_bytes > self._output_bytes:
            self.end(Cut.TOO_MUCH)
