"""Encodes tensors and other values as bytes, and decodes them. Runs in both children of a submission.

What is encoded may be any object of a learner's, and what is decoded may come from a learner's process. Bad input raises ValueError,
TypeError or an error of msgspec, and never takes much memory.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any, get_args

import torch
from torch._C import DisableTorchFunctionSubclass

from app.protocol.calls import ARGUMENTS, TENSOR_BYTES, DType, Plain, Sequence, TensorData, Value
from app.runtimes.plain_text import LABEL_CHARACTERS, plain, type_name

_DTYPES: dict[str, torch.dtype] = {name: getattr(torch, name) for name in get_args(DType)}
_NAMES: dict[torch.dtype, Any] = {dtype: name for name, dtype in _DTYPES.items()}
_TENSOR_TYPES = (torch.Tensor, torch.nn.Parameter)
_GAP = 77  # the value in gaps between entries: a program that ignores the strides must not read zeros
_ENTRIES = 2**40  # the most entries that a shape may seem to have
_INTEGERS = range(-(2**63), 2**64)  # those that msgpack can encode

# Taken before a learner can replace them.
_no_grad, _frombuffer, _empty, _empty_strided = torch.no_grad, torch.frombuffer, torch.empty, torch.empty_strided
_uint8, _strided, _cpu = torch.uint8, torch.strided, torch.device("cpu").type


def is_plain_tensor(value: Any) -> bool:
    """Return whether the value's type is exactly torch.Tensor or Parameter. Another subclass might override anything."""
    return type(value) in _TENSOR_TYPES


def encode_tensor(tensor: torch.Tensor) -> TensorData:
    """Encode a tensor. Raises TypeError unless it is dense, on the CPU and of a dtype of DType, and ValueError if it is too large."""
    if not is_plain_tensor(tensor):
        raise TypeError(f"a {type_name(tensor)} is not a plain tensor")
    with DisableTorchFunctionSubclass(), _no_grad():
        if tensor.layout != _strided or tensor.device.type != _cpu or tensor.is_quantized or tensor.is_nested:
            raise TypeError(f"a tensor must be dense and in memory, this one is {tensor.layout} on {tensor.device.type}")
        dtype = _NAMES.get(tensor.dtype)
        if dtype is None:
            raise TypeError(f"a tensor of {tensor.dtype} is not compared here")
        if tensor.numel() * tensor.element_size() > TENSOR_BYTES:
            raise ValueError(f"a tensor of {tensor.numel()} entries is too large to be compared")
        flat = tensor.detach().resolve_conj().resolve_neg().reshape(-1)
        data = _empty(flat.shape, dtype=flat.dtype).copy_(flat).view(_uint8).numpy().tobytes() if flat.numel() else b""
        return TensorData(dtype=dtype, shape=list(tensor.shape), data=data, requires_grad=tensor.requires_grad)


def decode_tensor(data: TensorData, *, as_laid_out: bool = False) -> torch.Tensor:
    """Return the tensor, without grad: contiguous or, with `as_laid_out`, with the strides in `data`. Raises ValueError."""
    dtype = _DTYPES[data.dtype]
    count = math.prod(data.shape)
    if count * dtype.itemsize != len(data.data):
        raise ValueError(f"{len(data.data)} bytes for a {data.dtype} of shape {data.shape}")
    if len(data.data) > TENSOR_BYTES:
        raise ValueError(f"a tensor of {len(data.data)} bytes")
    if (
        math.prod(max(length, 1) for length in data.shape) > _ENTRIES
    ):  # an empty tensor may have such a shape, but its strides would overflow
        raise ValueError(f"a tensor of shape {data.shape}")
    if not count:
        return _empty(data.shape, dtype=dtype)
    if data.dtype == "bool":  # other bytes than 0 and 1 are no valid bool
        entries = _frombuffer(bytearray(data.data), dtype=_uint8).ne(0)
    else:
        entries = _frombuffer(bytearray(data.data), dtype=dtype)
    entries = entries.reshape(data.shape)
    return lay_out(entries, data.strides) if as_laid_out and data.strides is not None else entries.clone()


def lay_out(entries: torch.Tensor, strides: list[int]) -> torch.Tensor:
    """Return a new tensor with these entries and strides.

    Raises ValueError if the tensor would be too large. Raises it also if entries would share a place in memory, except along an axis of
    stride 0.
    """
    shape = list(entries.shape)
    if len(strides) != len(shape):
        raise ValueError(f"{len(strides)} strides for {len(shape)} axes")
    span = span_of(shape, strides)
    if span is None or span * entries.element_size() > TENSOR_BYTES:
        raise ValueError(f"strides {strides} let entries overlap or reach too far")
    single = entries
    for axis, stride in enumerate(strides):
        if stride == 0 and shape[axis] > 1:
            single = single.narrow(axis, 0, 1)
    laid_out = _empty_strided(shape, strides, dtype=entries.dtype)
    laid_out.as_strided((span,), (1,)).fill_(_GAP)
    laid_out.as_strided(single.shape, strides).copy_(single)
    return laid_out


def span_of(shape: list[int], strides: list[int]) -> int | None:
    """Return how many places in memory a tensor spans. Return None if entries share a place, except along an axis of stride 0."""
    span = 1
    for stride, length in sorted((stride, length) for stride, length in zip(strides, shape, strict=True) if length > 1 and stride):
        if stride < span:
            return None
        span += stride * (length - 1)
    return span


def strides_of(tensor: torch.Tensor) -> list[int] | None:
    """Return the strides of a tensor; None if it is contiguous or the strides cannot be reproduced in another process."""
    shape, strides = list(tensor.shape), list(tensor.stride())
    if tensor.is_contiguous() or not tensor.numel():
        return None
    span = span_of(shape, strides)
    return strides if span is not None and span * tensor.element_size() <= TENSOR_BYTES else None


def encode_value(value: Any) -> Value:
    """Encode a function's argument or result. Raises TypeError if its type is none of Value's types, and ValueError if it is too large."""
    if is_plain_tensor(value):
        return encode_tensor(value)
    if type(value) in (list, tuple):
        if len(value) > ARGUMENTS:
            raise ValueError(f"a {type_name(value)} of {len(value)} items is too long to be compared")
        return Sequence(items=[encode_tensor(item) if is_plain_tensor(item) else encode_plain(item) for item in value])
    return encode_plain(value)


def encode_plain(value: Any) -> Plain:
    kind = type(value)
    if value is None or kind in (bool, float) or (kind is int and value in _INTEGERS):
        return Plain(value=value)
    if kind is str:
        return Plain(value=plain(value, LABEL_CHARACTERS))
    raise TypeError(f"a {type_name(value)} cannot be given to the checks; tensors, numbers, texts and lists of these can")


def decode_value(value: Value, decode: Callable[[TensorData], torch.Tensor] = decode_tensor) -> Any:
    """Return a tensor, a plain value or a list. Raises ValueError. `decode` decodes each tensor, by default to one without grad."""
    match value:
        case TensorData():
            return decode(value)
        case Sequence():
            return [decode_value(item, decode) for item in value.items]
        case _:
            return value.value


def tensors_in(arguments: list[Any]) -> Iterator[torch.Tensor]:
    """Yield the tensors among arguments, also those in lists and tuples, in order."""
    for argument in arguments:
        if isinstance(argument, torch.Tensor):
            yield argument
        elif type(argument) in (list, tuple):
            yield from tensors_in(argument)
