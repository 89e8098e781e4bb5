"""The layout process: lays graphs out with Graphviz and copies PNGs with Pillow, in a process of its own because both are native code.

It is on neither side of the fork: the runner starts it with a clean environment and one end of a socketpair as its standard input, and
asks one thing after another (`app.protocol.geometry`). It warms up before it says so, and confines itself before the first request.
It ends when the runner closes the socket.

    python -s -P -m app.sandbox.layout_main [uid]
"""

import sys

import msgspec
from pygraphviz import graphviz

from app.protocol.geometry import Curve, Geometry, LayoutLink, LayoutReady, LayoutRequest, Point, Question, Refused
from app.sandbox.confinement import confine_helper
from app.sandbox.framing import ChannelClosed, read_frame, write_frame
from app.sandbox.png_copy import copy_png, encode_png

CHANNEL = 0
POINTS_PER_INCH = 72.0
GRAPH, NODE, EDGE = 0, 1, 2  # the kinds of agattr()

GRAPH_ATTRIBUTES = {"rankdir": "TB", "nodesep": "0.3", "ranksep": "0.42", "pad": "0"}
NODE_ATTRIBUTES = {"shape": "box", "fixedsize": "true", "label": "", "width": "1", "height": "0.5"}
EDGE_ATTRIBUTES = {"arrowsize": "0.65", "dir": "forward", "minlen": "1", "weight": "1", "style": ""}
WAYS: dict[str, dict[str, str]] = {
    "down": {},
    "beside": {"dir": "none", "minlen": "0"},
    "ghost": {"dir": "none", "weight": "0", "style": "invis"},
}

# Network simplex and crossing reduction take minutes on thousands of tangled nodes; these trade beauty for an end.
HASTE_NODES = 250
HASTE = {"nslimit": "2", "nslimit1": "2", "mclimit": "0.3", "splines": "polyline"}


def main() -> None:
    """LayoutReady up, confine, then serve until the runner hangs up. The argument is the uid to become, if any."""
    artist = Artist()
    artist.draw(LayoutRequest(nodes=[(80, 32), (80, 44), (60, 32)], links=[LayoutLink(0, 1), LayoutLink(1, 2, "beside"), LayoutLink(0, 1)]))
    copy_png(encode_png((1, 1), bytes(4)))
    confine_helper(int(sys.argv[1]) if len(sys.argv) > 1 else None)
    serve(artist)


class Artist:
    """Graphviz and its context, which is kept for all graphs."""

    def __init__(self) -> None:
        self.context = graphviz.gvContextWithBuiltins()

    def draw(self, request: LayoutRequest) -> Geometry | Refused:
        """The request's geometry; Refused when Graphviz itself gives the graph up."""
        graph = graphviz.agraphnew(b"graph", False, True)
        try:
            return self.draw_in(graph, request)
        finally:
            graphviz.agclose(graph)

    def draw_in(self, graph: object, request: LayoutRequest) -> Geometry | Refused:
        nodes, edges = build(graph, request)
        if graphviz.gvLayout(self.context, graph, b"dot") != 0:
            return Refused(reason="Graphviz gave this graph up")
        try:
            graphviz.gvRender(self.context, graph, format=b"dot")  # without a file: writes positions into the attributes
            return measure(graph, nodes, edges)
        finally:
            graphviz.gvFreeLayout(self.context, graph)


def build(graph: object, request: LayoutRequest) -> tuple[list[object], list[object | None]]:
    """Fill an empty Graphviz graph; None stands for a link that has no curve."""
    hurry = HASTE if len(request.nodes) > HASTE_NODES else {}
    for kind, attributes in ((GRAPH, GRAPH_ATTRIBUTES | hurry), (NODE, NODE_ATTRIBUTES), (EDGE, EDGE_ATTRIBUTES)):
        for name, value in attributes.items():
            graphviz.agattr(graph, kind, name.encode(), value.encode())
    nodes = [build_node(graph, index, size) for index, size in enumerate(request.nodes)]
    return nodes, [build_edge(graph, nodes, index, link) for index, link in enumerate(request.links)]


def build_node(graph: object, index: int, size: Point) -> object:
    node = graphviz.agnode(graph, b"%d" % index, 1)
    for name, points in zip((b"width", b"height"), size, strict=True):
        graphviz.agset(node, name, b"%.4f" % (points / POINTS_PER_INCH))
    return node


def build_edge(graph: object, nodes: list[object], index: int, link: LayoutLink) -> object | None:
    """The new edge, if it will have a curve."""
    if link.tail == link.head:
        return None
    edge: object = graphviz.agedge(graph, nodes[link.tail], nodes[link.head], b"%d" % index, 1)
    for name, value in WAYS[link.way].items():
        graphviz.agset(edge, name.encode(), value.encode())
    return None if link.way == "ghost" else edge


def measure(graph: object, nodes: list[object], edges: list[object | None]) -> Geometry:
    """Read the positions Graphviz wrote, and turn them into SVG's downward y."""
    left, bottom, right, top = (float(number) for number in graphviz.agget(graph, b"bb").split(b","))

    def place(text: bytes) -> Point:
        x, y = text.split(b",")
        return float(x) - left, top - float(y)

    def trace(edge: object | None) -> Curve:
        words = (graphviz.agget(edge, b"pos") or b"").split() if edge else []
        tip = place(words.pop(0)[2:]) if words and words[0].startswith(b"e,") else None
        return Curve(points=[place(word) for word in words], tip=tip)

    return Geometry(
        width=right - left,
        height=top - bottom,
        centres=[place(graphviz.agget(node, b"pos")) for node in nodes],
        curves=[trace(edge) for edge in edges],
    )


def serve(artist: Artist) -> None:
    """Answer requests in turn; one that cannot be decoded is refused."""
    write_frame(CHANNEL, LayoutReady())
    decoder = msgspec.msgpack.Decoder(Question)
    while True:
        try:
            request = read_frame(CHANNEL, decoder)
        except ChannelClosed:
            return
        except msgspec.MsgspecError as error:
            write_frame(CHANNEL, Refused(reason=str(error)))
        else:
            write_frame(CHANNEL, artist.draw(request) if isinstance(request, LayoutRequest) else copy_png(request.png))


if __name__ == "__main__":
    main()
