"""Records JAX arrays with their entries. Runs in the child."""

from typing import Any

import numpy
from jax._src.array import ArrayImpl

from app.runtimes.instruments.value_instrument import ArrayValueInstrument


class JaxArrayInstrument(ArrayValueInstrument):
    """Records arrays with their entries. Random keys and traced values have no entries and are recorded like any other value."""

    def is_array(self, value: Any) -> bool:
        return issubclass(type(value), ArrayImpl)

    def entries_of(self, value: Any) -> "numpy.ndarray[Any, Any]":
        array = numpy.asarray(value)
        return array.astype(numpy.float64) if array.dtype.kind == "V" else array  # bfloat16 and similar dtypes
