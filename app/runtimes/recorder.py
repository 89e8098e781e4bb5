"""The recorder: where the observers put what they saw. Made in the zygote when they are installed, used in the child.

It is closed (nothing is shown) outside a program and while cells are replayed.
"""

import threading

from app.protocol.records.fault import FaultDisplay
from app.protocol.records.record import Display
from app.runtimes.plain_text import plain, str_of, type_name
from app.runtimes.positions import Place, Sources
from app.runtimes.runtime import Emit

REASON_CHARACTERS = 500


class Recorder:
    """Open while a program runs; showing while what it does is to be seen."""

    def __init__(self) -> None:
        self.sources = Sources()
        self.showing = False
        self._emit: Emit | None = None
        self._lock = threading.Lock()

    @property
    def running(self) -> bool:
        """A program is running, be it only replayed."""
        return self._emit is not None

    def open(self, emit: Emit) -> None:
        """A program begins."""
        self.sources.forget()
        self._emit = emit
        self.showing = False

    def close(self) -> None:
        """The program is over: nothing is shown any more."""
        self.showing = False
        self._emit = None

    def show(self, display: Display, place: Place | None) -> None:
        """Emit a display at its place, or at none; nothing while the recorder is closed or a cell is replayed."""
        if place is not None:
            display.cell, display.line = place
        with self._lock:
            if self.showing and self._emit is not None:
                self._emit(display)

    def record_fault(self, instrument: str, error: BaseException) -> None:
        """An instrument failed, through a fault of ours: say so, at the line that was running."""
        reason = plain(f"{type_name(error)}: {str_of(error)}", REASON_CHARACTERS)
        self.show(FaultDisplay(instrument=instrument, reason=reason), self.sources.caller())
