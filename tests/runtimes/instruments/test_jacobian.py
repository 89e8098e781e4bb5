"""The runner counts the wrong entries of two Jacobians as the child does with PyTorch's own arithmetic."""

import math
from collections.abc import Callable
from typing import Any

import msgspec
import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from app.protocol.number import Real
from app.protocol.records.gradcheck import GradcheckRecord, JacobianPair
from app.protocol.records.judgement import judge_pair
from app.runtimes.instruments.jacobian import jacobian_pair
from app.runtimes.torch.tensors import array_of

TOLERANCES = st.sampled_from([0.0, 1e-5, 1e-3, 0.5, math.inf])
REALS = st.sampled_from([0.0, 1.0, -1.0, 1.00001, 2.0, 1e-7, math.nan, math.inf, -math.inf]) | st.floats(-1e6, 1e6)
COMPLEX = REALS | st.builds(complex, REALS, REALS)
DTYPES = [torch.float64, torch.float32, torch.complex128, torch.complex64, torch.bfloat16]


def same(one: Real | None, other: Real | None, dtype: torch.dtype) -> bool:
    first, second = float(one or 0.0), float(other or 0.0)
    exact = dtype in (torch.float64, torch.complex128)
    if dtype.is_complex and not math.isfinite(first):  # of one that is NaN in one part and infinite in the other, the size is either
        return not math.isfinite(second)
    return (math.isnan(first) and math.isnan(second)) or math.isclose(first, second, rel_tol=1e-12 if exact else 0.02, abs_tol=1e-300)


@settings(deadline=None, max_examples=200)
@given(st.data(), st.sampled_from([torch.float64, torch.complex128]), st.integers(0, 3), st.integers(0, 3), TOLERANCES, TOLERANCES)
def test_both_find_the_same_in_any_matrix(
    data: st.DataObject, dtype: torch.dtype, rows: int, columns: int, atol: float, rtol: float
) -> None:
    entries = st.lists(COMPLEX if dtype.is_complex else REALS, min_size=rows * columns, max_size=rows * columns)
    numerical, analytical = (torch.tensor(data.draw(entries), dtype=dtype).reshape(rows, columns) for _ in range(2))
    judged_as_found(numerical, analytical, atol, rtol)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [8, 80])
def test_what_rounding_decides_stays_as_pytorch_found_it(dtype: torch.dtype, size: int) -> None:
    numerical = torch.rand(size, size, generator=torch.Generator().manual_seed(1), dtype=torch.float64).to(dtype)
    for share in (0.0, 0.99999, 1.0, 1.00001, 3.0):
        judged_as_found(numerical, numerical + share * (1e-5 + 1e-3 * numerical.abs()), 1e-5, 1e-3)


