"""Facts about a tensor, read past anything a subclass of it may override. Runs in the child."""

from typing import Any, TypeGuard

import numpy
import torch
from torch._C import DisableTorchFunctionSubclass

from app.runtimes.instruments.value_instrument import SHAPE_DIMENSIONS


def is_tensor(value: Any) -> TypeGuard[torch.Tensor]:
    """It really is a tensor: its type is asked, not its `__class__`."""
    return issubclass(type(value), torch.Tensor)


def read_field(tensor: torch.Tensor, name: str) -> Any:
    """What PyTorch keeps in a tensor's field, past anything that a subclass defines."""
    with DisableTorchFunctionSubclass():
        return getattr(torch.Tensor, name).__get__(tensor)


def shape_of(tensor: torch.Tensor) -> list[int] | None:
    """The shape, or None when it is not made of plain integers (nested tensors)."""
    try:
        return [int(length) for length in read_field(tensor, "shape")][:SHAPE_DIMENSIONS]
    except Exception:
        return None


def dtype_of(tensor: torch.Tensor) -> str:
    """The dtype as PyTorch writes it: `torch.float64`."""
    return str(read_field(tensor, "dtype"))


def array_of(tensor: torch.Tensor) -> "numpy.ndarray[Any, Any]":
    """The entries as numpy has them; of what numpy does not know, in single precision, which holds them all."""
    plain = tensor.detach().cpu().resolve_conj().resolve_neg()
    if plain.dtype == torch.bfloat16:
        plain = plain.float()
    elif plain.dtype == torch.complex32:
        plain = plain.to(torch.complex64)
    return plain.numpy()
