"""All instruments of a runtime: installed together, switched on for each program, and kept from harming it. Zygote and child."""

from collections.abc import Collection, Sequence
from typing import Any

from app.protocol.records.record import Span
from app.runtimes.instruments.instrument import Instrument


class InstrumentSet:
    """`instruments` in the order in which they are asked to show a value: the first that does ends the search."""

    def __init__(self, instruments: Sequence[Instrument]) -> None:
        self._instruments = instruments

    @property
    def names(self) -> list[str]:
        return [instrument.facts.name for instrument in self._instruments]

    def install(self) -> None:
        """In the zygote. A fault here is a fault of the zygote's: it is raised."""
        for instrument in self._instruments:
            instrument.install()

    def begin(self, names: Collection[str]) -> None:
        """A program begins, with the instruments that are on by default and those named."""
        for instrument in self._instruments:
            instrument.active = instrument.facts.default or instrument.facts.name in names
        for instrument in self._active():
            with instrument.guarded():
                instrument.begin()

    def replayed(self) -> None:
        """The cells that the program continues have run."""
        for instrument in self._active():
            with instrument.guarded():
                instrument.replayed()

    def show(self, value: Any, span: Span | None, title: str) -> None:
        """Show the value of a trailing expression."""
        for instrument in self._active():
            with instrument.guarded():
                if instrument.show(value, span, title):
                    return

    def finish(self) -> None:
        """The program has ended."""
        for instrument in self._active():
            with instrument.guarded():
                instrument.finish()

    def _active(self) -> list[Instrument]:
        return [instrument for instrument in self._instruments if instrument.active]
