"""The value of a trailing expression: its repr, and for a tensor its facts."""

from typing import Any

from app.protocol.number import check_entries
from app.protocol.records.record import Display, Label, Shape, Text

VALUE_ENTRIES = 1024


class ValueDisplay(Display, tag="value", kw_only=True):
    """`values`: the tensor's entries, nested as it is, `VALUE_ENTRIES` at most. Raises ValueError for anything else."""

    text: Text
    shape: Shape | None = None
    dtype: Label | None = None
    requires_grad: bool | None = None
    grad_fn: Label | None = None
    values: Any = None

    def __post_init__(self) -> None:
        if self.values is not None:
            check_entries(self.values, VALUE_ENTRIES)

    @property
    def name(self) -> str:
        return "value"
