"""Records the value of a trailing expression and, of a tensor, its properties and entries. Runs in the child."""

from typing import Any

import torch
from torch._C import DisableTorchFunctionSubclass

from app.protocol.records.value import ValueRecord
from app.runtimes.instruments.value_instrument import ValueInstrument, encode_values, fits
from app.runtimes.plain_text import type_name
from app.runtimes.torch.identities import IDENTITIES
from app.runtimes.torch.tensors import dtype_of, grad_fn_of, is_tensor, read_field, shape_of


class TensorValueInstrument(ValueInstrument):
    """Reads tensors by torch.Tensor's own methods, even if a subclass overrides them."""

    def describe(self, value: Any, title: str) -> ValueRecord:
        record = super().describe(value, title)
        if is_tensor(value):
            record.tensor = IDENTITIES.tensor(value)
            record.shape, record.dtype = shape_of(value), dtype_of(value)
            record.requires_grad, maker = read_field(value, "requires_grad"), grad_fn_of(value)
            record.grad_fn = None if maker is None else type_name(maker)
            record.values = tensor_values(value)
        return record


def tensor_values(tensor: torch.Tensor) -> Any:
    """Return the entries as nested lists; None if there are too many of them or of dimensions, or if they cannot be read."""
    with DisableTorchFunctionSubclass(), torch.no_grad():
        try:
            plain = torch.Tensor.as_subclass(tensor, torch.Tensor)
            if plain.layout != torch.strided or plain.device.type != "cpu" or plain.is_quantized:
                return None
            return encode_values(plain.detach().tolist(), plain.shape) if fits(plain.numel(), plain.dim()) else None
        except Exception:  # a nested, wrapped or otherwise unreadable tensor
            return None
