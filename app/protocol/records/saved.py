"""One call of a custom Function, and the tensors that it saved for its backward."""

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec

from app.protocol.records.record import Count, Id, Label, Record, Shape

SAVED_TENSORS = 256


class SavedTensor(msgspec.Struct, kw_only=True):
    """A tensor that ctx keeps. `tensor`: its id, which is the same in the whole run.

    `version`, `version_now`: PyTorch's count of the tensor's changes in place, when it was saved and when it was last looked at.
    """

    tensor: Id
    name: Label
    how: Literal["save_for_backward", "ctx_attribute"]
    role: Literal["input", "output", "intermediate", "other"]
    shape: Shape | None = None
    dtype: Label | None = None
    bytes: Count = 0
    version: Count = 0
    version_now: Count = 0
    retained_after_backward: bool = False


class SavedRecord(Record, tag="saved", kw_only=True):
    """`call`: this call of the Function `function`. `node`: its node in the backward graph; None if no gradient was asked for."""

    call: Id
    node: Id | None = None
    function: Label
    saved: Annotated[list[SavedTensor], msgspec.Meta(max_length=SAVED_TENSORS)] = []

    @property
    def name(self) -> str:
        return "saved"

    @property
    def introduces(self) -> Iterable[str]:
        return (self.call, *((self.node,) if self.node else ()), *(each.tensor for each in self.saved))
