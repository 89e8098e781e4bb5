"""One call of a custom Function: its inputs and outputs, and the tensors that it saved."""

from typing import Annotated, Literal

import msgspec

from app.protocol.records.record import Count, Label, Record, Shape

FUNCTION_TENSORS = 256


class TensorFacts(msgspec.Struct, kw_only=True):
    shape: Shape | None = None
    dtype: Label | None = None
    requires_grad: bool = False


class SavedTensor(msgspec.Struct, kw_only=True):
    """A tensor that ctx keeps; `version` and `version_now` count changes in place, as PyTorch does."""

    name: Label
    how: Literal["save_for_backward", "ctx_attribute"]
    role: Literal["input", "output", "intermediate", "other"]
    shape: Shape | None = None
    dtype: Label | None = None
    bytes: Count = 0
    version: Count = 0
    version_now: Count = 0
    retained_after_backward: bool = False


class FunctionRecord(Record, tag="function", kw_only=True):
    name: Label
    inputs: Annotated[list[TensorFacts], msgspec.Meta(max_length=FUNCTION_TENSORS)] = []
    outputs: Annotated[list[TensorFacts], msgspec.Meta(max_length=FUNCTION_TENSORS)] = []
    saved: Annotated[list[SavedTensor], msgspec.Meta(max_length=FUNCTION_TENSORS)] = []
