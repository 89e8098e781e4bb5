"""Copies arguments, so that nothing that a probe runs can change objects of the program."""

from collections.abc import Callable
from typing import Any

import torch

DOUBLE = {
    torch.float16: torch.float64,
    torch.bfloat16: torch.float64,
    torch.float32: torch.float64,
    torch.complex32: torch.complex128,
    torch.complex64: torch.complex128,
}


def copied(value: Any) -> Any:
    """Return a copy of an argument: of its tensors, generators and builtin containers. Everything else is not copied.

    A tensor that needs a gradient becomes a leaf that needs one.
    """
    return mapped(value, lambda each: each.detach().clone().requires_grad_(each.requires_grad))


def in_double(value: Any) -> Any:
    """Return a copy in which floating and complex tensors have double precision."""
    return mapped(value, lambda each: each.detach().to(DOUBLE.get(each.dtype, each.dtype), copy=True).requires_grad_(each.requires_grad))


def mapped(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, torch.Generator):
        return value.clone_state()
    if type(value) in (list, tuple):
        return type(value)(mapped(each, change) for each in value)
    if type(value) is dict:
        return {key: mapped(each, change) for key, each in value.items()}
    return value


def tensors_of(value: Any) -> list[torch.Tensor]:
    """Return the tensors in an argument, including those in builtin containers."""
    found: list[torch.Tensor] = []
    mapped(value, lambda each: found.append(each) or each)  # type: ignore[func-returns-value]
    return found


def is_plain(tensor: torch.Tensor) -> bool:
    """Return whether the tensor is dense, has its own values, and is not inside a transform of torch.func."""
    return (
        tensor.layout is torch.strided
        and not tensor.is_nested
        and not tensor.is_quantized
        and not tensor.is_meta
        and type(tensor) in (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer)
        and not torch._C._functorch.is_functorch_wrapped_tensor(tensor)
    )


def has_gradient(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.requires_grad
