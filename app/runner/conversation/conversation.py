"""A typed exchange with one child: frames go down; frames and output come up, in the order they happened, within caps.

To execute a program is one kind of conversation: `Execute` goes down; `Begun`, any number of `Shown` and one `Over` come up. To ask what
the program defined is another, in which `Ask` and `Answer` go both ways. Everything that comes is hostile.
"""

import asyncio
from collections.abc import Callable
from enum import Enum, auto
from typing import Self

import msgspec

from app.protocol.channel import Down, Over, Shown, Touched, Up
from app.protocol.event import Stderr, Stdout
from app.runner.conversation.child_handle import RECEIVE_BYTES, ChildHandle
from app.runner.conversation.child_output import ChildOutput
from app.runner.conversation.dump import LAST_BYTES
from app.runner.conversation.frames import FrameMalformed, FrameTooLarge
from app.runner.stopwatch import Deadline
from app.sandbox.framing import FRAME_BYTES


class Caps(msgspec.Struct, frozen=True, kw_only=True):
    """What a child may take of one conversation.

    `seconds`: while the child is waited for and not paused. `output_bytes`: of stdout and stderr, besides what it printed before.
    `all_bytes`: of all frames together; `frame_bytes`: of one.
    """

    seconds: float
    output_bytes: int
    all_bytes: int
    frame_bytes: int = FRAME_BYTES
    frames: int = 1000


class Cut(Enum):
    """Why a conversation ended before its final frame."""

    DEADLINE = auto()
    STOPPED = auto()
    TOO_MUCH = auto()  # a cap of bytes or frames is reached
    SCRATCH = auto()  # too many or too large files
    MALFORMED = auto()  # the channel carried what is no frame
    GONE = auto()  # the child closed the channel


Item = Stdout | Stderr | Up


