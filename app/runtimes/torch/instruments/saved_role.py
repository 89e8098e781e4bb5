"""What a saved tensor is to the function that saved it: its output, or one of its inputs. Runs in the child.

PyTorch unpacks a saved output with the function itself as its `grad_fn`, and a saved input with the `grad_fn` and number that the
function's edge leads to, or, of a leaf, as that leaf.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import torch

from app.runtimes.torch.tensors import is_tensor, kept_in

Role = Literal["input", "output"]


def role_of(tensor: torch.Tensor, function: Any) -> Role | None:
    """None for what is neither: an intermediate result, or a tensor that needs no gradient."""
    maker, number = kept_in(tensor, "grad_fn"), kept_in(tensor, "output_nr")
    if maker is None:
        leaves = [getattr(following, "variable", None) for following, _ in function.next_functions if following is not None]
        return "input" if any(leaf is tensor for leaf in leaves) else None
    if maker is function:
        return "output"
    return "input" if any(following is maker and index == number for following, index in function.next_functions) else None


def name_of(tensor: torch.Tensor, named: Mapping[tuple[object, ...], str]) -> str | None:
    """The name of the tensor with this place in memory, if one of those that were named has it."""
    return named.get(key) if (key := place_of(tensor)) else None


def named_places(named: Iterable[tuple[Any, str]]) -> dict[tuple[object, ...], str]:
    """The names of tensors by where their numbers are."""
    return {place: name for tensor, name in named if is_tensor(tensor) and (place := place_of(tensor)) is not None}


def place_of(tensor: torch.Tensor) -> tuple[object, ...] | None:
    """Where a tensor's numbers are, and how they lie there. None if it has no numbers, or none in one place, as a sparse one."""
    try:
        with torch._C.DisableTorchFunctionSubclass():
            if not torch.Tensor.numel(tensor):
                return None
            address, strides, size = torch.Tensor.data_ptr(tensor), torch.Tensor.stride(tensor), torch.Tensor.size(tensor)
    except Exception:
        return None
    return (address, tuple(strides), tuple(size), kept_in(tensor, "dtype")) if address else None
