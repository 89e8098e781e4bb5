"""The value of a trailing expression: its repr, and for a tensor its facts."""

from collections.abc import Iterable
from typing import Any

from app.protocol.number import check_entries
from app.protocol.records.record import Id, Label, Record, Shape, Text

VALUE_ENTRIES = 1024


class ValueRecord(Record, tag="value", kw_only=True):
    """The value of an expression. `tensor`: the id of a tensor. `values`: its entries, nested by its shape, `VALUE_ENTRIES` at most.

    Raises ValueError if fields contradict each other.
    """

    text: Text
    tensor: Id | None = None
    shape: Shape | None = None
    dtype: Label | None = None
    requires_grad: bool | None = None
    grad_fn: Label | None = None
    values: Any = None

    def __post_init__(self) -> None:
        check_entries(self.values, self.shape, VALUE_ENTRIES)
        if self.grad_fn is not None and not self.requires_grad:
            raise ValueError("what has a grad_fn requires a gradient")

    @property
    def introduces(self) -> Iterable[str]:
        return () if self.tensor is None else (self.tensor,)
