"""The base class of instruments, which observe a run from inside and record what they see. Made in the zygote, used in the child.

docs/records.md says what a new instrument needs.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, ClassVar

from app.protocol.instrument_facts import InstrumentFacts
from app.protocol.records.record import Span
from app.protocol.run import RunError
from app.runtimes.recorder import Recorder


class Instrument:
    """The base class of instruments. An instrument must not change what the learner's program sees.

    InstrumentSet calls the methods below and guards each call. A replacement for a library's function, which the program calls, must use
    `guarded` itself.
    """

    facts: ClassVar[InstrumentFacts]

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.active = False  # whether it is switched on for this program; if not, its replacements only call the originals

    def install(self) -> None:
        """Replace the functions to be observed. Runs in the zygote and starts no threads."""

    def begin(self) -> None:
        """Prepare for a program that begins. If this raises, no other method is called for the program."""

    def replayed(self) -> None:
        """Prepare for the program's own source, after earlier cells have been replayed."""

    def show(self, value: Any, span: Span | None, title: str) -> bool:
        """Record the value of a trailing expression and return True, or return False to leave it to the next instrument."""
        return False

    def finish(self, error: RunError | None) -> None:
        """Record what is still to be shown. The program has ended; `error` is what it raised, None if nothing."""

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Record an Exception that the block raises as a fault of Gradroom, and suppress it."""
        try:
            yield
        except Exception as error:
            with suppress(Exception):  # there is no memory left, or the channel is closed
                self.recorder.record_fault(self.facts.name, error)
