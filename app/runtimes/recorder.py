"""The recorder: takes the records of all instruments and emits them. Made in the zygote, used in the child."""

import threading
from collections import Counter

from app.protocol.records.fault import FaultRecord
from app.protocol.records.record import Record, Span
from app.runtimes.plain_text import plain, str_of, type_name
from app.runtimes.positions import Sources
from app.runtimes.runtime import Emit

REASON_CHARACTERS = 500
FAULTS = 20  # the most fault records of one program: they count against the limit on the learner's records


class Recorder:
    """It is open while a program runs, and `showing` while the program's own source runs, not the cells that are replayed before it.

    `sources` are those of the program.
    """

    def __init__(self) -> None:
        self.sources = Sources()
        self.showing = False
        self._emit: Emit | None = None
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()  # records shown, by kind
        self._faults: set[tuple[str, str, Span | None]] = set()

    @property
    def running(self) -> bool:
        """Whether a program is running, a replayed cell of it included."""
        return self._emit is not None

    def open(self, emit: Emit) -> None:
        """A program begins."""
        self.sources.forget()
        self._faults.clear()
        self._counts.clear()
        self._emit = emit
        self.showing = False

    def close(self) -> None:
        """The program has ended."""
        self.showing = False
        self._emit = None

    def show(self, record: Record, span: Span | None) -> None:
        """Emit a record with the `span` of source that it belongs to, if the recorder is showing."""
        if self.showing:
            self._show(record, span)

    def record_fault(self, instrument: str, error: BaseException) -> None:
        """Emit a record that an instrument failed, once for each error and line of the program."""
        reason = plain(f"{type_name(error)}: {str_of(error)}", REASON_CHARACTERS)
        span = self.sources.caller()
        if (instrument, reason, span) not in self._faults and len(self._faults) < FAULTS:
            self._faults.add((instrument, reason, span))
            self._show(FaultRecord(instrument=instrument, reason=reason), span)

    def _show(self, record: Record, span: Span | None) -> None:
        """Emit a record with an id that counts the records of its kind, so that the id does not depend on the other instruments."""
        kind = str(record.__struct_config__.tag)
        record.span = span
        with self._lock:
            if self._emit is not None:
                self._counts[kind] += 1
                record.id = f"{kind}-{self._counts[kind]}"
                self._emit(record)
