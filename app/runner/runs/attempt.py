"""One try at a program: a child executes it, and what it says becomes events and, at last, an ending.

The child's side arrives through the `Listener` methods and waits in `_items`; `events` takes the items in order, so a graph's picture
(which another process draws) never lets later output overtake it.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from enum import Enum, auto

import msgspec

from app.protocol.channel import Over, Shown
from app.protocol.event import Recorded, Stderr, Stdout
from app.protocol.records.record import Display, Family, Record
from app.protocol.records.registry import RecordTooLarge, decode_record, encode_record, family_of
from app.protocol.run import RunOrder
from app.runner.conversation.child_handle import ChildHandle, ChildLost, Exit
from app.runner.conversation.dump import DumpedLine, innermost_place
from app.runner.drawing.pictures import Pictures
from app.runner.runs import ending as endings
from app.runner.runs.ending import Ending
from app.runner.runs.stopwatch import Deadline

_DISPLAYS = 500  # each may need a picture; their bytes have a cap of their own
_WATCHDOG_SECONDS = 0.2  # how long a program at its deadline has to say where it is
_EXIT_SECONDS = 1.0  # how long a child that closed its channel has to be gone
_WORD_SECONDS = 10.0  # how long a busy zygote has to say how a child that is gone has ended


class Cut(Enum):
    """Why the supervisor ends a program, or how it found it ended."""

    DEADLINE = auto()
    STOPPED = auto()
    TOO_MUCH = auto()
    SCRATCH = auto()
    MALFORMED = auto()
    GONE = auto()


class Transcript(msgspec.Struct):
    """What a program said, as far as it was let."""

    stdout: list[str] = []
    stderr: list[str] = []
    records: dict[Family, list[msgspec.Raw]] = {}
    stdout_truncated: bool = False
    stderr_truncated: bool = False

    def __bool__(self) -> bool:
        return bool(self.stdout or self.stderr or self.records)


class Attempt:
    """Iterate `events` once; then `ending` says how it went, unless ChildLost was raised: then the fault was not the program's."""

    def __init__(self, order: RunOrder, child: ChildHandle, pictures: Pictures) -> None:
        self.transcript = Transcript()
        self.ending: Ending | None = None
        self._order = order
        self._child = child
        self._pictures = pictures
        self._items: asyncio.Queue[Stdout | Stderr | Record | Over | Cut] = asyncio.Queue()
        self._hurry = asyncio.Event()
        self._deadline = Deadline(order.limits.deadline_seconds, lambda: self.cut(Cut.DEADLINE))
        self._executing = False
        self._paused = False
        self._characters = 0
        self._shown = 0

    # the child's side

    def on_stdout(self, text: str) -> None:
        self.transcript.stdout.append(text)
        self._characters += len(text)
        self._items.put_nowait(Stdout(text))

    def on_stderr(self, text: str) -> None:
        self.transcript.stderr.append(text)
        self._items.put_nowait(Stderr(text))

    def on_shown(self, shown: Shown) -> None:
        self._shown += 1
        self._items.put_nowait(self._decode(shown.record) if self._shown <= _DISPLAYS else Cut.TOO_MUCH)

    def _decode(self, data: bytes) -> Record | Cut:
        try:
            record = decode_record(data)
        except RecordTooLarge:
            return Cut.TOO_MUCH
        except (msgspec.DecodeError, ValueError, TypeError, RecursionError):
            return Cut.MALFORMED
        if isinstance(record, Display):
            record.stdout_offset = self._characters
        return record

    def on_over(self, over: Over) -> None:
        self._child.kill()  # it has nothing more to say
        self._items.put_nowait(over)

    def on_too_much(self) -> None:
        self._items.put_nowait(Cut.TOO_MUCH)

    def on_malformed(self) -> None:
        self._items.put_nowait(Cut.MALFORMED)

    def on_gone(self) -> None:
        self._items.put_nowait(Cut.GONE)

    # the asker's side

    def cut(self, cut: Cut) -> None:
        """End it; pictures that are not drawn yet are left out."""
        self._hurry.set()
        self._items.put_nowait(cut)

    def pause(self) -> None:
        """Its place is somebody else's for now, and its deadline does not come nearer."""
        self._paused = True
        if self._executing:
            self._deadline.halt()
            self._child.pause()

    def resume(self) -> None:
        self._paused = False
        if self._executing:
            self._child.resume()
            self._deadline.go()

    async def events(self) -> AsyncGenerator[Stdout | Stderr | Recorded, None]:
        """Execute the program and tell what it does."""
        watch = asyncio.create_task(self._watch_scratch())
        try:
            self._execute()
            while isinstance(item := await self._items.get(), Stdout | Stderr | Record):
                yield await self._complete(item) if isinstance(item, Record) else item
            self._cease()
            self.ending = await self._conclude(item)
        finally:
            self._cease()
            watch.cancel()
            self.transcript.stdout_truncated = self._child.streams.stdout.truncated
            self.transcript.stderr_truncated = self._child.streams.stderr.truncated

    async def _watch_scratch(self) -> None:
        if self._child.scratch:
            await self._child.scratch.wait_until_over()
            self.cut(Cut.SCRATCH)

    def _execute(self) -> None:
        limits = self._order.limits
        self._child.execute(self._order.program, limits.output_bytes, limits.displays_bytes, self)
        self._executing = True
        if self._paused:
            self.pause()
        else:
            self._deadline.go()

    def _cease(self) -> None:
        """It is being ended, and is not paused any more: its watchdog may have to answer."""
        self._executing = False
        self._deadline.halt()

    async def _complete(self, record: Record) -> Recorded:
        if self._pictures.draws(record):
            record = await self._draw(record)
        event = Recorded(family_of(record), msgspec.Raw(encode_record(record)))
        self.transcript.records.setdefault(event.family, []).append(event.record)
        return event

    async def _draw(self, record: Record) -> Record:
        """The record with its picture, or without one when the run is being ended."""
        if self._hurry.is_set():
            return self._pictures.leave_out(record)
        drawing, hurry = asyncio.ensure_future(self._pictures.complete(record)), asyncio.ensure_future(self._hurry.wait())
        try:
            await asyncio.wait({drawing, hurry}, return_when=asyncio.FIRST_COMPLETED)
            return drawing.result() if drawing.done() else self._pictures.leave_out(record)
        finally:
            drawing.cancel()
            hurry.cancel()

    async def _conclude(self, item: Over | Cut) -> Ending:
        lang, limits = self._order.lang, self._order.limits
        if isinstance(item, Over):
            return endings.from_over(item, lang)
        if item in (Cut.DEADLINE, Cut.SCRATCH):
            place = self._place(await self._child.running_line(_WATCHDOG_SECONDS))
            return (endings.timed_out if item is Cut.DEADLINE else endings.too_many_files)(limits, place, lang)
        if item is Cut.TOO_MUCH:
            return endings.too_much_output(lang)
        if item is Cut.MALFORMED:
            return endings.malformed(lang)
        if item is Cut.STOPPED:
            return endings.stopped()
        return await self._conclude_exit()

    async def _conclude_exit(self) -> Ending:
        order, child = self._order, self._child
        end = await self._exit()
        if not child.streams.begun:
            raise ChildLost("the child ended before its program began")
        if end is None:
            return endings.malformed(order.lang)
        dump = child.streams.read_last_words()
        words = "".join(self.transcript.stderr).encode() + dump
        return endings.from_exit(end, words, child.budget.cpu_seconds, self._place(dump), order.limits, order.lang)

    async def _exit(self) -> Exit | None:
        """How the child ended; None if it closed its channel and lives on."""
        for seconds in (_EXIT_SECONDS, _WORD_SECONDS):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    return await asyncio.shield(self._child.exited)
            if not self._child.ended:
                return None
        raise ChildLost("the zygote does not say how the child ended")

    def _place(self, dump: bytes) -> DumpedLine | None:
        program = self._order.program
        return innermost_place(dump, {source.cell for source in [*program.replay, program.source] if source.cell})
