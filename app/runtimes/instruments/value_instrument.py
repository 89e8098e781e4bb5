"""The value of a trailing expression, as its repr. Runs in the child."""

from typing import Any

from app.protocol.instrument_facts import VALUE
from app.protocol.records.value import ValueDisplay
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.plain_text import repr_of
from app.runtimes.positions import Place


class ValueInstrument(Instrument):
    """Shows any value, so it is the last to be asked."""

    facts = VALUE

    def show(self, value: Any, place: Place, title: str) -> bool:
        self.recorder.show(self.describe(value, title), place)
        return True

    def describe(self, value: Any, title: str) -> ValueDisplay:
        return ValueDisplay(title=title, text=repr_of(value))
