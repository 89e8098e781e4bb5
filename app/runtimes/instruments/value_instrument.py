"""The value of a trailing expression, as its repr, and what the entries of an array become. Runs in the child."""

from collections.abc import Sequence
from typing import Any

from app.protocol.instrument_facts import VALUE
from app.protocol.number import check_entries, encode_entries
from app.protocol.records.record import Span
from app.protocol.records.value import VALUE_ENTRIES, ValueRecord
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.plain_text import repr_of

SHAPE_DIMENSIONS = 64


class ValueInstrument(Instrument):
    """Shows any value, so it is the last to be asked."""

    facts = VALUE

    def show(self, value: Any, span: Span | None, title: str) -> bool:
        self.recorder.show(self.describe(value, title), span)
        return True

    def describe(self, value: Any, title: str) -> ValueRecord:
        return ValueRecord(title=title, text=repr_of(value))


def fits(entries: int, dimensions: int) -> bool:
    """Whether so many entries are sent; in more dimensions they are nested so deeply that few can read them."""
    return entries <= VALUE_ENTRIES and dimensions <= SHAPE_DIMENSIONS


def encode_values(values: Any, shape: Sequence[int]) -> Any:
    """What `tolist()` gave, with every entry in its wire form. Raises ValueError or TypeError for what is no number or of another shape."""
    encoded = encode_entries(values)
    check_entries(encoded, shape, VALUE_ENTRIES)
    return encoded
