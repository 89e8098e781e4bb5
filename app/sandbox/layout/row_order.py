"""Orders the slots within their rows so that few lines cross. Runs in the layout process."""

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence

from app.sandbox.layout.row_slots import RowSlot

SWEEPS = 8
UNCHANGED_SWEEPS = 3  # stop after so many sweeps in a row without improvement

Row = list[RowSlot]


def order_rows(slots: Iterable[RowSlot]) -> list[Row]:
    """Return the rows from the top, each in its order.

    The first order is that of a search from the last row up; sweeps then sort each row by the mean positions of neighbours.
    """
    rows = _found(list(slots))
    best, fewest, unchanged = [row[:] for row in rows], count_crossings(rows), 0
    for sweep in range(SWEEPS):
        if fewest == 0 or unchanged == UNCHANGED_SWEEPS:
            break
        downward = sweep % 2 == 1
        for row in rows if downward else reversed(rows):
            row.sort(key=lambda slot: _mean_share(slot, slot.above if downward else slot.below))
            _number(row)
        crossings = count_crossings(rows)
        unchanged = 0 if crossings < fewest else unchanged + 1
        if crossings < fewest:
            best, fewest = [row[:] for row in rows], crossings
    for row in best:
        _number(row)
    return best


def count_crossings(rows: Sequence[Row]) -> int:
    """Return how often lines between neighbouring rows cross."""
    crossings = 0
    for row in rows:
        passed: list[float] = []
        for slot in row:
            shares = [lower.share for lower in slot.below]
            crossings += sum(len(passed) - bisect_right(passed, share) for share in shares)
            for share in shares:
                insort(passed, share)
    return crossings


def _found(slots: list[RowSlot]) -> list[Row]:
    rows: list[Row] = [[] for _ in range(max(slot.row for slot in slots) + 1)]
    seen: set[RowSlot] = set()
    for root in sorted(slots, key=lambda slot: -slot.row):
        stack = [root]
        while stack:
            slot = stack.pop()
            if slot not in seen:
                seen.add(slot)
                rows[slot.row].append(slot)
                stack += [*slot.below, *reversed(slot.above)]
    for row in rows:
        _number(row)
    return rows


def _number(row: Row) -> None:
    for index, slot in enumerate(row):
        slot.share = (index + 0.5) / len(row)


def _mean_share(slot: RowSlot, near: Sequence[RowSlot]) -> float:
    return sum(other.share for other in near) / len(near) if near else slot.share
