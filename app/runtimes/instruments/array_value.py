"""The value of a trailing expression; of a framework's array its shape, dtype and entries, too. Runs in the child."""

from typing import Any

import numpy

from app.protocol.records.value import ValueRecord
from app.runtimes.instruments.value_instrument import SHAPE_DIMENSIONS, ValueInstrument, encode_values, fits


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
