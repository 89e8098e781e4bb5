"""The slots in the rows of a layered drawing: nodes, joints, and places where long lines pass a row. Runs in the layout process."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from app.sandbox.layout.trunks import Sketch

GAP = 21.6  # between two boxes of a row, in points: the same as nodesep in graphviz_engine
LINE_GAP = 10.0  # beside a line, in points
PASSING_HALF_WIDTH = 0.5
MOST_PASSINGS = 12_000  # if there were more, long lines get no slots and go straight, behind the nodes


@dataclass(eq=False)
class RowSlot:
    """A node with the nodes beside it, a joint, or a place where a line passes. `left` and `right` are the widths on both sides of x."""

    row: int
    left: float = PASSING_HALF_WIDTH
    right: float = PASSING_HALF_WIDTH
    bends: bool = True  # whether it is a joint or a passing line, where lines should be straight
    x: float = 0.0
    share: float = 0.0  # its position in the row, from 0 to 1
    above: list["RowSlot"] = field(default_factory=list)
    below: list["RowSlot"] = field(default_factory=list)


class RowSlots:
    """All slots of a sketch, each with its neighbours in the rows above and below."""

    def __init__(self, sketch: Sketch) -> None:
        self._sketch = sketch
        ends = Counter(end for line in sketch.lines for end in (line.tail, line.head))
        self._hosts = {line.head: line.tail for line in sketch.lines if line.way == "beside" and ends[line.head] == 1}
        self._offsets: dict[int, float] = {}  # from the x of the host
        self._of_node = self._make_nodes()
        pairs = [(self[line.tail], self[line.head]) for line in sketch.lines]
        self._with_passings = sum(abs(head.row - tail.row) for tail, head in pairs) - len(pairs) <= MOST_PASSINGS
        self.routes = [self._join(tail, head) for tail, head in pairs]
        """For each line the slots that it passes, from tail to head."""

    def __getitem__(self, node: int) -> RowSlot:
        return self._of_node[self._hosts.get(node, node)]

    def centre_x(self, node: int) -> float:
        return self[node].x + self._offsets.get(node, 0.0)

    def all(self) -> Iterable[RowSlot]:
        """Each slot once."""
        yield from self._of_node.values()
        for route in self.routes:
            yield from route

    def _make_nodes(self) -> dict[int, RowSlot]:
        slots = {}
        for node, (width, _) in enumerate(self._sketch.sizes):
            if node not in self._hosts:
                slots[node] = RowSlot(self._sketch.rows[node], width / 2, width / 2, bends=self._sketch.is_joint(node))
        for node, host in self._hosts.items():
            width = self._sketch.sizes[node][0]
            self._offsets[node] = slots[host].right + GAP + width / 2
            slots[host].right += GAP + width
        return slots

    def _join(self, tail: RowSlot, head: RowSlot) -> list[RowSlot]:
        upper, lower = sorted((tail, head), key=lambda slot: slot.row)
        rows = range(upper.row + 1, lower.row)
        if lower.row == upper.row or (rows and not self._with_passings):
            return []
        route = [RowSlot(row) for row in rows]
        chain = [upper, *route, lower]
        for above, below in pairwise(chain):
            above.below.append(below)
            below.above.append(above)
        return route if upper is tail else route[::-1]


def gap(left: RowSlot, right: RowSlot) -> float:
    """Return the least distance between the x of two neighbours in one row."""
    return left.right + (LINE_GAP if left.bends or right.bends else GAP) + right.left
