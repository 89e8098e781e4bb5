"""One pair of Jacobians, numerical and analytical, as the record that is shown. Runs in the child."""

from typing import cast

import torch

from app.protocol.number import Matrix, encode_entries, encode_entry, encode_real
from app.protocol.records.gradcheck import JACOBIAN_ENTRIES, WORST, JacobianPair, WorstEntry


def jacobian_pair(
    place: tuple[int, int], numerical: torch.Tensor, analytical: torch.Tensor, atol: float, rtol: float, shape: tuple[int, int]
) -> JacobianPair:
    """Compare two matrices of the same size as torch.allclose(analytical, numerical) does.

    An entry fails unless it is equal, or |a - n| is finite and <= atol + rtol * |n|. The relative error is |a - n| / max(|a|, |n|).
    `place` is the indices of output and input; `shape` is (input_numel, output_numel), in fast mode larger than the matrices.
    """
    dtype = torch.promote_types(numerical.dtype, analytical.dtype)
    numerical, analytical = numerical.detach().to("cpu", dtype), analytical.detach().to("cpu", dtype)
    pair = JacobianPair(output=place[0], input=place[1], shape=shape)
    if numerical.numel() == 0:
        pair.numerical, pair.analytical = numerical.tolist(), analytical.tolist()
        pair.max_abs_error = pair.max_rel_error = 0.0
        return pair
    magnitude = numerical.abs()
    error = (analytical - numerical).abs().masked_fill_(analytical == numerical, 0.0)
    relative = (error / torch.maximum(magnitude, analytical.abs())).masked_fill_(error == 0, 0.0)
    is_close = (error <= atol + rtol * magnitude).logical_and_(error.isfinite()).logical_or_(error == 0)
    pair.failing = error.numel() - int(is_close.sum())
    pair.max_abs_error, pair.max_rel_error = encode_real(error.max().item()), encode_real(relative.max().item())
    if numerical.numel() <= JACOBIAN_ENTRIES:
        pair.numerical, pair.analytical = matrix(numerical), matrix(analytical)
    else:
        pair.worst = worst_entries(error, numerical, analytical)
    return pair


def matrix(tensor: torch.Tensor) -> Matrix:
    entries = tensor.tolist()
    if not tensor.is_complex() and bool(tensor.isfinite().all()):
        return cast(Matrix, entries)  # floats all, as they travel
    return cast(Matrix, encode_entries(entries))


def worst_entries(error: torch.Tensor, numerical: torch.Tensor, analytical: torch.Tensor) -> list[WorstEntry]:
    """The entries with the largest absolute error, NaN first."""
    columns = error.shape[1]
    places = error.nan_to_num(nan=float("inf")).flatten().topk(min(WORST, error.numel())).indices.tolist()
    return [
        WorstEntry(
            row=place // columns,
            column=place % columns,
            numerical=encode_entry(numerical.flatten()[place].item()),
            analytical=encode_entry(analytical.flatten()[place].item()),
        )
        for place in places
    ]
