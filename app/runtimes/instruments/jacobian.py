"""Compares a numerical and an analytical Jacobian, and makes the record of both. Runs in the child.

The runner computes again, from the entries that it receives, how the two differ as a whole (app.protocol.records.judgement).
"""

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy

from app.protocol.number import Matrix, encode_entries, encode_entry, encode_real
from app.protocol.records.findings import LIKE_ZERO, NEAR, is_other_than_one
from app.protocol.records.gradcheck import BLOCKS, Block, BlockEntry, Blocks, Finding, JacobianPair, block_lengths, is_sent_whole

Array = numpy.ndarray[Any, Any]


def jacobian_pair(
    place: tuple[int, int],
    numerical: Array,
    analytical: Array,
    atol: float,
    rtol: float,
    input_shape: Sequence[int],
    output_shape: Sequence[int],
    projected: bool = False,
) -> JacobianPair:
    """Compare two matrices of the same size, and return the record of the comparison.

    A row is an entry of the input, a column is an entry of the output. `place` has the index of the output and that of the input.

    As in torch.allclose(analytical, numerical), an entry fails unless it is equal, or |a - n| is finite and <= atol + rtol * |n|. The
    relative error is |a - n| / max(|a|, |n|). The record leaves a shape out if its number of entries is not the number of rows or columns.
    `projected` says that both matrices are projections of Jacobians, as in fast mode.
    """
    dtype = numpy.promote_types(numerical.dtype, analytical.dtype)
    numerical, analytical = numerical.astype(dtype), analytical.astype(dtype)
    shape = (math.prod(input_shape), math.prod(output_shape)) if projected else cast(tuple[int, int], numerical.shape)
    pair = JacobianPair(output=place[0], input=place[1], shape=shape, max_abs_error=0.0, max_rel_error=0.0)
    pair.input_shape, pair.output_shape = (
        [int(side) for side in known] if math.prod(known) == length else None
        for known, length in zip((input_shape, output_shape), shape, strict=True)
    )
    if numerical.size:
        _compare(pair, numerical, analytical, atol, rtol)
    if not projected:
        pair.finding, pair.factor = find(numerical, analytical) if pair.failing else ("agree", None)
    if is_sent_whole(numerical.shape):
        pair.numerical, pair.analytical = matrix(numerical), matrix(analytical)
    else:
        pair.blocks = _blocks(numerical, analytical, pair.failing > 0)
    return pair


def _compare(pair: JacobianPair, numerical: Array, analytical: Array, atol: float, rtol: float) -> None:
    with numpy.errstate(all="ignore"):
        magnitude = numpy.abs(numerical)
        error = numpy.where(analytical == numerical, 0, numpy.abs(analytical - numerical))
        relative = numpy.where(error == 0, 0, error / numpy.maximum(magnitude, numpy.abs(analytical)))
        is_close = (error <= atol + rtol * magnitude) & numpy.isfinite(error) | (error == 0)
    pair.failing = int(is_close.size - is_close.sum())
    pair.max_abs_error, pair.max_rel_error = encode_real(float(error.max())), encode_real(float(relative.max()))


def matrix(array: Array) -> Matrix:
    entries = array.tolist()
    if array.dtype.kind == "f" and bool(numpy.isfinite(array).all()):
        return cast(Matrix, entries)  # finite floats are sent as they are
    return cast(Matrix, encode_entries(entries))


def most_different(error: Array, numerical: Array) -> tuple[int, int]:
    """Return the row and column of the entry with the largest error. If all errors are 0, return those of the largest entry."""
    row, column = divmod(int((error if error.any() else numpy.abs(numerical)).argmax()), error.shape[1])
    return row, column


def errors(numerical: Array, analytical: Array) -> Array:
    """Return the absolute error of each entry, in double precision as in the runner. An error that is not a number becomes infinity."""
    wide = numpy.result_type(numerical.dtype, analytical.dtype, numpy.float64)
    with numpy.errstate(all="ignore"):
        error = numpy.where(analytical == numerical, 0, numpy.abs(analytical.astype(wide) - numerical))
    error[numpy.isnan(error)] = numpy.inf
    return error


def _blocks(numerical: Array, analytical: Array, fails: bool) -> Blocks:
    rows, columns = block_lengths(cast(tuple[int, int], numerical.shape))
    blocks, error = Blocks(rows=rows, columns=columns, entries=[]), errors(numerical, analytical)
    for first_row in range(0, numerical.shape[0], rows):
        entries = []
        for first_column in range(0, numerical.shape[1], columns):
            part = numpy.s_[first_row : first_row + rows, first_column : first_column + columns]
            row, column = most_different(error[part], numerical[part])
            place = first_row + row, first_column + column
            entries.append(BlockEntry(*place, encode_entry(numerical[place].item()), encode_entry(analytical[place].item())))
        blocks.entries.append(entries)
    if fails:
        rows, columns = min(rows, BLOCKS), min(columns, BLOCKS)
        row, column = (at - at % length for at, length in zip(most_different(error, numerical), (rows, columns), strict=True))
        part = numpy.s_[row : row + rows, column : column + columns]
        blocks.worst = Block(row, column, matrix(numerical[part]), matrix(analytical[part]))
    return blocks


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
