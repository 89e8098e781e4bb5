"""An instrument: observes a run from inside, and records what it saw. Made and installed in the zygote, used in the child.

A new one is a module that extends this class, its facts in app.protocol.instruments, a line in its runtime, and its record.
"""

from typing import Any

from app.protocol.instruments import InstrumentFacts
from app.runtimes.positions import Place
from app.runtimes.recorder import Recorder


class Instrument:
    """Nothing that it does may change what the learner's program sees. What a hook raises becomes a `fault` record (InstrumentSet)."""

    facts: InstrumentFacts

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.active = False  # switched on for the program that runs; one that is not lets every call pass as it is

    def install(self) -> None:
        """In the zygote: stand in for what is to be observed. The process stays single-threaded."""

    def begin(self) -> None:
        """In the child: a program begins."""

    def replayed(self) -> None:
        """In the child: the cells that the program continues have run; what follows is to be seen."""

    def show(self, value: Any, place: Place, title: str) -> bool:
        """In the child: record the value of a trailing expression, if it is for this instrument to show."""
        return False

    def finish(self) -> None:
        """In the child: the program has ended. Record what is still to be shown."""
