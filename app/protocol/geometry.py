"""The messages between the runner and the layout process, about graphs and PNGs.

Graphs are sent as numbers only, so that no learner's text reaches Graphviz.

Lengths and coordinates are in points; in a `Geometry` y grows downward, as in SVG. A frame is a 4-byte big-endian
length and a msgpack body, as on the run channel. The process sends `LayoutReady` once. Then it answers each `LayoutRequest` with a
`Geometry`, each `PngRequest` with a `PngCopy`, and either with `Refused` if it cannot.
"""

from typing import Annotated, Literal

import msgspec

from app.protocol.records.figure import PNG_BYTES

LAYOUT_NODES = 20_000
LAYOUT_LINKS = 80_000
NODE_POINTS = 4_000.0  # the largest width or height of a node
CANVAS_POINTS = 1e8
CURVE_POINTS = 4_096  # the most control points of one curve
LAYOUT_FRAME_BYTES = 32 * 1024 * 1024
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"

Length = Annotated[float, msgspec.Meta(gt=0, le=NODE_POINTS)]
Coordinate = Annotated[float, msgspec.Meta(ge=-CANVAS_POINTS, le=CANVAS_POINTS)]  # which NaN is not
Point = tuple[Coordinate, Coordinate]
NodeIndex = Annotated[int, msgspec.Meta(ge=0)]
Way = Literal["down", "beside", "ghost"]
# all three run dot: "hasty" with fewer rounds of each search, "straight" also with straight lines
Engine = Literal["dot", "hasty", "straight"]


class LayoutLink(msgspec.Struct, frozen=True, array_like=True):
    """An edge between two nodes, which are given by index. Links of one `kind` may be drawn along one trunk.

    `way`: "down" puts the head under the tail, with an arrow. "beside" puts it next to the tail, without one. "ghost" puts it under the
    tail, but is not drawn and does not pull the nodes nearer to each other.
    """

    tail: NodeIndex
    head: NodeIndex
    way: Way = "down"
    kind: int = 0


class LayoutRequest(msgspec.Struct, tag_field="frame", tag="layout", forbid_unknown_fields=True):
    """A graph to be laid out from top to bottom: (width, height) of each node, and its links.

    Raises ValueError for no nodes, more than LAYOUT_NODES or LAYOUT_LINKS, or a link to no node, so that such a request is not even sent.
    `engine`: the one to be used; if None, the layout process chooses by the size of the graph.
    """

    nodes: list[tuple[Length, Length]]
    links: list[LayoutLink]
    engine: Engine | None = None

    def __post_init__(self) -> None:
        if not 0 < len(self.nodes) <= LAYOUT_NODES or len(self.links) > LAYOUT_LINKS:
            raise ValueError(f"from 1 to {LAYOUT_NODES} nodes, and at most {LAYOUT_LINKS} links")
        if not all(end < len(self.nodes) for link in self.links for end in (link.tail, link.head)):
            raise ValueError("links: a link ends at no node")


class Curve(msgspec.Struct, frozen=True, array_like=True):
    """A chain of cubic Béziers, 1 + 3n control points, and the arrow's tip, if any; a ghost or a loop has no points.

    With a `trunk`, the curve is the rest of a link that goes along the first `steps` pieces of that trunk. Raises ValueError for another
    number of points.
    """

    points: Annotated[list[Point], msgspec.Meta(max_length=CURVE_POINTS)]
    tip: Point | None = None
    trunk: int = -1
    steps: int = 0

    def __post_init__(self) -> None:
        if self.points and len(self.points) % 3 != 1:
            raise ValueError("points: not a chain of cubic Béziers")


class Geometry(msgspec.Struct, tag_field="frame", tag="geometry", forbid_unknown_fields=True):
    """The centre of each node and the curve of each link, in the order of the request. A branch of no trunk raises ValueError.

    `trunks`: the lines that many links of one node share, each in pieces, outward from that node. `engine`: what laid the graph out.
    """

    width: Coordinate
    height: Coordinate
    centres: list[Point]
    curves: list[Curve]
    trunks: list[list[Curve]] = []
    engine: Engine = "dot"

    def __post_init__(self) -> None:
        for curve in self.curves:
            if curve.trunk >= len(self.trunks) or (curve.trunk >= 0 and not 0 < curve.steps <= len(self.trunks[curve.trunk])):
                raise ValueError("curves: a branch of no trunk")


class PngRequest(msgspec.Struct, tag_field="frame", tag="png", forbid_unknown_fields=True):
    """A PNG to be decoded and encoded anew. The bytes come from a learner's process and may not be a PNG at all."""

    png: Annotated[bytes, msgspec.Meta(max_length=PNG_BYTES)]


class PngCopy(msgspec.Struct, tag_field="frame", tag="copy", forbid_unknown_fields=True):
    """A PNG of the same pixels, without anything else. Raises ValueError for bytes that do not begin like a PNG."""

    png: Annotated[bytes, msgspec.Meta(max_length=PNG_BYTES)]

    def __post_init__(self) -> None:
        if not self.png.startswith(PNG_SIGNATURE):
            raise ValueError("png: this is none")


class Refused(msgspec.Struct, tag_field="frame", tag="refused"):
    """The graph was not laid out, or the PNG not copied. The process continues."""

    reason: str


class LayoutReady(msgspec.Struct, tag_field="frame", tag="warm"):
    """The process has laid out its first graph, has confined itself and waits for work."""


Question = LayoutRequest | PngRequest
Answer = LayoutReady | Geometry | PngCopy | Refused
