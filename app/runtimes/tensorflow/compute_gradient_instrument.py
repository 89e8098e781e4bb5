"""Observes tf.test.compute_gradient. Records, at the line of the call, the theoretical and numerical Jacobians that the call returns.

Installed in the zygote, called in the child. Written against TensorFlow 2.21's gradient_checker_v2.py.
"""

import sys
from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy
from tensorflow.python.ops import gradient_checker_v2

from app.protocol.number import encode_real
from app.protocol.records.gradcheck import PAIRS, GradcheckRecord
from app.runtimes.instruments.argument_names import argument_names
from app.runtimes.instruments.gradient_check_instrument import GradientCheckInstrument, Observed
from app.runtimes.instruments.jacobian import jacobian_pair
from app.runtimes.stand_in import stand_in

DELTA = 1.0 / 1024  # TensorFlow's default step
RTOL = 1e-3
_ATOL_AT_MOST = 0.5
_MODULES = ("tensorflow._api.v2.test", "tensorflow._api.v2.compat.v2.test")  # modules that have the function under its public name
_PARAMETERS = ("f", "x", "delta")


class ComputeGradientInstrument(GradientCheckInstrument):
    """Compares the two Jacobians that tf.test.compute_gradient returns, because TensorFlow itself does not compare them."""

    def install(self) -> None:
        observed = stand_in(gradient_checker_v2.compute_gradient, self.observe)
        for module in (gradient_checker_v2, *filter(None, map(sys.modules.get, _MODULES))):
            module.compute_gradient = observed

    def records(self, call: Observed) -> Iterator[GradcheckRecord]:
        given = call.named(*_PARAMETERS)
        delta = float(DELTA if given.get("delta") is None else given["delta"])
        theoretical, numerical = call.result or ((), ())
        atol = tolerance([each.dtype for each in numerical], delta)
        names = argument_names(given.get("f"), len(theoretical))
        record = GradcheckRecord(
            title="tf.test.compute_gradient",
            order=1,
            mode="reverse",
            passed=call.message is None,
            message=call.message,
            eps=encode_real(delta),
            atol=atol,
            rtol=RTOL,
        )
        for index, (analytical, by_differences) in enumerate(zip(theoretical, numerical, strict=True)):
            if index == PAIRS:
                break
            # in TensorFlow a row is an entry of the output, in the record an entry of the input
            rows, columns = (readable(matrix).T for matrix in (by_differences, analytical))
            of_input, of_output = numpy.asarray(given["x"][index]).shape, rows.shape[1:]  # the shape of the output is not known
            pair = jacobian_pair((0, index), rows, columns, atol, RTOL, of_input, of_output)
            pair.input_name = names[index]
            record.pairs.append(pair)
        record.passed = record.passed and not any(pair.failing for pair in record.pairs)
        yield record


def readable(matrix: "numpy.ndarray[Any, Any]") -> "numpy.ndarray[Any, Any]":
    """Return the matrix with entries of 32 bits or more: numpy itself does not know all smaller types."""
    return matrix.astype(numpy.float32) if matrix.dtype.itemsize < 4 else matrix


def tolerance(dtypes: list[Any], delta: float) -> float:
    """Return the absolute tolerance that correct Jacobians need, for outputs up to about 20.

    A central difference has two errors. Rounding of the output y causes about eps |y| / delta. The length of the step causes delta² / 6
    times the third derivative.
    """
    if not delta:
        return _ATOL_AT_MOST
    rounding = max((float(ml_dtypes.finfo(dtype).eps) for dtype in dtypes), default=0.0)
    return min(16 * rounding / abs(delta) + 10 * delta * delta, _ATOL_AT_MOST)
