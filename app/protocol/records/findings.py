"""Decides whether a finding about two Jacobians is true of those of their entries that are known."""

import math
from collections.abc import Mapping

from app.protocol.records.gradcheck import Finding

NEAR = 1e-4  # entries of a common factor or of a transpose may be off by this share of the largest entry
LIKE_ZERO = 1e-9
_SLACK = 2.0  # the largest of all entries may be larger than the largest that is known

Place = tuple[int, int]
Entries = Mapping[Place, tuple[complex, complex]]  # by row and column: numerical and analytical


def size(value: complex) -> float:
    """Return the absolute value. It may be infinite, whereas abs of a complex number raises then."""
    return math.hypot(value.real, value.imag)


def is_other_than_one(factor: float) -> bool:
    return math.isfinite(factor) and abs(factor - 1) > 1e-3


def is_true_of(finding: Finding, factor: float | None, entries: Entries, shape: tuple[int, int]) -> bool:
    """Return whether `finding` is true of the known entries. `shape`: that of the whole Jacobians.

    "differ" is always true, because it claims nothing more. "agree" is never true here.
    """
    pairs = entries.values()
    top = max((size(n) for n, _ in pairs), default=0.0)
    match finding:
        case "differ":
            return True
        case "not-a-number":
            return not all(math.isfinite(size(a)) for _, a in pairs)
        case "zero":
            return not any(a for _, a in pairs)
        case "not-zero":
            return top < LIKE_ZERO
        case _ if not math.isfinite(top):
            return False
        case "factor" if factor is not None and is_other_than_one(factor):
            return all(size(a - factor * n) <= _SLACK * NEAR * top * abs(factor) for n, a in pairs)
        case "transposed":  # but not of a symmetric Jacobian, which equals its own transpose
            is_transpose = shape[0] == shape[1] and all(
                size(n - entries[column, row][1]) <= _SLACK * NEAR * top
                for (row, column), (n, _) in entries.items()
                if (column, row) in entries
            )
            return is_transpose and any(size(n - a) > NEAR * top / _SLACK for n, a in pairs)
        case _:
            return False
