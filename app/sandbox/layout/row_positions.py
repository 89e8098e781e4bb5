"""Computes the positions of slots in ordered rows, so that lines are straight and nothing overlaps. Runs in the layout process.

After Brandes and Köpf (2001): each slot is joined with its middle neighbour to vertical blocks, upward or downward, from the left or from
the right. Each of these four ways gives every slot the leftmost possible position; the mean of the two middle ones is used.
"""

from collections.abc import Sequence
from itertools import chain, pairwise

from app.sandbox.layout.row_slots import RowSlot, gap

Row = Sequence[RowSlot]
Conflicts = set[tuple[RowSlot, RowSlot]]


def set_positions(rows: Sequence[Row]) -> None:
    """Set the x of each slot, in points. The left end of the leftmost slot is at 0."""
    conflicts = find_conflicts(rows)
    layouts = [_lay_out(rows, conflicts, downward, leftward) for downward in (True, False) for leftward in (False, True)]
    extents = [(min(x - slot.left for slot, x in each.items()), max(x + slot.right for slot, x in each.items())) for each in layouts]
    least, most = min(extents, key=lambda extent: extent[1] - extent[0])
    shifts = [most - right if index % 2 else least - left for index, (left, right) in enumerate(extents)]
    slots = list(chain.from_iterable(rows))
    for slot in slots:
        middle = sorted(layout[slot] + shift for layout, shift in zip(layouts, shifts, strict=True))[1:3]
        slot.x = sum(middle) / 2
    left = min(slot.x - slot.left for slot in slots)
    for slot in slots:
        slot.x -= left


def find_conflicts(rows: Sequence[Row]) -> Conflicts:
    """Return the edges, upper slot first, that cross a piece of a long line: the piece is to be straight, so they cannot be."""
    conflicts: Conflicts = set()
    for upper, lower in pairwise(rows):
        indices = {slot: index for index, slot in enumerate(upper)}
        first, done = 0, 0
        for index, slot in enumerate(lower):
            inner = next((indices[other] for other in slot.above if slot.bends and other.bends), None)
            if inner is None and index < len(lower) - 1:
                continue
            last = len(upper) if inner is None else inner
            for low in lower[done : index + 1]:
                crossing = (high for high in low.above if not first <= indices[high] <= last and not (low.bends and high.bends))
                conflicts |= {(high, low) for high in crossing}
            first, done = last, index + 1
    return conflicts


def _lay_out(rows: Sequence[Row], conflicts: Conflicts, downward: bool, leftward: bool) -> dict[RowSlot, float]:
    rows = [row[::-1] for row in rows] if leftward else rows
    blocks = _make_blocks(rows if downward else rows[::-1], conflicts, downward)
    return {slot: -x if leftward else x for slot, x in _compact(rows, blocks, leftward).items()}


def _make_blocks(rows: Sequence[Row], conflicts: Conflicts, downward: bool) -> dict[RowSlot, RowSlot]:
    """Return, for each slot, the first slot of its block. Slots that bend are joined with slots that bend, if possible."""
    roots = {slot: slot for slot in chain.from_iterable(rows)}
    taken: set[RowSlot] = set()  # slots that have a successor in their block
    before: dict[RowSlot, int] = {}
    for row in rows:
        last = -1
        for slot in row:
            near = sorted(_candidates(slot, downward), key=before.__getitem__)
            for other in near[(len(near) - 1) // 2 : len(near) // 2 + 1]:
                edge = (other, slot) if downward else (slot, other)
                if roots[slot] is slot and other not in taken and last < before[other] and edge not in conflicts:
                    roots[slot] = roots[other]
                    taken.add(other)
                    last = before[other]
        before = {slot: index for index, slot in enumerate(row)}
    return roots


def _candidates(slot: RowSlot, downward: bool) -> list[RowSlot]:
    """Return the neighbours in the previous row with which a slot may be joined."""
    near = slot.above if downward else slot.below
    bending = [other for other in near if other.bends] if slot.bends else []
    return bending or [other for other in near if not _continues(other, downward)]


def _continues(slot: RowSlot, downward: bool) -> bool:
    """Return whether a long line passes this slot and the next row."""
    return slot.bends and any(other.bends for other in (slot.below if downward else slot.above))


def _compact(rows: Sequence[Row], blocks: dict[RowSlot, RowSlot], leftward: bool) -> dict[RowSlot, float]:
    """Move each block as far left as possible, then right again, as near as possible to the next block."""
    following: dict[RowSlot, dict[RowSlot, float]] = {root: {} for root in blocks.values()}
    waiting = dict.fromkeys(following, 0)
    for row in rows:
        for one, other in pairwise(row):
            distance = gap(other, one) if leftward else gap(one, other)
            gaps = following[blocks[one]]
            if blocks[other] not in gaps:
                waiting[blocks[other]] += 1
            gaps[blocks[other]] = max(gaps.get(blocks[other], 0.0), distance)
    order = [root for root, count in waiting.items() if not count]
    positions = dict.fromkeys(following, 0.0)
    for root in order:
        for other, distance in following[root].items():
            positions[other] = max(positions[other], positions[root] + distance)
            waiting[other] -= 1
            if not waiting[other]:
                order.append(other)
    for root in reversed(order):
        if following[root]:
            positions[root] = max(positions[root], min(positions[other] - distance for other, distance in following[root].items()))
    return {slot: positions[root] for slot, root in blocks.items()}
