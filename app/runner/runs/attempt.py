"""One try to execute a program in a child: it yields events, and then has an ending."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator

import msgspec
import structlog

from app.protocol.channel import Begun, Execute, Over, Shown
from app.protocol.event import Stderr, Stdout
from app.protocol.records.fault import FaultRecord
from app.protocol.records.record import Record
from app.protocol.records.registry import RecordMalformed, RecordTooLarge, encode_record
from app.protocol.run import RunOrder
from app.runner.conversation.child_handle import ChildHandle, ChildLost
from app.runner.conversation.conversation import Caps, Conversation, Cut
from app.runner.conversation.dump import DumpedLine, innermost_place
from app.runner.drawing.pictures import Pictures
from app.runner.runs import ending as endings
from app.runner.runs.ending import Ending
from app.runner.runs.program_lines import ProgramLines
from app.runner.runs.record_intake import RecordIntake

_log = structlog.get_logger()
_REASON_CHARACTERS = 200
_WATCHDOG_SECONDS = 0.2  # a program at its deadline must report within this time which line is running

Event = Stdout | Stderr | msgspec.Raw


class Attempt:
    """One try. Iterate `events` once; then `ending` says how the program ended.

    Raises ChildLost if the child was lost through no fault of the program.

    `faults`: the names of the instruments that failed. `pictures`: None if nobody sees the records. `serving`: whether a child whose
    program has finished stays alive, to be questioned.
    """

    def __init__(self, order: RunOrder, child: ChildHandle, pictures: Pictures | None, *, serving: bool = False) -> None:
        limits = order.limits
        caps = Caps(all_bytes=limits.records_bytes, output_bytes=limits.output_bytes, seconds=limits.deadline_seconds)
        self.conversation = Conversation(child, caps, final=Over, keep_alive=serving)
        self.ending: Ending
        self.faults: list[str] = []
        self._order = order
        self._child = child
        self._pictures = pictures
        self._serving = serving
        self._begun = False  # whether the program has begun: from then on a failure may be its own fault
        self._over: Over | None = None
        self._lines = ProgramLines(order.program)
        self._intake = RecordIntake(self._lines, limits, order.lang, tells_changes=order.diagnosis == "full")
        self._characters = 0  # how many characters have been printed to stdout

    @property
    def truncated(self) -> tuple[bool, bool]:
        """Whether stdout, and whether stderr, was cut at the cap."""
        return self._child.stdout.truncated, self._child.stderr.truncated

    async def events(self) -> AsyncGenerator[Event, None]:
        """Execute the program and yield what it prints and shows."""
        try:
            self.conversation.send(Execute(program=self._order.program, serving=self._serving))
            cut = None
            try:
                async for item in self.conversation:
                    if event := await self._take(item):
                        yield event
                cut = self.conversation.end
            except RecordTooLarge:
                cut = Cut.TOO_MUCH
            except RecordMalformed as error:
                _log.info("record_malformed", reason=str(error)[:_REASON_CHARACTERS])  # an instrument of ours may be the cause
                cut = Cut.MALFORMED
            self.ending = await self._conclude(cut)
        finally:
            self.conversation.close()

    async def _take(self, item: object) -> Event | None:
        """Return the event for an item that the child sent, or None if the item makes none."""
        match item:
            case Stdout():
                self._characters += len(item.text)
            case Begun():
                self._begun = True
            case Over():
                self._over = item
            case Shown():
                return await self._record(item.record)
        return item if isinstance(item, Stdout | Stderr) else None

    async def _record(self, data: bytes) -> msgspec.Raw:
        """Return the record in its public form, with its picture. Raises RecordTooLarge or RecordMalformed."""
        record = await self._intake.take(data)
        record.stdout_offset = self._characters
        if isinstance(record, FaultRecord):
            self.faults.append(record.instrument)
        return msgspec.Raw(encode_record(await self._draw(record)))

    async def _draw(self, record: Record) -> Record:
        """Return the record with its picture, if its kind has one, or without it when the run is being ended."""
        if not self._pictures or not self._pictures.draws(record):
            return record
        cut_short = self.conversation.cut_short
        if cut_short.is_set():
            return self._pictures.leave_out(record)
        drawing, cut = asyncio.ensure_future(self._pictures.complete(record)), asyncio.ensure_future(cut_short.wait())
        try:
            await asyncio.wait({drawing, cut}, return_when=asyncio.FIRST_COMPLETED)
            return drawing.result() if drawing.done() else self._pictures.leave_out(record)
        finally:
            drawing.cancel()
            cut.cancel()

    async def _conclude(self, cut: Cut | None) -> Ending:
        lang, limits = self._order.lang, self._order.limits
        if self._over:
            return endings.from_over(self._over, self._lines, limits, lang)
        if cut is Cut.DEADLINE and not self._begun:
            raise ChildLost("the child did not begin the program in time")
        match cut:
            case Cut.DEADLINE:
                return endings.timed_out(limits, self._place(await self._child.ask_where(_WATCHDOG_SECONDS)), lang)
            case Cut.SCRATCH:
                return endings.too_many_files(limits, self._place(await self._child.ask_where(_WATCHDOG_SECONDS)), lang)
            case Cut.TOO_MUCH:
                return endings.too_much_output(lang)
            case Cut.MALFORMED:
                return endings.malformed(lang)
            case Cut.STOPPED:
                return endings.stopped()
            case _:
                return await self._conclude_exit()

    async def _conclude_exit(self) -> Ending:
        order, child = self._order, self._child
        end = await child.wait_for_exit()
        if not self._begun:
            raise ChildLost("the child ended before its program began")
        if end is None:
            return endings.malformed(order.lang)
        words, dump = self.conversation.last_words()
        return endings.from_exit(end, words, child.budget.cpu_seconds, self._place(dump), order.limits, order.lang)

    def _place(self, dump: bytes) -> DumpedLine | None:
        place = innermost_place(dump, self._lines.cells)
        with contextlib.suppress(ValueError):
            if place:
                self._lines.check(place.cell, place.line)
                return place
        return None
