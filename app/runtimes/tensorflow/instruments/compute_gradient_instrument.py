"""Observes tf.test.compute_gradient: the theoretical and numerical Jacobians that it returns, at the line that called it.

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

DELTA = 1.0 / 1024  # TensorFlow's own step, if none is given
RTOL = 1e-3
_ATOL_AT_MOST = 0.5
_MODULES = ("tensorflow._api.v2.test", "tensorflow._api.v2.compat.v2.test")  # those that offer it under its public name
_PARAMETERS = ("f", "x", "delta")


class ComputeGradientInstrument(GradientCheckInstrument):
    """TensorFlow returns the Jacobians and leaves it to the caller to compare them; the record does."""

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
            # TensorFlow has a row for each entry of the output, the record one for each entry of the input
            rows, columns = (readable(matrix).T for matrix in (by_differences, analytical))
            of_input, of_output = numpy.asarray(given["x"][index]).shape, rows.shape[1:]  # it does not say what shape the output has
            pair = jacobian_pair((0, index), rows, columns, atol, RTOL, of_input, of_output)
            pair.input_name = names[index]
            record.pairs.append(pair)
        record.passed = record.passed and not any(pair.failing for pair in record.pairs)
        yield record


def readable(matrix: "numpy.ndarray[Any, Any]") -> "numpy.ndarray[Any, Any]":
    """The matrix in a precision that numpy itself computes in."""
    return matrix.astype(numpy.float32) if matrix.dtype.itemsize < 4 else matrix


def tolerance(dtypes: list[Any], delta: float) -> float:
    """How far apart the two may be where nothing is wrong: outputs up to some 20 are rounded, and the step has a length.

    A central difference is off by about eps |y| / delta, and by delta² / 6 times the third derivative.
    """
    if not delta:
        return _ATOL_AT_MOST
    rounding = max((float(ml_dtypes.finfo(dtype).eps) for dtype in dtypes), default=0.0)
    return min(16 * rounding / abs(delta) + 10 * delta * delta, _ATOL_AT_MOST)
