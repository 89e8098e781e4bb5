"""Reads the tensors of the observed program without the program noticing. Runs in the child.

No node is recorded, no mode or subclass of the learner's is called, and a storage that the program has freed is not read, because that
would crash.
"""

import zlib
from typing import Any

import torch

from app.protocol.number import encode_entries
from app.protocol.records.replay import GRADIENT_ENTRIES, Gradient
from app.runtimes.instruments.value_instrument import SHAPE_DIMENSIONS
from app.runtimes.torch.tensors import dtype_of, is_tensor, read_field, shape_of

# Taken before a learner can replace them.
_NoFunctions, _NoDispatch, _no_grad = torch._C.DisableTorchFunction, torch._C._DisableTorchDispatch, torch.no_grad
_storage_of, _tolist, _strides_of, _offset_of = (
    torch.Tensor.untyped_storage,
    torch.Tensor.tolist,
    torch.Tensor.stride,
    torch.Tensor.storage_offset,
)
_is_of_grad, _unwrapped = torch._C._functorch.is_gradtrackingtensor, torch._C._functorch.get_unwrapped  # a tensor in torch.func.grad
_detach, _clone, _contiguous, _view, _numpy = (
    torch.Tensor.detach,
    torch.Tensor.clone,
    torch.Tensor.contiguous,
    torch.Tensor.view,
    torch.Tensor.numpy,
)
CHECKED_BYTES = 1024 * 1024  # the largest tensor of which a checksum is computed


def gradient_of(tensor: Any) -> Gradient | None:
    """Return the shape and dtype of a gradient, and its entries if it has at most `GRADIENT_ENTRIES`; None if it is no tensor."""
    if not is_tensor(tensor):
        return None
    shape = shape_of(tensor)
    gradient = Gradient(shape=shape, dtype=dtype_of(tensor))
    if shape is not None and len(shape) <= SHAPE_DIMENSIONS and torch.Size(shape).numel() <= GRADIENT_ENTRIES:
        gradient.values = _entries_of(tensor)
    return gradient


def _entries_of(tensor: torch.Tensor) -> Any:
    """Return the entries, nested as the tensor is; None if they cannot be read."""
    try:
        while _is_of_grad(tensor):
            tensor = _unwrapped(tensor)
        with _NoFunctions(), _NoDispatch():
            return encode_entries(_tolist(tensor)) if _is_readable(tensor) else None
    except Exception:  # of torch.func.vmap, quantized, or otherwise without entries of its own
        return None


def storage_of(tensor: torch.Tensor) -> tuple[int, int] | None:
    """Return the address and the number of bytes of a tensor's storage; None if it has no storage of its own."""
    try:
        with _NoFunctions(), _NoDispatch():
            storage = _storage_of(tensor)
            return storage.data_ptr(), storage.nbytes()
    except Exception:  # sparse, nested, of torch.func
        return None


def copy_of(tensor: torch.Tensor) -> torch.Tensor | None:
    """Return a leaf with the same entries, strides and requires_grad in a storage of its own; None if the tensor cannot be read."""
    try:
        with _NoFunctions(), _NoDispatch(), _no_grad():
            if not _is_readable(tensor):
                return None
            return _clone(_detach(tensor)).requires_grad_(read_field(tensor, "requires_grad"))
    except Exception:
        return None


def checksum_of(tensor: torch.Tensor) -> int | None:
    """Return a checksum of the entries; None if they cannot be read or are too many."""
    try:
        with _NoFunctions(), _NoDispatch(), _no_grad():
            if not _is_readable(tensor) or read_field(tensor, "nbytes") > CHECKED_BYTES:
                return None
            return zlib.crc32(_numpy(_view(_contiguous(_detach(tensor)).reshape(-1), torch.uint8)).data)
    except Exception:
        return None


def _is_readable(tensor: torch.Tensor) -> bool:
    """Return whether all entries are in memory: on the CPU, with strides, and in a storage that the program has not made smaller."""
    if read_field(tensor, "layout") != torch.strided or read_field(tensor, "device").type != "cpu":
        return False
    shape = read_field(tensor, "shape")
    if 0 in shape:
        return True
    last = _offset_of(tensor) + sum((length - 1) * stride for length, stride in zip(shape, _strides_of(tensor), strict=True))
    return bool(_storage_of(tensor).nbytes() >= (last + 1) * read_field(tensor, "dtype").itemsize)
