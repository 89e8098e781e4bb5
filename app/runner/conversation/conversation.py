"""A typed exchange with one child. The runner sends frames; the child sends frames and output, within caps.

To execute a program is one kind of conversation: the runner sends `Execute`; the child sends `Begun`, any number of `Shown`, and one
`Over`. To question what the program defined is another, in which both sides send `Ask` and `Answer`. What a child sends may be hostile.
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
from app.runner.conversation.scratch_watch import ScratchWatch
from app.runner.stopwatch import Deadline
from app.sandbox.framing import FRAME_BYTES


class Caps(msgspec.Struct, frozen=True, kw_only=True):
    """What a child may use in one conversation.

    `seconds`: how long the runner waits for the child; pauses do not count. `output_bytes`: of stdout and stderr together. `all_bytes`: of
    all frames together. `frame_bytes`: of one frame. `frames`: how many frames.
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
    MALFORMED = auto()  # the channel carried bytes that are no frame
    GONE = auto()  # the child closed the channel


Item = Stdout | Stderr | Up


class Conversation:
    """A conversation. Everything that the child sends becomes an item; the last item is the final frame, or a Cut if that never came.

    `on_item`: called with each item as soon as it is read. Without it, iterate the conversation once; then `end` is the Cut, or None if the
    final frame came. `final`: the type of the final frame, which ends the conversation. The child is then killed, unless `keep_alive` is
    set because another conversation follows.
    """

    def __init__(
        self,
        child: ChildHandle,
        caps: Caps,
        on_item: Callable[[Item | Cut], None] | None = None,
        *,
        final: type[Up] | tuple[()] = (),
        keep_alive: bool = False,
    ) -> None:
        self.child = child
        self.end: Cut | None = None
        self.cut_short = asyncio.Event()  # set when the runner, not the child, ended the conversation: work on its items may stop
        self._items: asyncio.Queue[Item | Cut] = asyncio.Queue()
        self._on_item = on_item or self._items.put_nowait
        self._final = final
        self._keep_alive = keep_alive
        self._deadline = Deadline(caps.seconds, self._end_in_time)
        self._is_counted = False
        self._paused = False
        self._open = True
        self._finished = False
        child.hand_over(caps.all_bytes, caps.frames, self.close)
        child.frames.largest_bytes = caps.frame_bytes
        # `ChildOutput` soon calls `_pump`, which also reads frames that arrived before this conversation
        self._output = ChildOutput(child.stdout, child.stderr, caps.output_bytes, self._pump, self._on_item)
        asyncio.get_running_loop().add_reader(child.channel.fileno(), self._pump)
        self._scratch = asyncio.create_task(self._watch(child.scratch)) if child.scratch else None

    @property
    def seconds(self) -> float:
        """How many seconds the runner has waited for the child, without pauses."""
        return self._deadline.seconds

    # the asker's side

    def send(self, frame: Down) -> None:
        """Send a frame. From now on the time that the runner waits for the child is counted, until `rest` or `close`."""
        if not self._open:
            return
        self.child.send(frame)
        self._is_counted = True
        if not self._paused:
            self._deadline.go()

    def rest(self) -> None:
        """Stop the clock until the next `send`."""
        self._is_counted = False
        self._deadline.halt()

    def cut(self, cut: Cut) -> None:
        """End the conversation. Items that were read before are still passed on."""
        self.cut_short.set()
        self._end(cut)

    def pause(self) -> None:
        """Stop the child and its clock until `resume`."""
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
        """Return the end of stderr, and the part of it that the interpreter wrote while it crashed. Call this after the child has ended."""
        dump = self.child.read_last_words()
        return (self._output.stderr.encode() + dump)[-LAST_BYTES:], dump

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Item:
        if self._finished:
            raise StopAsyncIteration
        if not self._items.empty():
            await asyncio.sleep(0)  # so that a burst of items does not keep other tasks waiting
        item = await self._items.get()
        self._finished = isinstance(item, (Cut, self._final))
        if isinstance(item, Cut):
            self.end = item
            raise StopAsyncIteration
        return item

    def close(self) -> None:
        """Stop reading. The child handle calls this before it closes the descriptors, whose numbers may be reused then."""
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
        """End the conversation at its deadline, after reading what the child sent before it."""
        self._pump()
        if self._open:
            self.cut(Cut.DEADLINE)

    async def _watch(self, scratch: ScratchWatch) -> None:
        await scratch.wait_until_over()
        self.cut(Cut.SCRATCH)

    def _pump(self) -> None:
        """Pass on what has arrived, output and frames, in the order in which the child wrote them.

        The output is read before the frames, so that text printed after a frame is never passed on before the frame. Text printed before a
        frame may reach the pipe only after that reading. So before a `Shown` is passed on, stdout is read again up to the position that it
        names. Before an `Over`, or when the channel has ended, both pipes are read again.
        """
        self._output.read()
        frames, end = self._receive()
        for frame in frames:
            if isinstance(frame, Shown | Over):  # text that was printed before these frames must be passed on before them
                position = frame.stdout_bytes if isinstance(frame, Shown) else None
                self._output.read_again(position)
                self._output.release(position, final=isinstance(frame, Over))
            if isinstance(frame, self._final):
                if not self._keep_alive:
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
            self.child.touched = True  # this answers a warm-up that had begun before this conversation
        else:
            self._on_item(frame)

    def _receive(self) -> tuple[list[Up], Cut | None]:
        """Return the frames that have arrived, and a Cut if the channel has ended. One call reads a bounded number of bytes."""
        frames: list[Up] = []
        data, bytes_left = b"", RECEIVE_BYTES
        try:
            while True:
                for frame in self.child.frames.feed(data):  # one by one, so that those before a malformed one count
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
