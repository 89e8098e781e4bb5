"""Reads a tensor's properties, whatever a subclass of torch.Tensor overrides. Runs in the child."""

from contextlib import suppress
from typing import Any, TypeGuard

import numpy
import torch
from torch._C import DisableTorchFunctionSubclass

from app.runtimes.instruments.value_instrument import SHAPE_DIMENSIONS


def is_tensor(value: Any) -> TypeGuard[torch.Tensor]:
    """Return whether the type of `value` is a tensor's type. A false `__class__` does not count."""
    return issubclass(type(value), torch.Tensor)


def read_field(tensor: torch.Tensor, name: str) -> Any:
    """Return the value of torch.Tensor's own property of this name."""
    with DisableTorchFunctionSubclass():
        return getattr(torch.Tensor, name).__get__(tensor)


def grad_fn_of(tensor: torch.Tensor) -> Any:
    """Return the node that computed a tensor; None for a leaf, and for a view that was changed in place where PyTorch forbids it."""
    with suppress(RuntimeError):
        return read_field(tensor, "grad_fn")
    return None


def shape_of(tensor: torch.Tensor) -> list[int] | None:
    """Return the shape; None if it does not consist of integers, as for nested tensors."""
    try:
        return [int(length) for length in read_field(tensor, "shape")][:SHAPE_DIMENSIONS]
    except Exception:
        return None


def dtype_of(tensor: torch.Tensor) -> str:
    """Return the dtype as PyTorch writes it, such as "torch.float64"."""
    return str(read_field(tensor, "dtype"))


def array_of(tensor: torch.Tensor) -> "numpy.ndarray[Any, Any]":
    """Return the entries as a numpy array. Dtypes that numpy does not have become single precision."""
    plain = tensor.detach().cpu().resolve_conj().resolve_neg()
    if plain.dtype == torch.bfloat16:
        plain = plain.float()
    elif plain.dtype == torch.complex32:
        plain = plain.to(torch.complex64)
    return plain.numpy()
