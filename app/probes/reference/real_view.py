"""Represents tensors as flat vectors of real numbers.

A complex entry counts as two. PyTorch's gradient of a complex tensor is dL/dRe + i dL/dIm of a real L, and an incoming gradient g of a
complex output stands for L = Re(conj(g) y), the sum of the products of these real numbers. So vector-Jacobian products of the real numbers
are PyTorch's own.
"""

import torch


def real_vector(tensor: torch.Tensor) -> torch.Tensor:
    tensor = tensor.detach().resolve_conj().resolve_neg()
    return (torch.view_as_real(tensor) if tensor.is_complex() else tensor).reshape(-1)


def from_real_vector(vector: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    if like.is_complex():
        return torch.view_as_complex(vector.reshape(*like.shape, 2).contiguous())
    return vector.reshape(like.shape)


def length(tensor: torch.Tensor) -> int:
    return tensor.numel() * (2 if tensor.is_complex() else 1)


def index_of(position: int, like: torch.Tensor) -> list[int]:
    """Return the index of an entry, given its position in the real vector."""
    if like.is_complex():
        position //= 2
    return [int(each) for each in torch.unravel_index(torch.tensor(position), like.shape)] if like.dim() else []


def one_hot(position: int, like: torch.Tensor) -> torch.Tensor:
    vector = torch.zeros(length(like), dtype=like.dtype.to_real() if like.is_complex() else like.dtype, device=like.device)
    vector[position] = 1
    return from_real_vector(vector, like)
