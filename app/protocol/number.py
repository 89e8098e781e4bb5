"""Numbers that JSON can carry: a NaN or an infinity travels as a tagged string, a complex number as [re, im]."""

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

Real = float | Literal["nan", "inf", "-inf"]
Entry = Real | tuple[Real, Real]
Row = Annotated[list[Entry], msgspec.Meta(max_length=4096)]
Matrix = Annotated[list[Row], msgspec.Meta(max_length=4096)]


def encode_real(value: float) -> Real:
    """Return the wire form of one real number."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def encode_entry(value: Any) -> Entry:
    """Return the wire form of one tensor entry: int, float, bool or complex."""
    if isinstance(value, complex):
        return (encode_real(value.real), encode_real(value.imag))
    return encode_real(float(value))


def encode_entries(values: Any) -> Any:
    """Return `Tensor.tolist()` with every entry in its wire form, nested as the tensor is."""
    if isinstance(values, list):
        return [encode_entries(value) for value in values]
    return encode_entry(values)


def check_entries(values: Any, shape: Sequence[int] | None, most: int) -> None:
    """Raise ValueError unless `values` is None, or a nested list of this shape with at most `most` entries in their wire form."""
    if values is None:
        return
    if shape is None:
        raise ValueError("entries have a shape")
    level = [values]
    for length in shape:
        if not all(type(inner) is list and len(inner) == length for inner in level):
            raise ValueError("the entries are not of the shape that they are said to have")
        if len(level) * length > most:
            raise ValueError(f"at most {most} entries")
        level = [entry for inner in level for entry in inner]
    msgspec.convert(level, list[Entry])
