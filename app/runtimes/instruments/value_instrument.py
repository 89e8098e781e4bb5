"""The value of a trailing expression, as its repr, and what the entries of an array become. Runs in the child."""

from collections.abc import Sequence
from typing import Any

import numpy

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


class ArrayValueInstrument(ValueInstrument):
    """A framework's instrument extends this class and says what is an array of its own."""

    def is_array(self, value: Any) -> bool:
        raise NotImplementedError

    def entries_of(self, value: Any) -> "numpy.ndarray[Any, Any]":
        """The entries of an array, as numpy has them. May raise anything where there are none to be read."""
        raise NotImplementedError

    def describe(self, value: Any, title: str) -> ValueRecord:
        record = super().describe(value, title)
        if self.is_array(value):
            shape = [int(length) for length in value.shape]
            record.shape, record.dtype = shape[:SHAPE_DIMENSIONS], getattr(value.dtype, "name", str(value.dtype))
            if fits(int(numpy.prod(shape)), len(shape)):
                record.values = self._values(value, shape)
        return record

    def _values(self, value: Any, shape: list[int]) -> Any:
        try:
            return encode_values(self.entries_of(value).tolist(), shape)
        except Exception:  # text, random keys, an array that was given away
            return None


def fits(entries: int, dimensions: int) -> bool:
    """Whether so many entries are sent; in more dimensions they are nested so deeply that few can read them."""
    return entries <= VALUE_ENTRIES and dimensions <= SHAPE_DIMENSIONS


def encode_values(values: Any, shape: Sequence[int]) -> Any:
    """What `tolist()` gave, with every entry in its wire form. Raises ValueError or TypeError for what is no number or of another shape."""
    encoded = encode_entries(values)
    check_entries(encoded, shape, VALUE_ENTRIES)
    return encoded
