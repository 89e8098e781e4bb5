"""The recorder, through which all instruments emit their records. Made in the zygote, used in the child."""

import threading
from collections import Counter

from app.protocol.records.fault import FaultRecord
from app.protocol.records.record import Record, Span
from app.protocol.records.registry import encode_record
from app.runtimes.plain_text import plain, str_of, type_name
from app.runtimes.positions import Sources
from app.runtimes.runtime import Emit

REASON_CHARACTERS = 500
FAULTS = 20  # the most fault records of one program: they count against the limit on the learner's records


class Recorder:
    """Emits records while a program runs.

    `showing` is true while the program's own source runs, and false while earlier cells are replayed. `sources` are the program's sources.
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
        """Whether a program, or a cell that is replayed before it, is running."""
        return self._emit is not None

    def open(self, emit: Emit) -> None:
        """Begin a program, whose records go to `emit`."""
        self.sources.forget()
        self._faults.clear()
        self._counts.clear()
        self._emit = emit
        self.showing = False

    def close(self) -> None:
        """End the program. Later records are dropped."""
        self.showing = False
        self._emit = None

    def show(self, record: Record, span: Span | None) -> None:
        """Emit a record about the part `span` of a source. Does nothing unless `showing` is true."""
        if self.showing:
            self._show(record, span)

    def count(self, kind: str) -> int:
        """Return how many records of this kind have been shown."""
        return self._counts[kind]

    def record_fault(self, instrument: str, error: BaseException) -> None:
        """Emit a record that an instrument failed. The same error at the same place is recorded only once."""
        reason = plain(f"{type_name(error)}: {str_of(error)}", REASON_CHARACTERS)
        span = self.sources.caller()
        if (instrument, reason, span) not in self._faults and len(self._faults) < FAULTS:
            self._faults.add((instrument, reason, span))
            self._show(FaultRecord(instrument=instrument, reason=reason), span)

    def _show(self, record: Record, span: Span | None) -> None:
        """Emit a record. Its id counts only records of its kind, so that other instruments do not change it."""
        kind = str(record.__struct_config__.tag)
        record.span = span
        with self._lock:
            if self._emit is not None:
                self._counts[kind] += 1
                record.id = f"{kind}-{self._counts[kind]}"
                self._emit(record)


class RecordBudget:
    """The bytes of JSON that are left for the records of one kind.

    They are bounded because the runner ends a run whose records are too large together.
    """

    def __init__(self, bytes_left: int) -> None:
        self._bytes_left = bytes_left

    def admit(self, record: Record) -> bool:
        """Return whether there is room for a record, and subtract its size if so."""
        size = len(encode_record(record))
        if size > self._bytes_left:
            return False
        self._bytes_left -= size
        return True