DENSE = torch.rand(128, 128, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


@pytest.mark.parametrize("side", [3, 128])
@pytest.mark.parametrize(
    ("change", "finding", "factor"),
    [
        (lambda n: n, "agree", None),
        (lambda n: 0 * n, "zero", None),
        (lambda n: -n, "factor", -1.0),
        (lambda n: 3 * n, "factor", 3.0),
        (lambda n: n.T, "transposed", None),
        (lambda n: torch.where(n == n.max(), math.nan, n), "not-a-number", None),
        (lambda n: n + (torch.arange(len(n)) == 1), "differ", None),
    ],
)
def test_the_same_is_found_in_a_jacobian_of_any_size(side: int, change: Callable[[Any], Any], finding: str, factor: float | None) -> None:
    numerical = DENSE[:side, :side]
    pair = judged_as_found(numerical, change(numerical).contiguous(), 1e-5, 1e-3)
    assert (pair.finding, pair.factor) == (finding, pytest.approx(factor))


@pytest.mark.parametrize("side", [3, 128])
def test_a_symmetric_jacobian_that_is_right_but_for_rounding_is_not_called_a_transpose(side: int) -> None:
    numerical = DENSE[:side, :side] + DENSE[:side, :side].T
    assert judged_as_found(numerical, numerical + 1e-9, 0.0, 0.0).finding == "differ"


def test_what_is_not_zero_where_it_should_be_is_found() -> None:
    assert judged_as_found(torch.zeros(80, 80), torch.ones(80, 80), 1e-5, 1e-3).finding == "not-zero"


def test_of_each_block_the_entry_that_differs_most_is_sent_and_the_worst_block_whole() -> None:
    analytical = DENSE.clone()
    analytical[77, 41] += 0.5
    analytical[5, 3] += 0.25
    blocks = judged_as_found(DENSE, analytical, 1e-5, 1e-3).blocks
    assert blocks is not None and blocks.worst is not None
    assert (blocks.rows, blocks.columns, len(blocks.entries), len(blocks.entries[0])) == (4, 4, 32, 32)
    assert (blocks.entries[19][10].row, blocks.entries[19][10].column) == (77, 41)
    assert (blocks.entries[1][0].row, blocks.entries[1][0].column) == (5, 3)
    assert (blocks.worst.row, blocks.worst.column) == (76, 40)
    assert blocks.worst.numerical == DENSE[76:80, 40:44].tolist()
    assert blocks.worst.analytical == analytical[76:80, 40:44].tolist()


def test_a_block_in_which_nothing_differs_has_its_largest_entry_and_no_block_is_worst() -> None:
    blocks = judged_as_found(DENSE, DENSE, 1e-5, 1e-3).blocks
    assert blocks is not None and blocks.worst is None
    assert blocks.entries[0][0].numerical == DENSE[:4, :4].max()


def test_of_a_large_block_the_part_that_differs_most_is_sent() -> None:
    numerical = torch.rand(1500, 1100, dtype=torch.float32)
    analytical = numerical.clone()
    analytical[1499, 1099] = math.inf
    blocks = judged_as_found(numerical, analytical, 1e-5, 1e-3).blocks
    assert blocks is not None and blocks.worst is not None
    assert (blocks.rows, blocks.columns) == (64, 64)
    assert (blocks.worst.row, blocks.worst.column, len(blocks.worst.numerical), len(blocks.worst.numerical[0])) == (1472, 1088, 28, 12)
    assert len(msgspec.json.encode(blocks)) < 200_000


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 300), st.integers(1, 300), st.sampled_from(DTYPES), st.integers(0, 2**32), st.sampled_from([0.0, 1e-4, 1.0]))
def test_what_an_honest_child_sends_of_any_size_is_accepted(rows: int, columns: int, dtype: torch.dtype, seed: int, amount: float) -> None:
    draw = torch.Generator().manual_seed(seed)
    numerical, noise = (torch.randn(rows, columns, generator=draw, dtype=torch.float64).to(dtype) for _ in range(2))
    judged_as_found(numerical, numerical + amount * noise, 1e-5, 1e-3)


@pytest.mark.parametrize(("columns", "whole"), [(64, True), (65, False)])
def test_a_jacobian_too_wide_to_be_drawn_is_sent_by_blocks(columns: int, whole: bool) -> None:
    pair = judged_as_found(torch.ones(2, columns), torch.zeros(2, columns), 1e-5, 1e-3)
    assert ((pair.numerical is not None), (pair.blocks is None)) == (whole, whole)


def test_a_projection_has_no_finding_and_a_shape_that_does_not_fit_is_left_out() -> None:
    one = numpy.ones((1, 1))
    projected = jacobian_pair((0, 0), one, 2 * one, 1e-5, 1e-3, [2, 3], [4], projected=True)
    assert (projected.shape, projected.finding, projected.failing) == ((6, 4), None, 1)
    pair = jacobian_pair((0, 0), one, 2 * one, 1e-5, 1e-3, [2, 3], [])
    assert (pair.shape, pair.input_shape, pair.output_shape, pair.factor) == ((1, 1), None, [], 2.0)


def judged_as_found(numerical: torch.Tensor, analytical: torch.Tensor, atol: float, rtol: float) -> JacobianPair:
    """Return the pair as the runner makes it from what the child sends."""
    shapes = [[side] for side in numerical.shape]
    found = jacobian_pair((0, 0), array_of(numerical), array_of(analytical), atol, rtol, *shapes)
    judged = msgspec.convert(msgspec.to_builtins(found), JacobianPair)
    check = GradcheckRecord(order=1, mode="reverse", passed=False, eps=1e-6, atol=atol, rtol=rtol)
    judge_pair(check, judged)
    assert (judged.failing, judged.finding, judged.factor) == (found.failing, found.finding, found.factor)
    assert same(judged.max_abs_error, found.max_abs_error, numerical.dtype)
    assert same(judged.max_rel_error, found.max_rel_error, numerical.dtype)
    if numerical.dtype in (torch.float64, torch.complex128) and judged.blocks is None and is_far_from(numerical, analytical, atol, rtol):
        judged.failing = 0
        judge_pair(check, judged)
        assert judged.failing == found.failing  # whatever the child counted
    return judged


def is_far_from(numerical: torch.Tensor, analytical: torch.Tensor, atol: float, rtol: float) -> bool:
    """Return whether no entry is so near to the tolerance that rounding decides."""
    error, tolerance = (numerical - analytical).abs(), atol + rtol * numerical.abs()
    return not bool(((error >= 0.98 * tolerance) & (error <= 1.02 * tolerance) & (error > 0)).any())
