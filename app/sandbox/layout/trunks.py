"""Draws many long edges at one node along a common trunk. Runs in the layout process.

A parameter that is used at each of 100 steps has 100 edges, most of them long, and so has a sum over 100 steps. Drawn separately they hide
the graph, and Graphviz takes minutes to route them; a trunk is one line in each row. A trunk belongs to one node and one kind of links,
so that one still sees where each branch comes from and goes to.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.protocol.geometry import LayoutLink, LayoutRequest, Point, Way
from app.sandbox.layout.ranks import rank

MOST_LONG_LINKS = 4  # the most long links that leave a node, or come to it, without a trunk
JOINT: Point = (1.0, 1.0)  # the size, in points, of the place where a branch meets its trunk


@dataclass(frozen=True)
class Line:
    """A link, or a piece of one, from a node or joint to another. `trunk` marks a piece that several links share."""

    tail: int
    head: int
    way: Way
    trunk: bool = False


@dataclass(frozen=True)
class Branch:
    """How a link is drawn: by the first `steps` pieces of a trunk, if it has one, and by its own `line`.

    Loops and ghosts have no visible line.
    """

    line: int | None = None
    trunk: int = -1
    steps: int = 0


@dataclass
class Sketch:
    """What an engine lays out: nodes with their rows, and lines between them.

    The nodes of the request come first. The nodes from number `joints_from` on are the joints of trunks.
    """

    sizes: list[Point]
    rows: list[int]  # meaningless for a node beside another
    joints_from: int
    lines: list[Line] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)  # one for each link
    trunks: list[list[int]] = field(default_factory=list)  # the lines of each trunk, from its node outward

    def is_joint(self, node: int) -> bool:
        return node >= self.joints_from

    def add(self, line: Line) -> int:
        self.lines.append(line)
        return len(self.lines) - 1

    def add_joint(self, row: int) -> int:
        self.sizes.append(JOINT)
        self.rows.append(row)
        return len(self.sizes) - 1


Root = tuple[int, int, int]  # a node; 1 or -1 for a trunk that leads down or up from it; the kind of its links


def sketch(request: LayoutRequest) -> Sketch:
    """Return a sketch of the request's graph. A node that many long links leave or enter gets a trunk."""
    pairs = [(link.tail, link.head) for link in request.links if link.way != "beside" and link.tail != link.head]
    rows = rank(len(request.nodes), pairs)
    sketched = Sketch(sizes=list(request.nodes), rows=rows, joints_from=len(request.nodes))
    roots = _roots(request.links, rows)
    joints = {root: _trunk(sketched, root, {_far_row(request.links[link], root, rows) for link in links}) for root, links in roots.items()}
    chosen = {link: root for root, links in roots.items() for link in links}
    for index, link in enumerate(request.links):
        if index in chosen:
            root = chosen[index]
            joint, trunk, steps = joints[root][_far_row(link, root, rows)]
            ends = (joint, link.head) if root[1] > 0 else (link.tail, joint)
            sketched.branches.append(Branch(sketched.add(Line(*ends, "down")), trunk, steps))
        elif link.tail == link.head:
            sketched.branches.append(Branch())
        else:
            line = sketched.add(Line(link.tail, link.head, link.way))
            sketched.branches.append(Branch(None if link.way == "ghost" else line))
    return sketched


def _roots(links: Sequence[LayoutLink], rows: Sequence[int]) -> dict[Root, list[int]]:
    """Return the links of each trunk by its root. A link that could belong to two trunks belongs to the larger."""
    fans: dict[Root, list[int]] = defaultdict(list)
    for index, link in enumerate(links):
        if link.way == "down" and rows[link.head] > rows[link.tail] + 1:
            fans[link.tail, 1, link.kind].append(index)
            fans[link.head, -1, link.kind].append(index)
    taken: set[int] = set()
    roots = {}
    for root, fan in sorted(fans.items(), key=lambda item: -len(item[1])):
        free = [index for index in fan if index not in taken]
        if len(free) > MOST_LONG_LINKS:
            roots[root] = free
            taken.update(free)
    return roots


def _far_row(link: LayoutLink, root: Root, rows: Sequence[int]) -> int:
    """Return the row of the link's end that is not at the trunk's root."""
    return rows[link.head if root[1] > 0 else link.tail]


def _trunk(sketched: Sketch, root: Root, far_rows: set[int]) -> dict[int, tuple[int, int, int]]:
    """Add a trunk with a joint next to each of `far_rows`.

    Return for each row: the joint, the trunk's number, and the number of pieces from the root to the joint.
    """
    node, direction, _ = root
    pieces: list[int] = []
    joints, end = {}, node
    for row in sorted(far_rows, reverse=direction < 0):
        joint = sketched.add_joint(row - direction)
        pieces.append(sketched.add(Line(*((end, joint) if direction > 0 else (joint, end)), "down", trunk=True)))
        joints[row] = (joint, len(sketched.trunks), len(pieces))
        end = joint
    sketched.trunks.append(pieces)
    return joints
