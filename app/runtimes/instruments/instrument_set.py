"""All instruments of a runtime: switched on for each program, and guarded so that their faults do not harm the program.

Installed in the zygote, used in the child.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from app.protocol.records.record import Span
from app.protocol.run import RunError
from app.runtimes.instruments.instrument import Instrument


class InstrumentSet:
    """The instruments of one runtime. A value is offered to the `instruments` in their order, until one of them shows it."""

    def __init__(self, instruments: Sequence[Instrument]) -> None:
        self._instruments = instruments

    def install(self) -> None:
        """Install all instruments, in the zygote. Raises what an instrument raises."""
        for instrument in self._instruments:
            instrument.install()

    def begin(self, names: Collection[str]) -> None:
        """Switch on the default instruments and those in `names`, for a program. One whose `begin` raises remains switched off."""
        for instrument in self._instruments:
            instrument.active = False
            if instrument.facts.default or instrument.facts.name in names:
                with instrument.guarded():
                    instrument.begin()
                    instrument.active = True

    def replayed(self) -> None:
        """Tell the instruments that the earlier cells have been replayed."""
        self._call(lambda instrument: instrument.replayed())

    def show(self, value: Any, span: Span | None, title: str) -> None:
        """Let the first instrument that can show the value of a trailing expression record it."""
        self._call(lambda instrument: instrument.show(value, span, title))

    def finish(self, error: RunError | None) -> None:
        """Tell the instruments that the program has ended, and with which error."""
        self._call(lambda instrument: instrument.finish(error))

    def _call(self, function: Callable[[Instrument], bool | None]) -> None:
        """Call a function with each active instrument, until it returns True."""
        for instrument in self._instruments:
            if instrument.active:
                with instrument.guarded():
                    if function(instrument):
                        return
