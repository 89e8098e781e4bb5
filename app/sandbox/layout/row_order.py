"""The order of places within their rows, so that few lines cross. Runs in the layout process."""

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence

from app.sandbox.layout.places import Place

SWEEPS = 8
UNCHANGED_SWEEPS = 3  # one after another, after which no more are made

Row = list[Place]


def order_rows(places: Iterable[Place]) -> list[Row]:
    """The rows, from the top, each in its order: as one comes to the places from the last row upward, then by the means of neighbours."""
    rows = _found(list(places))
    best, fewest, unchanged = [row[:] for row in rows], count_crossings(rows), 0
    for sweep in range(SWEEPS):
        if fewest == 0 or unchanged == UNCHANGED_SWEEPS:
            break
        downward = sweep % 2 == 1
        for row in rows if downward else reversed(rows):
            row.sort(key=lambda place: _mean_share(place, place.above if downward else place.below))
            _number(row)
        crossings = count_crossings(rows)
        unchanged = 0 if crossings < fewest else unchanged + 1
        if crossings < fewest:
            best, fewest = [row[:] for row in rows], crossings
    for row in best:
        _number(row)
    return best


def count_crossings(rows: Sequence[Row]) -> int:
    """How often lines between neighbouring rows cross."""
    crossings = 0
    for row in rows:
        passed: list[float] = []
        for place in row:
            shares = [lower.share for lower in place.below]
            crossings += sum(len(passed) - bisect_right(passed, share) for share in shares)
            for share in shares:
                insort(passed, share)
    return crossings


def _found(places: list[Place]) -> list[Row]:
    rows: list[Row] = [[] for _ in range(max(place.row for place in places) + 1)]
    seen: set[Place] = set()
    for root in sorted(places, key=lambda place: -place.row):
        stack = [root]
        while stack:
            place = stack.pop()
            if place not in seen:
                seen.add(place)
                rows[place.row].append(place)
                stack += [*place.below, *reversed(place.above)]
    for row in rows:
        _number(row)
    return rows


def _number(row: Row) -> None:
    for index, place in enumerate(row):
        place.share = (index + 0.5) / len(row)


def _mean_share(place: Place, near: Sequence[Place]) -> float:
    return sum(other.share for other in near) / len(near) if near else place.share
