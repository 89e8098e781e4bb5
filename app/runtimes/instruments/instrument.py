"""An instrument: observes a run from inside, and records what it saw. Made and installed in the zygote, used in the child.

A new one is a module that extends this class, its facts in app.protocol.instrument_facts, a line in its runtime, and its record.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, ClassVar

from app.protocol.instrument_facts import InstrumentFacts
from app.protocol.records.record import Span
from app.runtimes.recorder import Recorder


class Instrument:
    """Nothing that it does may change what the learner's program sees.

    Its hooks, below, are called by InstrumentSet. A function of its own that the program calls in their stead must be `guarded` by itself.
    """

    facts: ClassVar[InstrumentFacts]

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.active = False  # switched on for the program that runs; one that is not lets every call pass as it is

    def install(self) -> None:
        """In the zygote: stand in for what is to be observed. The process stays single-threaded."""

    def begin(self) -> None:
        """In the child: a program begins."""

    def replayed(self) -> None:
        """In the child: the cells that the program continues have run; what follows is to be seen."""

    def show(self, value: Any, span: Span | None, title: str) -> bool:
        """In the child: record the value of a trailing expression, if it is for this instrument to show."""
        return False

    def finish(self) -> None:
        """In the child: the program has ended. Record what is still to be shown."""

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """What is raised in the block is a fault of ours and becomes a record of it, but for what ends the program."""
        try:
            yield
        except Exception as error:
            with suppress(Exception):  # where not even this can be told, there is no memory left, or no channel
                self.recorder.record_fault(self.facts.name, error)