class Conversation:
    """Everything a child sends is an item; the last is a Cut, unless a frame of the type `final` or `close` ended the conversation before.

    `on_item` is called with each item as soon as it is read. Without it, items wait in a queue: iterate once; then `end` is the Cut, or
    None if the final frame came. What a child sends after its final frame is not read, and the child is killed, unless it is `kept` for
    another conversation.
    """

    def __init__(
        self,
        child: ChildHandle,
        caps: Caps,
        on_item: Callable[[Item | Cut], None] | None = None,
        *,
        final: type[Up] | tuple[()] = (),
        kept: bool = False,
    ) -> None:
        self.child = child
        self.end: Cut | None = None
        self.cut_short = asyncio.Event()  # somebody else than the child ended it: whoever still works on what it said need not
        self._items: asyncio.Queue[Item | Cut] = asyncio.Queue()
        self._on_item = on_item or self._items.put_nowait
        self._final = final
        self._kept = kept
        self._deadline = Deadline(caps.seconds, self._end_in_time)
        self._is_counted = False
        self._paused = False
        self._open = True
        self._finished = False
        child.hand_over(caps.all_bytes, caps.frames, self.close)
        child.frames.largest_bytes = caps.frame_bytes
        # reads the channel at once, too: the conversation before this one may have received frames that it did not read
        self._output = ChildOutput(child.stdout, child.stderr, caps.output_bytes, self._pump, self._on_item)
        asyncio.get_running_loop().add_reader(child.channel.fileno(), self._pump)
        self._scratch = asyncio.create_task(self._watch_scratch()) if child.scratch else None

    @property
    def seconds(self) -> float:
        """How long the child was waited for, without pauses."""
        return self._deadline.seconds

    # the asker's side

    def send(self, frame: Down) -> None:
        """Send a frame; from now on the child is waited for."""
        if not self._open:
            return
        self.child.send(frame)
        self._is_counted = True
        if not self._paused:
            self._deadline.go()

    def rest(self) -> None:
        """The child is not waited for until it is sent something."""
        self._is_counted = False
        self._deadline.halt()

    def cut(self, cut: Cut) -> None:
        """End it; items from before are still given."""
        self.cut_short.set()
        self._end(cut)

    def pause(self) -> None:
        """The child does nothing, and its deadline does not come nearer, until `resume`."""
        self._paused = True
        self._deadline.halt()
        if self._open:
            self.child.pause()

    def resume(self) -> None:
        """Let the child continue, if it was paused."""
        was_paused, self._paused = self._paused, False
        if was_paused and self._open:
            self.child.resume()
            if self._is_counted:
                self._deadline.go()

    def last_words(self) -> tuple[bytes, bytes]:
        """The end of stderr, and the part of it that the interpreter wrote while it crashed; for after the child's end."""
        dump = self.child.read_last_words()
        return (self._output.stderr.encode() + dump)[-LAST_BYTES:], dump

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Item:
        if self._finished:
            raise StopAsyncIteration
        if not self._items.empty():
            await asyncio.sleep(0)  # whoever is talked to in a burst leaves others their turns
        item = await self._items.get()
        self._finished = isinstance(item, (Cut, self._final))
        if isinstance(item, Cut):
            self.end = item
            raise StopAsyncIteration
        return item

    def close(self) -> None:
        """Read no more. The child calls this when it closes its descriptors, whose numbers may be another's then."""
        if not self._open:
            return
        self._open = False
        self._deadline.halt()
        if self._scratch:
            self._scratch.cancel()
        self._output.close()
        asyncio.get_running_loop().remove_reader(self.child.channel.fileno())

    # the child's side

    def _end(self, cut: Cut) -> None:
        if self._open:
            self.close()
            self._on_item(cut)

    def _end_in_time(self) -> None:
        """The deadline is here. What the child sent before it counts, even if this process was too busy to read it."""
        self._pump()
        if self._open:
            self.cut(Cut.DEADLINE)

    async def _watch_scratch(self) -> None:
        assert self.child.scratch
        await self.child.scratch.wait_until_over()
        self.cut(Cut.SCRATCH)

    def _pump(self) -> None:
        """Pass on what has arrived, output and frames, in the order in which the child wrote them.

        The pipe of the output is read before the frames: whatever was printed after a frame was sent cannot be passed on ahead of it. What
        was printed before a frame may reach the pipe after that reading; so the pipe is read again, up to the position the frame names, and
        both pipes when nothing follows.
        """
        self._output.read()
        frames, end = self._receive()
        for frame in frames:
            if isinstance(frame, Shown | Over):  # these stand after what was printed before them
                position = frame.stdout_bytes if isinstance(frame, Shown) else None
                self._output.read_again(position)
                self._output.release(position, final=isinstance(frame, Over))
            if isinstance(frame, self._final):
                if not self._kept:
                    self.child.kill()  # it has nothing more to say
                self.close()
            self._give(frame)
            if not self._open:
                return
        if end:
            self._output.read_again()
        self._output.release()
        if cut := Cut.TOO_MUCH if self._output.over_cap else end:
            self._end(cut)

    def _give(self, frame: Up) -> None:
        if isinstance(frame, Touched) and self.child.touching:
            self.child.touched = True  # its warm-up had begun before it was taken for this
        else:
            self._on_item(frame)

    def _receive(self) -> tuple[list[Up], Cut | None]:
        """The frames that are there, but no more than others can wait for, and what ended the channel, if anything did."""
        frames: list[Up] = []
        data, bytes_left = b"", RECEIVE_BYTES
        try:
            while True:
                for frame in self.child.frames.feed(data):  # one by one: those before a bad one are kept
                    frames.append(frame)
                    if isinstance(frame, self._final):
                        return frames, None
                if bytes_left <= 0:
                    return frames, None
                data = self.child.channel.recv(RECEIVE_BYTES)
                bytes_left -= len(data)
                if not data:
                    return frames, Cut.GONE
        except BlockingIOError:
            return frames, None
        except FrameTooLarge:
            return frames, Cut.TOO_MUCH
        except FrameMalformed:
            return frames, Cut.MALFORMED
        except OSError:
            return frames, Cut.GONE
