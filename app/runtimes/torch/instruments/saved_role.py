"""Finds out whether a saved tensor is an input or the output of the function that saved it. Runs in the child.

PyTorch unpacks a saved output with the function itself as its `grad_fn`. It unpacks a saved input as the leaf, or with the `grad_fn` and
output number to which an edge of the function leads.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import torch

from app.runtimes.torch.tensors import grad_fn_of, is_tensor, read_field

Role = Literal["input", "output"]
Origin = tuple[object, ...]


def role_of(tensor: torch.Tensor, function: Any) -> Role | None:
    """Return whether `tensor` is an input or the output of `function`; None for intermediate results and tensors that need no gradient."""
    maker, number = grad_fn_of(tensor), read_field(tensor, "output_nr")
    if maker is None:
        leaves = [getattr(following, "variable", None) for following, _ in function.next_functions if following is not None]
        return "input" if any(leaf is tensor for leaf in leaves) else None
    if maker is function:
        return "output"
    return "input" if any(following is maker and index == number for following, index in function.next_functions) else None


def name_of(tensor: torch.Tensor, named: Mapping[Origin, str]) -> str | None:
    """Return the name that `named` has for this tensor, None if there is none.

    Two tensors are the same if they are the same output of a function, or at the same place in memory.
    """
    return next((named[origin] for origin in origins_of(tensor) if origin in named), None)


def named_origins(named: Iterable[tuple[Any, str]]) -> dict[Origin, str]:
    """Return the names of tensors by their origins. Other Python objects for the same tensor have the same origins."""
    return {origin: name for tensor, name in named if is_tensor(tensor) for origin in origins_of(tensor)}


def origins_of(tensor: torch.Tensor) -> Iterator[Origin]:
    if (maker := grad_fn_of(tensor)) is not None:
        yield maker, read_field(tensor, "output_nr")
    if place := place_of(tensor):
        yield place


def place_of(tensor: torch.Tensor) -> tuple[object, ...] | None:
    """Return address, strides, size and dtype of a tensor; None if it has no entries, or no single place for them, as a sparse tensor."""
    try:
        with torch._C.DisableTorchFunctionSubclass():
            if not torch.Tensor.numel(tensor):
                return None
            address, strides, size = torch.Tensor.data_ptr(tensor), torch.Tensor.stride(tensor), torch.Tensor.size(tensor)
    except Exception:
        return None
    return (address, tuple(strides), tuple(size), read_field(tensor, "dtype")) if address else None
