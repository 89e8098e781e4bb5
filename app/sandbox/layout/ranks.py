"""Computes the row of each node of a graph from its edges. Runs in the layout process.

Every edge leads to a later row, except in cycles. A node that leads to the end of the longest path is as near to that end as its edges
allow, so that a parameter is directly above its first use. A node that does not lead there is directly below the node that it comes from.
"""

from collections.abc import Sequence

Pair = tuple[int, int]


def rank(count: int, pairs: Sequence[Pair]) -> list[int]:
    """Return the row of each of `count` nodes, counted from 0. No pair may join a node to itself.

    In a cycle, at least one edge leads up.
    """
    order, forward = sort(count, pairs)
    before: list[list[int]] = [[] for _ in range(count)]
    after: list[list[int]] = [[] for _ in range(count)]
    for tail, head in forward:
        before[head].append(tail)
        after[tail].append(head)
    depths = [0] * count
    for node in order:
        depths[node] = max((depths[tail] + 1 for tail in before[node]), default=0)
    last = max(depths, default=0)
    rows: list[int | None] = [None] * count
    for node in reversed(order):  # the ends of the longest paths, and nodes that lead there
        below = [row for head in after[node] if (row := rows[head]) is not None]
        if below or depths[node] == last:
            rows[node] = min(below, default=last + 1) - 1
    for node in order:  # nodes that branch off
        above = [row for tail in before[node] if (row := rows[tail]) is not None]
        if rows[node] is None and above:
            rows[node] = max(above) + 1
    placed: list[int] = [0] * count
    for node in reversed(order):  # nodes that lead only to a branch, or are not connected with the rest
        row = rows[node]
        placed[node] = min((placed[head] for head in after[node]), default=last + 1) - 1 if row is None else row
    return _push_down(order, before, placed)


def sort(count: int, pairs: Sequence[Pair]) -> tuple[list[int], list[Pair]]:
    """Return the nodes sorted so that tails come before heads, and the pairs. Pairs in a cycle that contradict this order are reversed."""
    after: list[list[int]] = [[] for _ in range(count)]
    for tail, head in pairs:
        after[tail].append(head)
    found: list[int] = []
    seen = [False] * count
    for root in range(count):
        if seen[root]:
            continue
        seen[root] = True
        stack = [(root, iter(after[root]))]
        while stack:
            node, heads = stack[-1]
            following = next((head for head in heads if not seen[head]), None)
            if following is None:
                found.append(node)
                stack.pop()
            else:
                seen[following] = True
                stack.append((following, iter(after[following])))
    order = found[::-1]
    places = {node: place for place, node in enumerate(order)}
    return order, [(tail, head) if places[tail] < places[head] else (head, tail) for tail, head in pairs]


def _push_down(order: Sequence[int], before: Sequence[Sequence[int]], rows: list[int]) -> list[int]:
    """Return the rows counted from 0, with each node below all nodes that lead to it."""
    top = min(rows, default=0)
    for node in order:
        rows[node] = max([rows[node] - top, *(rows[tail] + 1 for tail in before[node])])
    return rows
