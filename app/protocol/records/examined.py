"""The properties of a custom Function that the probes tested."""

from typing import Annotated, Literal, get_args

import msgspec

from app.protocol.records.record import Id, Label, Record

Property = Literal["gradient", "second", "linear", "layout", "unchanged", "types", "inputs", "options", "repeatable"]
PROPERTIES: tuple[Property, ...] = get_args(Property)
_Properties = Annotated[list[Property], msgspec.Meta(max_length=16)]


class ExaminedRecord(Record, tag="examined", kw_only=True):
    """One Function, tested with the inputs of its call `call`. `held`, `failed`: the properties that hold, and those that do not.

    "gradient": its gradient is that of `forward`. "second": its second derivative is right, too. "linear": its gradient is linear in the
    incoming gradient. "layout": the strides of the incoming gradient do not matter. "unchanged": neither inputs, saved tensors nor the
    incoming gradient are changed in place. "types": gradients have the dtype and shape of the inputs. "inputs": each input gets its
    gradient whichever others need one. "options": the gradient is right for other values of arguments that are no tensors. "repeatable":
    equal calls have equal gradients. A property is in at most one of the lists.
    """

    function: Label
    call: Id | None = None
    held: _Properties = []
    failed: _Properties = []

    @property
    def references(self) -> tuple[str, ...]:
        return (*self.refs, *([] if self.call is None else [self.call]))
