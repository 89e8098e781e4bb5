"""A typed exchange with one child: frames go down; frames and output come up, in the order they happened, within caps.

To execute a program is one kind of conversation: `Execute` goes down; `Begun`, any number of `Shown` and one `Over` come up.
Everything that comes is hostile. The descriptors are read without blocking, and what they bring waits in one queue.
"""

import asyncio
from enum import Enum, auto
from typing import Self

import msgspec

from app.protocol.channel import Down, Over, Shown, Up
from app.protocol.event import Stderr, Stdout
from app.runner.conversation.child_handle import RECEIVE_BYTES, ChildHandle
from app.runner.conversation.frames import FrameMalformed, FrameTooLarge
from app.runner.stopwatch import Deadline

_REST_SECONDS = 0.01  # between two looks at the output, so that a flood of short lines becomes few items


class Caps(msgspec.Struct, frozen=True, kw_only=True):
    """What one conversation may take. `frame_bytes`: all frames together; `seconds`: pauses do not count."""

    frame_bytes: int
    output_bytes: int
    seconds: float
    frames: int = 1000


class Cut(Enum):
    """Why a conversation ended before its final frame."""

    DEADLINE = auto()
    STOPPED = auto()
    TOO_MUCH = auto()  # a cap of bytes or frames is reached
    SCRATCH = auto()  # too many or too large files
    MALFORMED = auto()  # the channel carried what is no frame
    GONE = auto()  # the child closed the channel


class Conversation:
    """Iterate over it once, for output and frames; then `end` says why no more comes (None: the final frame came).

    A frame of the type `final` ends it: what the child says after that is not read, and it is killed, unless it is `kept` to be talked to.
    """

    def __init__(self, child: ChildHandle, caps: Caps, final: type[Up], *, kept: bool = False) -> None:
        self.end: Cut | None = None
        self.cut_short = asyncio.Event()  # somebody else than the child ended it: whoever still works on what it said need not
        self._child = child
        self._caps = caps
        self._final = final
        self._kept = kept
        self._items: asyncio.Queue[Stdout | Stderr | Up | Cut] = asyncio.Queue()
        self._deadline = Deadline(caps.seconds, self._end_in_time)
        self._paused = False
        self._open = True
        self._finished = False
        self._rest: asyncio.TimerHandle | None = None
        self._resting: set[int] = set()  # pipes that are not read from just now
        self._loop = asyncio.get_running_loop()
        child.hand_over(caps.frame_bytes, caps.frames, self.close)
        for descriptor in child.descriptors:
            self._loop.add_reader(descriptor, self._pump)

    @property
    def seconds(self) -> float:
        """How long it has taken, without pauses."""
        return self._deadline.seconds

    # the asker's side

    def send(self, frame: Down) -> None:
        """Send a frame; from the first one on time is counted."""
        self._child.send(frame)
        if not self._paused:
            self._deadline.go()

    def cut(self, cut: Cut) -> None:
        """End it; what came before is still given."""
        self.cut_short.set()
        self._items.put_nowait(cut)

    def pause(self) -> None:
        """The child does nothing, and its deadline does not come nearer, until `resume`."""
        self._paused = True
        self._deadline.halt()
        if self._open:
            self._child.pause()

    def resume(self) -> None:
        """Go on, if it was paused."""
        was_paused, self._paused = self._paused, False
        if was_paused and self._open:
            self._child.resume()
            self._deadline.go()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Stdout | Stderr | Up:
        if self._finished:
            raise StopAsyncIteration
        if not self._items.empty():
            await asyncio.sleep(0)  # whoever is talked to in a burst leaves others their turns
        item = await self._items.get()
        if isinstance(item, Cut):
            self.end = item
            self._finished = True
            self.close()
            raise StopAsyncIteration
        self._finished = isinstance(item, self._final)
        return item

    def close(self) -> None:
        """Read no more. The child does this when it is let go of: its descriptors may be another's then."""
        if not self._open:
            return
        self._open = False
        self._deadline.halt()
        if self._rest:
            self._rest.cancel()
        for descriptor in self._child.descriptors:
            self._loop.remove_reader(descriptor)

    # the child's side

    def _end_in_time(self) -> None:
        """The deadline is here. What the child said before it counts, even if this process was too busy to read it."""
        if self._open:
            self._pump()
        if self._open:
            self.cut(Cut.DEADLINE)

    def _pump(self) -> None:
        """Take what there is, in the order it happened.

        Output is read first and frames after it: what was printed after a record was made lies behind the position its frame names, and
        that frame was sent before, so it is here by now. What was printed before a frame was sent is in the pipe when the frame is here,
        perhaps only since the pipe was read: so it is read again, up to where the frame stands.
        """
        self._read_output()
        over_cap = self._cut_output()
        frames, end = self._receive()
        for frame in frames:
            if isinstance(frame, Shown | Over):  # these stand after what was printed before them
                position = frame.stdout_bytes if isinstance(frame, Shown) else None
                if not over_cap:
                    self._child.stdout.read(position)
                    over_cap = self._cut_output()
                self._release(position, final=isinstance(frame, Over))
            self._items.put_nowait(frame)
            if isinstance(frame, self._final):
                if not self._kept:
                    self._child.kill()  # it has nothing more to say
                self.close()
                return
        self._release()
        if over_cap or end:
            self.close()
            self._items.put_nowait(Cut.TOO_MUCH if over_cap else end or Cut.GONE)

    def _read_output(self) -> None:
        """Read both pipes, and leave one that had something alone for a moment; a frame on the channel is what ends that early."""
        for pipe in (self._child.stdout, self._child.stderr):
            before = pipe.bytes_read
            is_open = pipe.read()
            if not is_open or pipe.bytes_read > before:
                self._loop.remove_reader(pipe.descriptor)
                if is_open:
                    self._resting.add(pipe.descriptor)
        if self._resting and not self._rest:
            self._rest = self._loop.call_later(_REST_SECONDS, self._resume_output)

    def _resume_output(self) -> None:
        self._rest = None
        while self._resting:
            self._loop.add_reader(self._resting.pop(), self._pump)

    def _cut_output(self) -> bool:
        """Drop what is over the cap; true if anything was."""
        stdout, stderr = self._child.stdout, self._child.stderr
        excess = stdout.bytes_read + stderr.bytes_read - self._caps.output_bytes
        if excess <= 0:
            return False
        for pipe in (stdout, stderr):
            excess -= pipe.cut(excess)
        return True

    def _receive(self) -> tuple[list[Up], Cut | None]:
        """The frames that are there, and what ended the channel, if anything did."""
        frames: list[Up] = []
        try:
            while data := self._child.channel.recv(RECEIVE_BYTES):
                for frame in self._child.frames.feed(data):  # one by one: those before a bad one are kept
                    frames.append(frame)
                    if isinstance(frame, self._final):
                        return frames, None
        except BlockingIOError:
            return frames, None
        except FrameTooLarge:
            return frames, Cut.TOO_MUCH
        except FrameMalformed:
            return frames, Cut.MALFORMED
        except OSError:
            return frames, Cut.GONE
        return frames, Cut.GONE

    def _release(self, until: int | None = None, final: bool = False) -> None:
        if text := self._child.stdout.release(until, final):
            self._items.put_nowait(Stdout(text))
        if text := self._child.stderr.release(None, final):
            self._items.put_nowait(Stderr(text))
