"""Records TensorFlow's eager tensors and variables with their entries. Runs in the child."""

from typing import Any

import numpy
from tensorflow.python.framework.ops import EagerTensor
from tensorflow.python.ops.resource_variable_ops import BaseResourceVariable

from app.runtimes.instruments.value_instrument import ArrayValueInstrument


class EagerValueInstrument(ArrayValueInstrument):
    """Records eager tensors with their entries. A tensor inside a tf.function has no entries and is recorded like any other value."""

    def is_array(self, value: Any) -> bool:
        return issubclass(type(value), EagerTensor | BaseResourceVariable) and value.shape.rank is not None

    def entries_of(self, value: Any) -> "numpy.ndarray[Any, Any]":
        array: numpy.ndarray[Any, Any] = value.numpy()
        return numpy.asarray(array).astype(numpy.float64) if value.dtype.is_floating else numpy.asarray(array)
