"""One pair of Jacobians, numerical and analytical, as the record that is shown. Runs in the child."""

from typing import Any, cast

import numpy

from app.protocol.number import Matrix, encode_entries, encode_entry, encode_real
from app.protocol.records.gradcheck import JACOBIAN_ENTRIES, WORST, JacobianPair, WorstEntry

Array = numpy.ndarray[Any, Any]


def jacobian_pair(
    place: tuple[int, int], numerical: Array, analytical: Array, atol: float, rtol: float, shape: tuple[int, int]
) -> JacobianPair:
    """Compare two matrices of the same size as torch.allclose(analytical, numerical) does.

    An entry fails unless it is equal, or |a - n| is finite and <= atol + rtol * |n|. The relative error is |a - n| / max(|a|, |n|).
    `place` is the indices of output and input; `shape` is (input_numel, output_numel), in fast mode larger than the matrices.
    """
    dtype = numpy.promote_types(numerical.dtype, analytical.dtype)
    numerical, analytical = numerical.astype(dtype), analytical.astype(dtype)
    pair = JacobianPair(output=place[0], input=place[1], shape=shape)
    if numerical.size == 0:
        pair.numerical, pair.analytical = numerical.tolist(), analytical.tolist()
        pair.max_abs_error = pair.max_rel_error = 0.0
        return pair
    with numpy.errstate(all="ignore"):
        magnitude = numpy.abs(numerical)
        error = numpy.where(analytical == numerical, 0, numpy.abs(analytical - numerical))
        relative = numpy.where(error == 0, 0, error / numpy.maximum(magnitude, numpy.abs(analytical)))
        is_close = (error <= atol + rtol * magnitude) & numpy.isfinite(error) | (error == 0)
    pair.failing = int(is_close.size - is_close.sum())
    pair.max_abs_error, pair.max_rel_error = encode_real(float(error.max())), encode_real(float(relative.max()))
    if numerical.size <= JACOBIAN_ENTRIES:
        pair.numerical, pair.analytical = matrix(numerical), matrix(analytical)
    else:
        pair.worst = worst_entries(error, numerical, analytical)
    return pair


def matrix(array: Array) -> Matrix:
    entries = array.tolist()
    if array.dtype.kind == "f" and bool(numpy.isfinite(array).all()):
        return cast(Matrix, entries)  # floats all, as they travel
    return cast(Matrix, encode_entries(entries))


def worst_entries(error: Array, numerical: Array, analytical: Array) -> list[WorstEntry]:
    """The entries with the largest absolute error, NaN first."""
    columns = error.shape[1]
    places = numpy.argsort(-numpy.where(numpy.isnan(error), numpy.inf, error), axis=None, kind="stable")[:WORST].tolist()
    return [
        WorstEntry(
            row=place // columns,
            column=place % columns,
            numerical=encode_entry(numerical.flat[place].item()),
            analytical=encode_entry(analytical.flat[place].item()),
        )
        for place in places
    ]
