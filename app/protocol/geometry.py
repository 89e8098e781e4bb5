"""What passes between the runner and the layout process: graphs as numbers only, so that no text of a learner's reaches Graphviz, and PNGs.

Lengths and coordinates are in points; in a `Geometry` y grows downward, as in SVG. A frame is a 4-byte big-endian
length and a msgpack body, as on the run channel. Down go `LayoutRequest`s and `PngRequest`s; up come one `LayoutReady` and then, for
each request, a `Geometry` or a `PngCopy`, or a `Refused`.
"""

from itertools import chain
from typing import Annotated, Literal

import msgspec

from app.protocol.records.figure import PNG_BYTES

LAYOUT_NODES = 20_000
LAYOUT_LINKS = 80_000
NODE_POINTS = 4_000.0  # of one node's width or height
CANVAS_POINTS = 1e8
CURVE_POINTS = 4_096  # control points of one curve
LAYOUT_FRAME_BYTES = 32 * 1024 * 1024
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"

Point = tuple[float, float]
Way = Literal["down", "beside", "ghost"]
Engine = Literal["dot", "hasty", "straight"]  # all are dot: with care, with fewer rounds of each search, and besides with straight lines


class LayoutLink(msgspec.Struct, frozen=True, array_like=True):
    """An edge between two nodes, by index. `down` puts the head under the tail, with an arrow; `beside` next to it, without one.

    A `ghost` puts it under the tail, too, but pulls at nothing and has no curve. Links of one `kind` may be drawn along one trunk.
    """

    tail: int
    head: int
    way: Way = "down"
    kind: int = 0


class LayoutRequest(msgspec.Struct, tag_field="frame", tag="layout", forbid_unknown_fields=True):
    """A graph to be laid out from top to bottom: (width, height) of each node, and its links. Invalid numbers raise ValueError.

    `engine`: the one to be used; if None, the layout process chooses by the size of the graph.
    """

    nodes: list[Point]
    links: list[LayoutLink]
    engine: Engine | None = None

    def __post_init__(self) -> None:
        if not 0 < len(self.nodes) <= LAYOUT_NODES:
            raise ValueError(f"nodes: from 1 to {LAYOUT_NODES}")
        if len(self.links) > LAYOUT_LINKS:
            raise ValueError(f"links: at most {LAYOUT_LINKS}")
        if not all(0 < length <= NODE_POINTS for node in self.nodes for length in node):
            raise ValueError(f"nodes: lengths above 0 and at most {NODE_POINTS:.0f} points")
        if not all(0 <= end < len(self.nodes) for link in self.links for end in (link.tail, link.head)):
            raise ValueError("links: a link ends at no node")


class Curve(msgspec.Struct, frozen=True, array_like=True):
    """A chain of cubic Béziers, 1 + 3n control points, and the arrow's tip, if any; a ghost or a loop has no points.

    With a `trunk`, the curve is the rest of a link that goes along the first `steps` pieces of that trunk.
    """

    points: list[Point]
    tip: Point | None = None
    trunk: int = -1
    steps: int = 0


class Geometry(msgspec.Struct, tag_field="frame", tag="geometry", forbid_unknown_fields=True):
    """The centre of each node and the curve of each link, in the order of the request. Invalid numbers raise ValueError.

    `trunks`: what many links of one node have in common, by pieces, outward from that node. `engine`: what laid the graph out.
    """

    width: float
    height: float
    centres: list[Point]
    curves: list[Curve]
    trunks: list[list[Curve]] = []
    engine: Engine = "dot"

    def __post_init__(self) -> None:
        for point in ((self.width, self.height), *self.centres):
            check_point(point)
        for curve in chain(self.curves, *self.trunks):
            if len(curve.points) > CURVE_POINTS or (curve.points and len(curve.points) % 3 != 1):
                raise ValueError("curves: not a chain of cubic Béziers")
            for point in (*curve.points, curve.tip or (0.0, 0.0)):
                check_point(point)
        for curve in self.curves:
            if curve.trunk >= len(self.trunks) or (curve.trunk >= 0 and not 0 < curve.steps <= len(self.trunks[curve.trunk])):
                raise ValueError("curves: a branch of no trunk")


class PngRequest(msgspec.Struct, tag_field="frame", tag="png", forbid_unknown_fields=True):
    """A PNG, or what a learner's process says is one, to be decoded and encoded anew."""

    png: Annotated[bytes, msgspec.Meta(max_length=PNG_BYTES)]


class PngCopy(msgspec.Struct, tag_field="frame", tag="copy", forbid_unknown_fields=True):
    """The same pixels in a PNG that has nothing else. Raises ValueError for what does not begin like one."""

    png: Annotated[bytes, msgspec.Meta(max_length=PNG_BYTES)]

    def __post_init__(self) -> None:
        if not self.png.startswith(PNG_SIGNATURE):
            raise ValueError("png: this is none")


class Refused(msgspec.Struct, tag_field="frame", tag="refused"):
    """The graph was not laid out, the PNG not copied; the process lives on."""

    reason: str


class LayoutReady(msgspec.Struct, tag_field="frame", tag="warm"):
    """The process has laid out its first graph, has confined itself and waits for work."""


Question = LayoutRequest | PngRequest
Answer = LayoutReady | Geometry | PngCopy | Refused


def check_point(point: Point) -> None:
    """Raises ValueError for a point that is not finite or is off every canvas."""
    x, y = point
    if not (-CANVAS_POINTS <= x <= CANVAS_POINTS and -CANVAS_POINTS <= y <= CANVAS_POINTS):  # nor is NaN
        raise ValueError("a point off the canvas")
