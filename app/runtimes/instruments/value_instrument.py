"""Records the value of a trailing expression: its repr and, of an array, shape, dtype and entries. Runs in the child."""

from collections.abc import Sequence
from contextlib import suppress
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
    """Records a value of any type. It must be the last instrument, because it shows every value that it is offered."""

    facts = VALUE

    def show(self, value: Any, span: Span | None, title: str) -> bool:
        self.recorder.show(self.describe(value, title), span)
        return True

    def describe(self, value: Any, title: str) -> ValueRecord:
        return ValueRecord(title=title, text=repr_of(value))


class ArrayValueInstrument(ValueInstrument):
    """The base class for a framework with arrays. A subclass defines which values are arrays, and how to read their entries."""

    def is_array(self, value: Any) -> bool:
        raise NotImplementedError

    def entries_of(self, value: Any) -> "numpy.ndarray[Any, Any]":
        """Return the entries of an array as a numpy array. May raise anything if they cannot be read."""
        raise NotImplementedError

    def describe(self, value: Any, title: str) -> ValueRecord:
        record = super().describe(value, title)
        if self.is_array(value):
            shape = [int(length) for length in value.shape]
            record.shape, record.dtype = shape[:SHAPE_DIMENSIONS], getattr(value.dtype, "name", str(value.dtype))
            if fits(int(numpy.prod(shape)), len(shape)):
                with suppress(Exception):  # text, random keys, or an array whose memory was donated
                    record.values = encode_values(self.entries_of(value).tolist(), shape)
        return record


def fits(entries: int, dimensions: int) -> bool:
    """Return whether an array is small enough for a record that has all its entries."""
    return entries <= VALUE_ENTRIES and dimensions <= SHAPE_DIMENSIONS


def encode_values(values: Any, shape: Sequence[int]) -> Any:
    """Return nested lists, as `tolist()` makes them, with every entry encoded for the record.

    Raises ValueError or TypeError if an entry is not a number, or if the lists do not have this `shape`.
    """
    encoded = encode_entries(values)
    check_entries(encoded, shape, VALUE_ENTRIES)
    return encoded
