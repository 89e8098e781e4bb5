"""Finds how two Jacobians differ as a whole: by a factor, transposed, zero, and so on. Runs in the child.

The runner repeats this with the entries that it receives (app.protocol.records.judgement).
"""

from typing import Any

import numpy

from app.protocol.records.findings import LIKE_ZERO, NEAR, is_other_than_one
from app.protocol.records.gradcheck import Finding

Array = numpy.ndarray[Any, Any]


def find(numerical: Array, analytical: Array) -> tuple[Finding, float | None]:
    """Return how the Jacobians differ. If the finding is "factor", return the factor too, otherwise None."""
    if not numpy.isfinite(analytical).all():
        return "not-a-number", None
    if not analytical.any():
        return "zero", None
    if not numpy.isfinite(numerical).all():
        return "differ", None
    with numpy.errstate(all="ignore"):
        top = float(numpy.abs(numerical).max())
        if top < LIKE_ZERO:
            return "not-zero", None
        factor = _factor(numerical, analytical, top)
        if factor is not None:
            return "factor", factor
        return "transposed" if _is_transpose(numerical, analytical, NEAR * top) else "differ", None


def _is_transpose(numerical: Array, analytical: Array, near: float) -> bool:
    """Return whether one matrix is the transpose of the other. False if both are equal, as symmetric matrices can be."""
    if not 1 < numerical.shape[0] == numerical.shape[1] or not (numpy.abs(numerical - analytical.T) <= near).all():
        return False
    return bool((numpy.abs(numerical - analytical) > near).any())


def _factor(numerical: Array, analytical: Array, top: float) -> float | None:
    """Return k if every analytical entry is k times the numerical one, and k is not 1; else None."""
    if numerical.dtype.kind != "f":
        return None
    numerical, analytical = numerical.astype(numpy.float64), analytical.astype(numpy.float64)
    largest = numpy.unravel_index(numpy.abs(numerical).argmax(), numerical.shape)
    factor = float(analytical[largest] / numerical[largest])
    fits = (numpy.abs(analytical - factor * numerical) <= NEAR * top * abs(factor)).all()
    return factor if fits and is_other_than_one(factor) else None
