"""What the probes tried of a custom Function, and what of it holds."""

from typing import Annotated, Literal, get_args

import msgspec

from app.protocol.records.record import Id, Label, Record

Property = Literal["gradient", "second", "linear", "layout", "unchanged", "types", "inputs", "options", "repeatable"]
PROPERTIES: tuple[Property, ...] = get_args(Property)
_Properties = Annotated[list[Property], msgspec.Meta(max_length=16)]


class ExaminedRecord(Record, tag="examined", kw_only=True):
    """One Function, examined with the inputs of its call `call`. A property is in at most one of the lists.

    "gradient": its gradient is that of `forward`. "second": so is the second derivative. "linear": in the incoming gradient. "layout": the
    strides of the incoming gradient do not matter. "unchanged": neither inputs, saved tensors nor the incoming gradient are changed in
    place. "types": gradients have the dtype and shape of the inputs. "inputs": each input gets its gradient whichever others need one.
    "options": the gradient is right for other values of arguments that are no tensors. "repeatable": the same call has the same gradient.
    """

    function: Label
    call: Id | None = None
    held: _Properties = []
    failed: _Properties = []

    @property
    def name(self) -> str:
        return "examined"

    @property
    def references(self) -> tuple[str, ...]:
        return (*self.refs, *([] if self.call is None else [self.call]))
