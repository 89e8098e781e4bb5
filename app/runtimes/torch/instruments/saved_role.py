"""What a saved tensor is to the function that saved it: its output, or one of its inputs. Runs in the child.

PyTorch unpacks a saved output with the function itself as its `grad_fn`, and a saved input with the `grad_fn` and number that the
function's edge leads to, or, of a leaf, as that leaf.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal

import torch

from app.runtimes.torch.tensors import is_tensor, read_field

Role = Literal["input", "output"]
Origin = tuple[object, ...]


def role_of(tensor: torch.Tensor, function: Any) -> Role | None:
    """None for what is neither: an intermediate result, or a tensor that needs no gradient."""
    maker, number = maker_of(tensor), read_field(tensor, "output_nr")
    if maker is None:
        leaves = [getattr(following, "variable", None) for following, _ in function.next_functions if following is not None]
        return "input" if any(leaf is tensor for leaf in leaves) else None
    if maker is function:
        return "output"
    return "input" if any(following is maker and index == number for following, index in function.next_functions) else None


def name_of(tensor: torch.Tensor, named: Mapping[Origin, str]) -> str | None:
    """The name of the tensor that this one is another object for: the same result of a function, or else the same place in memory."""
    return next((named[origin] for origin in origins_of(tensor) if origin in named), None)


def named_origins(named: Iterable[tuple[Any, str]]) -> dict[Origin, str]:
    """The names of tensors by what another object for the same tensor has in common with them."""
    return {origin: name for tensor, name in named if is_tensor(tensor) for origin in origins_of(tensor)}


def origins_of(tensor: torch.Tensor) -> Iterator[Origin]:
    if (maker := maker_of(tensor)) is not None:
        yield maker, read_field(tensor, "output_nr")
    if place := place_of(tensor):
        yield place


def maker_of(tensor: torch.Tensor) -> Any:
    """The function that computed it. None also of a view whose function autograd no longer knows, as its base was changed in place."""
    with suppress(RuntimeError):
        return read_field(tensor, "grad_fn")
    return None


def place_of(tensor: torch.Tensor) -> tuple[object, ...] | None:
    """Where a tensor's numbers are, and how they lie there. None if it has no numbers, or none in one place, as a sparse one."""
    try:
        with torch._C.DisableTorchFunctionSubclass():
            if not torch.Tensor.numel(tensor):
                return None
            address, strides, size = torch.Tensor.data_ptr(tensor), torch.Tensor.stride(tensor), torch.Tensor.size(tensor)
    except Exception:
        return None
    return (address, tuple(strides), tuple(size), read_field(tensor, "dtype")) if address else None
