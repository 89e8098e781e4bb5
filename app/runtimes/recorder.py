"""The recorder: where the instruments put what they saw. Made in the zygote with them, used in the child.

It is closed outside a program; while cells are replayed, it shows nothing but faults.
"""

import threading
from collections import Counter

from app.protocol.records.fault import FaultRecord
from app.protocol.records.record import Record, Span
from app.runtimes.plain_text import plain, str_of, type_name
from app.runtimes.positions import Sources
from app.runtimes.runtime import Emit

REASON_CHARACTERS = 500
FAULTS = 20  # of one program; more tell nothing new, and would count against the learner's records


class Recorder:
    """Open while a program runs; showing while what it does is to be seen."""

    def __init__(self) -> None:
        self.sources = Sources()
        self.showing = False
        self._emit: Emit | None = None
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()  # records shown, by kind
        self._faults: set[tuple[str, str, Span | None]] = set()

    @property
    def running(self) -> bool:
        """A program is running, be it only replayed."""
        return self._emit is not None

    def open(self, emit: Emit) -> None:
        """A program begins."""
        self.sources.forget()
        self._faults.clear()
        self._counts.clear()
        self._emit = emit
        self.showing = False

    def close(self) -> None:
        """The program is over: nothing is shown any more."""
        self.showing = False
        self._emit = None

    def show(self, record: Record, span: Span | None) -> None:
        """Emit a record at its span, or at none; nothing while the recorder is closed or a cell is replayed."""
        if self.showing:
            self._show(record, span)

    def record_fault(self, instrument: str, error: BaseException) -> None:
        """An instrument failed, through a fault of ours: say so, once for each line that was running."""
        reason = plain(f"{type_name(error)}: {str_of(error)}", REASON_CHARACTERS)
        span = self.sources.caller()
        if (instrument, reason, span) not in self._faults and len(self._faults) < FAULTS:
            self._faults.add((instrument, reason, span))
            self._show(FaultRecord(instrument=instrument, reason=reason), span)

    def _show(self, record: Record, span: Span | None) -> None:
        """Its id counts the records of its kind, so that it is the same whichever other instruments are on."""
        kind = str(record.__struct_config__.tag)
        record.span = span
        with self._lock:
            if self._emit is not None:
                self._counts[kind] += 1
                record.id = f"{kind}-{self._counts[kind]}"
                self._emit(record)
