"""Lays a sketch out with Graphviz's dot. Runs in the layout process."""

import msgspec
from pygraphviz import graphviz

from app.protocol.geometry import Curve, Engine, Geometry, Point, Refused, Way
from app.sandbox.layout.trunks import Branch, Line, Sketch

POINTS_PER_INCH = 72.0
GRAPH, NODE, EDGE = 0, 1, 2  # the kinds of agattr()

GRAPH_ATTRIBUTES = {"rankdir": "TB", "nodesep": "0.3", "ranksep": "0.42", "pad": "0"}
HASTE = 0.1  # the rounds of dot's searches in haste, as a share of the usual number
NODE_ATTRIBUTES = {"shape": "box", "fixedsize": "true", "label": "", "width": "1", "height": "0.5"}
EDGE_ATTRIBUTES = {
    "arrowsize": "0.65", "dir": "forward", "minlen": "1", "weight": "1", "style": "", "headclip": "true", "tailclip": "true",
}  # fmt: skip
WAYS: dict[Way, dict[str, str]] = {
    "down": {},
    "beside": {"dir": "none", "minlen": "0"},
    "ghost": {"dir": "none", "weight": "0", "style": "invis"},
}

_context = graphviz.gvContextWithBuiltins()  # which all graphs share


def arrange(sketch: Sketch, engine: Engine) -> Geometry | Refused:
    """Lay out `sketch`, and return the geometry of the request that it was made from, or Refused when Graphviz gives the graph up."""
    graph = graphviz.agraphnew(b"graph", False, True)
    try:
        nodes, edges = build(graph, sketch, GRAPH_ATTRIBUTES | engine_attributes(engine, len(sketch.sizes)))
        if graphviz.gvLayout(_context, graph, b"dot") != 0:
            return Refused(reason="Graphviz gave this graph up")
        try:
            graphviz.gvRender(_context, graph, format=b"dot")  # without a file: writes positions into the attributes
            return measure(graph, nodes, edges, sketch, engine)
        finally:
            graphviz.gvFreeLayout(_context, graph)
    finally:
        graphviz.agclose(graph)


def engine_attributes(engine: Engine, nodes: int) -> dict[str, str]:
    """Return the attributes that have dot make fewer rounds of the network simplex (nslimit, nslimit1) and search less for few crossings.

    dot makes `nodes * nslimit` rounds. Without any round it corrupts its memory, so it makes at least two.
    """
    if engine == "dot":
        return {}
    rounds = str(max(HASTE, 2 / max(nodes, 1)))
    few = {"nslimit": rounds, "nslimit1": rounds, "mclimit": str(HASTE)}
    return few | {"splines": "line"} if engine == "straight" else few


def build(graph: object, sketch: Sketch, graph_attributes: dict[str, str]) -> tuple[list[object], list[object]]:
    """Fill an empty Graphviz graph with the nodes and lines of `sketch`. Return these nodes and edges, in their order."""
    for kind, attributes in ((GRAPH, graph_attributes), (NODE, NODE_ATTRIBUTES), (EDGE, EDGE_ATTRIBUTES)):
        for name, value in attributes.items():
            graphviz.agattr(graph, kind, name.encode(), value.encode())
    nodes = [build_node(graph, index, size) for index, size in enumerate(sketch.sizes)]
    return nodes, [build_edge(graph, nodes, index, line, sketch) for index, line in enumerate(sketch.lines)]


def build_node(graph: object, index: int, size: Point) -> object:
    node = graphviz.agnode(graph, b"%d" % index, 1)
    for name, points in zip((b"width", b"height"), size, strict=True):
        graphviz.agset(node, name, b"%.4f" % (points / POINTS_PER_INCH))
    return node


def build_edge(graph: object, nodes: list[object], index: int, line: Line, sketch: Sketch) -> object:
    edge: object = graphviz.agedge(graph, nodes[line.tail], nodes[line.head], b"%d" % index, 1)
    attributes = dict(WAYS[line.way])
    if line.trunk:
        attributes |= {"weight": "2", "minlen": str(sketch.rows[line.head] - sketch.rows[line.tail])}
    if sketch.is_joint(line.tail):
        attributes["tailclip"] = "false"
    if sketch.is_joint(line.head):
        attributes |= {"headclip": "false", "dir": "none"}
    for name, value in attributes.items():
        graphviz.agset(edge, name.encode(), value.encode())
    return edge


def measure(graph: object, nodes: list[object], edges: list[object], sketch: Sketch, engine: Engine) -> Geometry:
    """Return the geometry, from the positions that Graphviz wrote. y points downward, as in SVG. Lines at a joint end in its middle."""
    left, bottom, right, top = (float(number) for number in graphviz.agget(graph, b"bb").split(b","))

    def place(text: bytes) -> Point:
        x, y = text.split(b",")
        return float(x) - left, top - float(y)

    centres = [place(graphviz.agget(node, b"pos")) for node in nodes]

    def trace(edge: object, line: Line) -> Curve:
        words = (graphviz.agget(edge, b"pos") or b"").split()
        tip = place(words.pop(0)[2:]) if words and words[0].startswith(b"e,") else None
        points = [place(word) for word in words]
        if points and sketch.is_joint(line.tail):
            points[0] = centres[line.tail]
        if points and sketch.is_joint(line.head):
            points[-1] = centres[line.head]
        return Curve(points=points, tip=tip)

    curves = [trace(edge, line) for edge, line in zip(edges, sketch.lines, strict=True)]

    def branch_curve(branch: Branch) -> Curve:
        if branch.line is None:
            return Curve(points=[])
        return msgspec.structs.replace(curves[branch.line], trunk=branch.trunk, steps=branch.steps)

    return Geometry(
        width=right - left,
        height=top - bottom,
        centres=centres[: sketch.joints_from],
        curves=[branch_curve(branch) for branch in sketch.branches],
        trunks=[[curves[piece] for piece in pieces] for pieces in sketch.trunks],
        engine=engine,
    )
