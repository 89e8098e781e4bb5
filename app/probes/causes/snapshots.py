"""Copies what `forward` stored on ctx, so that each backward may change its own copy."""

import copy
from typing import Any

import torch

PLAIN = (int, float, complex, bool, str, bytes, type(None), type, torch.dtype, torch.device, torch.Size)


def snapshot(values: dict[str, Any]) -> dict[str, Any]:
    """Return a copy in which the same tensors share memory as before. Raises RuntimeError if a tensor has a graph."""
    memo: dict[int, Any] = {}
    return {name: _copied(value, memo) for name, value in values.items()}


def _copied(value: Any, memo: dict[int, Any]) -> Any:
    if isinstance(value, PLAIN):
        return value
    if id(value) not in memo:
        memo[id(value)] = _new(value, memo)
    return memo[id(value)]


def _new(value: Any, memo: dict[int, Any]) -> Any:
    if type(value) in (torch.Tensor, torch.nn.Parameter) and value.layout is torch.strided:
        return _tensor(value, memo)
    if type(value) in (list, tuple):
        return type(value)(_copied(each, memo) for each in value)
    if type(value) is dict:
        return {key: _copied(each, memo) for key, each in value.items()}
    return copy.deepcopy(value)


def _tensor(tensor: torch.Tensor, memo: dict[int, Any]) -> torch.Tensor:
    if tensor.grad_fn is not None:
        raise RuntimeError("a tensor with a graph is not copied")
    if tensor.is_conj() or tensor.is_neg():
        return tensor.clone()
    storage = tensor.untyped_storage()
    if storage._cdata not in memo:
        memo[storage._cdata] = storage.clone()  # type: ignore[no-untyped-call]
    own = torch.empty(0, dtype=tensor.dtype, device=tensor.device)
    own.set_(memo[storage._cdata], tensor.storage_offset(), tensor.shape, tensor.stride())
    return own.requires_grad_(tensor.requires_grad)
