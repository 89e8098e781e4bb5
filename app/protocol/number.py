"""Numbers that JSON can carry: a NaN or an infinity travels as a tagged string, a complex number as [re, im]."""

import math
from typing import Annotated, Any, Literal

import msgspec

Real = float | Literal["nan", "inf", "-inf"]
Entry = Real | tuple[Real, Real]
Row = Annotated[list[Entry], msgspec.Meta(max_length=4096)]
Matrix = Annotated[list[Row], msgspec.Meta(max_length=4096)]


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


def check_entries(values: Any, most: int) -> None:
    """Raise ValueError unless `values` from outside is a nested list of at most `most` entries, an inner list counting as one."""
    waiting, seen = [values], 0
    while waiting:
        value = waiting.pop()
        seen += 1
        if seen > 2 * most + 1:
            raise ValueError(f"at most {most} entries")
        if isinstance(value, list):
            waiting += value[: 2 * most + 1]
        elif not _is_entry(value):
            raise ValueError('an entry is a number, "nan", "inf", "-inf" or a pair of these')


def _is_entry(value: Any) -> bool:
    if isinstance(value, tuple):
        return len(value) == 2 and all(_is_real(part) for part in value)
    return _is_real(value)


def _is_real(value: Any) -> bool:
    return isinstance(value, bool | int | float) or value in ("nan", "inf", "-inf")
