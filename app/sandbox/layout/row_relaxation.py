"""Shortens the lines of a layered drawing, row by row, without changing the order or narrowing gaps. Runs in the layout process.

Each row takes the positions with the least sum of squared widths of its lines, by isotonic regression. No step increases the sum.
"""

from collections.abc import Sequence
from itertools import pairwise

from app.sandbox.layout.row_slots import RowSlot, gap

SWEEPS = 24
STRAIGHT, BEND, PLAIN = 60.0, 0.5, 1.0  # the weight of a line between two slots that bend, with one, with none
SETTLED = 0.5  # points; stop after a sweep in which no slot moved by more

Row = Sequence[RowSlot]


def relax(rows: Sequence[Row]) -> None:
    """Move slots nearer to their neighbours, in sweeps down and up the rows."""
    for sweep in range(SWEEPS):
        moved = max([_pull(row) for row in (rows if sweep % 2 == 0 else reversed(rows))])
        if moved < SETTLED:
            return


def _pull(row: Row) -> float:
    """Move the slots of a row. Return the greatest distance that a slot was moved, in points."""
    offset = 0.0
    blocks: list[
        tuple[float, float, list[tuple[RowSlot, float]]]
    ] = []  # of each block: the best x of its first slot, its weight, its slots with their offsets
    for before, slot in pairwise([None, *row]):
        assert slot is not None
        offset += gap(before, slot) if before else 0.0
        near = [*slot.above, *slot.below]
        pulls = [(_weight(slot, other) / (len(near) if slot.bends and not other.bends else 1), other.x) for other in near] or [
            (PLAIN, slot.x)
        ]
        weight = sum(pull for pull, _ in pulls)
        wanted, members = sum(pull * x for pull, x in pulls) / weight - offset, [(slot, offset)]
        while blocks and blocks[-1][0] >= wanted:
            other_wanted, other_weight, others = blocks.pop()
            wanted = (wanted * weight + other_wanted * other_weight) / (weight + other_weight)
            weight += other_weight
            others += members
            members = others
        blocks.append((wanted, weight, members))
    moved = 0.0
    for first, _, members in blocks:
        for slot, offset in members:
            moved = max(moved, abs(slot.x - first - offset))
            slot.x = first + offset
    return moved


def _weight(one: RowSlot, other: RowSlot) -> float:
    return STRAIGHT if one.bends and other.bends else BEND if one.bends or other.bends else PLAIN
