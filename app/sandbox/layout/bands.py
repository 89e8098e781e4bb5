"""Folds wide rows: the many branches that meet at one node are placed in bands, one above another. Runs in the layout process.

A sum of 500 parameters would be a picture 80,000 points wide and 300 high. In bands, each with a trunk to the sum, it has about the shape
of a screen.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from app.protocol.geometry import LayoutRequest
from app.sandbox.layout.ranks import Pair

WIDEST = 3000.0  # points; rows up to this width are not folded
LEVELS = 4  # the most levels of a branch that is folded
GAP = 22.0  # points between branches
LEVEL = 60.0  # about the height of a level, in points
ASPECT = 1.6  # the width of folded branches divided by their height, roughly

Branch = list[list[int]]  # the nodes of each level, upward


def band_pairs(request: LayoutRequest, pairs: Sequence[Pair]) -> tuple[int, list[Pair]]:
    """Return how many nodes and which pairs to add before ranking, so that it places bands one below another.

    There is one added node between each two bands.
    """
    before: dict[int, list[int]] = defaultdict(list)
    uses: dict[int, int] = defaultdict(int)
    for tail, head in pairs:
        before[head].append(tail)
        uses[tail] += 1
    added = len(request.nodes)
    extra: list[Pair] = []
    folded: set[int] = set()
    for head, tails in list(before.items()):
        branches = [branch for tail in tails if (branch := _branch(tail, before, uses)) and tail not in folded]
        bands = [] if head in folded else _split(branches, request)
        for upper, lower in pairwise(bands):
            extra += [(branch[0][0], added) for branch in upper]
            extra += [(added, top) for branch in lower for top in _tops(branch, before)]
            added += 1
        if bands:
            folded.update(node for branch in branches for level in branch for node in level)
    return added - len(request.nodes), extra


def _branch(tail: int, before: dict[int, list[int]], uses: dict[int, int]) -> Branch | None:
    """Return the nodes that lead only to `tail`, and `tail`; None if `tail` is used more than once, or if there are too many levels."""
    if uses[tail] != 1:
        return None
    levels, known = [[tail]], {tail}
    while above := [node for low in levels[-1] for node in before.get(low, ()) if uses[node] == 1 and node not in known]:
        if len(levels) == LEVELS:
            return None
        levels.append(above)
        known.update(above)
    return levels


def _tops(branch: Branch, before: dict[int, list[int]]) -> list[int]:
    """Return the nodes of a branch that have no other node of it above them."""
    own = {node for level in branch for node in level}
    return [node for node in own if not own.intersection(before.get(node, ()))]


def _split(branches: Sequence[Branch], request: LayoutRequest) -> list[list[Branch]]:
    """Return the branches of each band; an empty list if all fit beside one another."""
    widths = [max(sum(request.nodes[node][0] + GAP for node in level) for level in branch) for branch in branches]
    width = sum(widths)
    if width <= WIDEST:
        return []
    height = (1 + max(len(branch) for branch in branches)) * LEVEL
    count = math.ceil(math.sqrt(width / (ASPECT * height)))
    bands: list[list[Branch]] = [[] for _ in range(count)]
    passed = 0.0
    for branch, own in zip(branches, widths, strict=True):
        bands[min(count - 1, int(count * passed / width))].append(branch)
        passed += own
    filled = [band for band in bands if band]
    return filled if len(filled) > 1 else []
