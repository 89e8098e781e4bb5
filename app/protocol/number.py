"""Numbers that JSON can carry: a NaN or an infinity travels as a tagged string, a complex number as [re, im]."""

import math
from typing import Any, Literal

Real = float | Literal["nan", "inf", "-inf"]
Entry = Real | tuple[Real, Real]
Matrix = list[list[Entry]]


def encode_real(value: float) -> Real:
    """The wire form of one real number."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def encode_entry(value: Any) -> Entry:
    """The wire form of one tensor entry: int, float, bool or complex."""
    if isinstance(value, complex):
        return (encode_real(value.real), encode_real(value.imag))
    return encode_real(float(value))


def encode_entries(values: Any) -> Any:
    """`Tensor.tolist()` with every entry in its wire form, nested as the tensor is."""
    if isinstance(values, list):
        return [encode_entries(value) for value in values]
    return encode_entry(values)


def count_entries(values: Any, depth: int = 64) -> int:
    """The number of entries of a nested list from outside; raises ValueError if it is not one of entries or is deeper than `depth`."""
    if isinstance(values, list):
        if depth == 0:
            raise ValueError("nested too deeply")
        return sum(count_entries(value, depth - 1) for value in values)
    if isinstance(values, bool | int | float) or values in ("nan", "inf", "-inf"):
        return 1
    if isinstance(values, tuple) and len(values) == 2:
        return 1
    raise ValueError('an entry is a number, "nan", "inf" or "-inf"')
