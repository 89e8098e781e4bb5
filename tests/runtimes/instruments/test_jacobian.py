"""The runner counts what fails in a pair of Jacobians as the child does with PyTorch's own arithmetic."""

import math
from typing import Any

import msgspec
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


def judged_as_found(numerical: torch.Tensor, analytical: torch.Tensor, atol: float, rtol: float) -> None:
    size: Any = tuple(numerical.shape)
    found = jacobian_pair((0, 0), array_of(numerical), array_of(analytical), atol, rtol, size)
    judged = msgspec.convert(msgspec.to_builtins(found), JacobianPair)
    check = GradcheckRecord(order=1, mode="reverse", passed=False, eps=1e-6, atol=atol, rtol=rtol)
    judge_pair(check, judged)
    assert judged.failing == found.failing
    assert same(judged.max_abs_error, found.max_abs_error, numerical.dtype)
    assert same(judged.max_rel_error, found.max_rel_error, numerical.dtype)
    if numerical.dtype in (torch.float64, torch.complex128) and judged.worst is None and is_far_from(numerical, analytical, atol, rtol):
        judged.failing = 0
        judge_pair(check, judged)
        assert judged.failing == found.failing  # whatever the child counted


def is_far_from(numerical: torch.Tensor, analytical: torch.Tensor, atol: float, rtol: float) -> bool:
    """Whether no entry is so near to the tolerance that rounding decides."""
    error, tolerance = (numerical - analytical).abs(), atol + rtol * numerical.abs()
    return not bool(((error >= 0.98 * tolerance) & (error <= 1.02 * tolerance) & (error > 0)).any())
