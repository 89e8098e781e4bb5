"""Tensors are decoded as they were encoded; subclasses and other objects are refused."""

from contextlib import suppress
from typing import Any

import msgspec
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from app.protocol.calls import TENSOR_BYTES, TensorData
from app.runtimes.torch.calls.tensor_data import _DTYPES, decode_tensor, decode_value, encode_tensor, encode_value


@pytest.mark.parametrize("dtype", _DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 0, 3)])
def test_a_tensor_comes_back_as_it_was(dtype: str, shape: tuple[int, ...]) -> None:
    tensor = (torch.rand(shape) * 3).to(_DTYPES[dtype])
    back = decode_tensor(msgspec.msgpack.decode(msgspec.msgpack.encode(encode_tensor(tensor)), type=TensorData))
    assert back.dtype == tensor.dtype and back.shape == tensor.shape and torch.equal(back, tensor)


@pytest.mark.parametrize("strides", [[1, 2], [6, 2], [0, 1], [0, 0], [3, 0]])
def test_a_tensor_is_laid_out_as_told_and_is_no_view(strides: list[int]) -> None:
    entries = torch.arange(6.0).reshape(2, 3) if 0 not in strides else torch.ones(2, 3)
    laid_out = decode_tensor(msgspec.structs.replace(encode_tensor(entries), strides=strides), as_laid_out=True)
    assert list(laid_out.stride()) == strides
    assert torch.equal(laid_out, entries)
    assert not laid_out._is_view()


@pytest.mark.parametrize("strides", [[1], [1, 1], [2, 1], [2**31, 1], [1, 2**40]])
def test_strides_that_overlap_or_reach_far_are_refused(strides: list[int]) -> None:
    with pytest.raises(ValueError, match="strides"):
        decode_tensor(msgspec.structs.replace(encode_tensor(torch.rand(2, 3)), strides=strides), as_laid_out=True)


@given(
    st.builds(
        TensorData,
        dtype=st.sampled_from(sorted(_DTYPES)),
        shape=st.lists(st.integers(0, 2**31) | st.integers(0, 4), max_size=16),
        data=st.binary(max_size=64),
        strides=st.none() | st.lists(st.integers(0, 2**31) | st.integers(0, 4), max_size=16),
    )
)
def test_bytes_of_any_length_make_a_tensor_or_a_value_error(data: TensorData) -> None:
    with suppress(ValueError):
        decode_tensor(data, as_laid_out=True).sum()


def test_truth_values_are_only_true_or_false() -> None:
    decoded = decode_tensor(TensorData(dtype="bool", shape=[3], data=b"\x00\x01\x7f"))
    assert decoded.view(torch.uint8).tolist() == [0, 1, 1]


class Lying(torch.Tensor):
    @property
    def shape(self) -> Any:
        return (1,)


@pytest.mark.parametrize(
    "value",
    [
        torch.ones(2).as_subclass(Lying),
        torch.ones(2).to_sparse(),
        torch.ones(2, device="meta"),
        torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.quint8),
        torch.ones(TENSOR_BYTES),
        torch.ones(1).expand(10**12),
        torch.ones(2, dtype=torch.complex32),
        object(),
        {"a": 1},
        10**30,
        [[1]],
        [1] * 100,
    ],
)
def test_what_does_not_travel_is_refused(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        encode_value(value)


@pytest.mark.parametrize("value", [None, True, 3, -(2**63), 2.5, "text", [1, None, "a"]])
def test_plain_values_come_back(value: Any) -> None:
    assert decode_value(encode_value(value)) == value


def test_a_tensor_that_requires_grad_says_so_and_an_entry_that_is_conjugated_is_resolved() -> None:
    assert encode_tensor(torch.ones(2, requires_grad=True)).requires_grad
    assert decode_tensor(encode_tensor(torch.tensor([1j]).conj())).tolist() == [-1j]


def test_a_single_entry_of_whatever_stride_travels() -> None:
    entry = torch.ones(1, 3)[:, 0]
    assert entry.stride() == (3,)
    assert decode_tensor(encode_tensor(entry)).tolist() == [1.0]
