"""Where the places of ordered rows stand, so that lines are straight and nothing overlaps. Runs in the layout process.

After Brandes and Köpf (2001): places are joined to upright blocks, each with its middle neighbour, upward and downward, from the left and
from the right; each of these four ways gives every block the leftmost position, and the mean of the two middle ones is taken.
"""

from collections.abc import Sequence
from itertools import chain, pairwise

from app.sandbox.layout.places import Place, gap

Row = Sequence[Place]
Conflicts = set[tuple[Place, Place]]


def set_positions(rows: Sequence[Row]) -> None:
    """Give each place its x, in points; the leftmost end is at 0."""
    conflicts = find_conflicts(rows)
    layouts = [_lay_out(rows, conflicts, downward, leftward) for downward in (True, False) for leftward in (False, True)]
    extents = [(min(x - place.left for place, x in each.items()), max(x + place.right for place, x in each.items())) for each in layouts]
    least, most = min(extents, key=lambda extent: extent[1] - extent[0])
    shifts = [most - right if index % 2 else least - left for index, (left, right) in enumerate(extents)]
    places = list(chain.from_iterable(rows))
    for place in places:
        middle = sorted(layout[place] + shift for layout, shift in zip(layouts, shifts, strict=True))[1:3]
        place.x = sum(middle) / 2
    left = min(place.x - place.left for place in places)
    for place in places:
        place.x -= left


def find_conflicts(rows: Sequence[Row]) -> Conflicts:
    """The edges, from above, that cross a piece of a long line: such a piece shall be straight, and they cannot be."""
    conflicts: Conflicts = set()
    for upper, lower in pairwise(rows):
        indices = {place: index for index, place in enumerate(upper)}
        first, done = 0, 0
        for index, place in enumerate(lower):
            inner = next((indices[other] for other in place.above if place.bends and other.bends), None)
            if inner is None and index < len(lower) - 1:
                continue
            last = len(upper) if inner is None else inner
            for low in lower[done : index + 1]:
                crossing = (high for high in low.above if not first <= indices[high] <= last and not (low.bends and high.bends))
                conflicts |= {(high, low) for high in crossing}
            first, done = last, index + 1
    return conflicts


def _lay_out(rows: Sequence[Row], conflicts: Conflicts, downward: bool, leftward: bool) -> dict[Place, float]:
    rows = [row[::-1] for row in rows] if leftward else rows
    blocks = _make_blocks(rows if downward else rows[::-1], conflicts, downward)
    return {place: -x if leftward else x for place, x in _compact(rows, blocks, leftward).items()}


def _make_blocks(rows: Sequence[Row], conflicts: Conflicts, downward: bool) -> dict[Place, Place]:
    """For each place, the first of the block that it belongs to. What bends is joined to what bends, if it can be."""
    roots = {place: place for place in chain.from_iterable(rows)}
    taken: set[Place] = set()  # those that have a successor in their block
    before: dict[Place, int] = {}
    for row in rows:
        last = -1
        for place in row:
            near = sorted(_candidates(place, downward), key=before.__getitem__)
            for other in near[(len(near) - 1) // 2 : len(near) // 2 + 1]:
                edge = (other, place) if downward else (place, other)
                if roots[place] is place and other not in taken and last < before[other] and edge not in conflicts:
                    roots[place] = roots[other]
                    taken.add(other)
                    last = before[other]
        before = {place: index for index, place in enumerate(row)}
    return roots


def _candidates(place: Place, downward: bool) -> list[Place]:
    """The neighbours in the row before that a place may be joined to."""
    near = place.above if downward else place.below
    bending = [other for other in near if other.bends] if place.bends else []
    return bending or [other for other in near if not _goes_on(other, downward)]


def _goes_on(place: Place, downward: bool) -> bool:
    """Whether a long line passes the place and the next row."""
    return place.bends and any(other.bends for other in (place.below if downward else place.above))


def _compact(rows: Sequence[Row], blocks: dict[Place, Place], leftward: bool) -> dict[Place, float]:
    """Each block as far to its left as it goes, and then as near to the next on its right as that leaves room."""
    following: dict[Place, dict[Place, float]] = {root: {} for root in blocks.values()}
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
    return {place: positions[root] for place, root in blocks.items()}
