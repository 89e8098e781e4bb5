"""Copies what `forward` stored on ctx, so that each backward may change its own copy."""

import copy
from typing import Any

import torch

from app.probes.calls.copies import tensors_of


def snapshot(values: dict[str, Any]) -> dict[str, Any]:
    """Return a copy in which the same tensors share memory as before. Raises RuntimeError if a tensor has a graph."""
    storages: dict[int, Any] = {}
    tensors = [each for each in tensors_of(values) if type(each) in (torch.Tensor, torch.nn.Parameter) and each.layout is torch.strided]
    return copy.deepcopy(values, {id(each): _copied(each, storages) for each in tensors})


def _copied(tensor: torch.Tensor, storages: dict[int, Any]) -> torch.Tensor:
    """Return a copy of a tensor. `storages`: the copies of storages, by the originals."""
    if tensor.grad_fn is not None:
        raise RuntimeError("a tensor with a graph is not copied")
    if tensor.is_conj() or tensor.is_neg():
        return tensor.clone()
    storage = tensor.untyped_storage()
    if storage._cdata not in storages:
        storages[storage._cdata] = storage.clone()  # type: ignore[no-untyped-call]
    own = torch.empty(0, dtype=tensor.dtype, device=tensor.device)
    own.set_(storages[storage._cdata], tensor.storage_offset(), tensor.shape, tensor.stride())
    return own.requires_grad_(tensor.requires_grad)
