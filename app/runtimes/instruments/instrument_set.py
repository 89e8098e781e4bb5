"""All instruments of a runtime: installed together, switched on for each program, and kept from harming it. Zygote and child."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from app.runtimes.instruments.instrument import Instrument
from app.runtimes.positions import Place
from app.runtimes.recorder import Recorder


class InstrumentSet:
    """`instruments` in the order in which they are asked to show a value: the first that does ends the search."""

    def __init__(self, recorder: Recorder, instruments: Sequence[Instrument]) -> None:
        self._recorder = recorder
        self._instruments = instruments

    def install(self) -> None:
        """In the zygote. A fault here is a fault of the zygote's: it is raised."""
        for instrument in self._instruments:
            instrument.install()

    def begin(self, names: Collection[str]) -> None:
        """A program begins, with the instruments that are on by default and those named."""
        for instrument in self._instruments:
            instrument.active = instrument.facts.default or instrument.facts.name in names
            self._guard(instrument, instrument.begin)

    def replayed(self) -> None:
        """The cells that the program continues have run, if there are any."""
        for instrument in self._instruments:
            self._guard(instrument, instrument.replayed)

    def show(self, value: Any, place: Place, title: str) -> None:
        """Show the value of a trailing expression."""
        for instrument in self._instruments:
            if instrument.active and self._guard(instrument, lambda each=instrument: each.show(value, place, title)):
                return

    def finish(self) -> None:
        """The program has ended."""
        for instrument in self._instruments:
            self._guard(instrument, instrument.finish)

    def _guard(self, instrument: Instrument, hook: Callable[[], Any]) -> Any:
        """Call a hook of an instrument that is on. What it raises is recorded as a fault of ours, but for what ends the program."""
        if not instrument.active:
            return None
        try:
            return hook()
        except Exception as error:
            self._recorder.record_fault(instrument.facts.name, error)
            return None
