"""The picture of a graph, built from its typed nodes and the geometry of its layout; nothing in it is markup of a child's.

It carries classes and no colours: the page's style sheet knows what a leaf looks like, in both themes.
The same graph and geometry give the same text.
"""

import math
import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from app.locale.messages import Translate, translator
from app.protocol.geometry import Curve, Geometry, Point
from app.protocol.records.graph import GraphEdge, GraphNode
from app.protocol.run import Lang
from app.runner.drawing.graph_drawing import FUNCTIONS, NAME_STEP, SUB_STEP, Drawing, measure_box
from app.runner.drawing.label import Label, clean, shorten

MARGIN = 4.0  # for strokes at the border, in points
NAME_RISE = 4.4  # from the middle of a line to its baseline
SUB_RISE = 3.9
HEAD_HALF_WIDTH = 3.0
ATTRIBUTE_CHARACTERS = 200
SAFE_ID = re.compile(r"[a-z][0-9]{1,9}")


def render_svg(drawing: Drawing, geometry: Geometry, lang: Lang = "en") -> str:
    """A well-formed, inert `<svg class="graph">`. `geometry` answers `drawing.request()`; raises ValueError if it does not."""
    width, height = geometry.width + 2 * MARGIN, geometry.height + 2 * MARGIN
    svg = Element("svg", {"class": "graph", "xmlns": "http://www.w3.org/2000/svg"})
    svg.set("viewBox", f"{number(-MARGIN)} {number(-MARGIN)} {number(width)} {number(height)}")
    svg.set("role", "img")
    svg.set("aria-label", summarise(drawing, translator(lang)))
    for edge, curve in zip(drawing.edges, geometry.curves, strict=False):
        add_edge(svg, edge, curve, drawing.saves(edge))
    add_trunks(svg, drawing, geometry)
    isolated = drawing.isolated()
    for node, label, centre in zip(drawing.nodes, drawing.labels, geometry.centres, strict=True):
        add_node(svg, node, label, centre, node.id in isolated)
    return ElementTree.tostring(svg, encoding="unicode")


def summarise(drawing: Drawing, translate: Translate) -> str:
    functions = sum(node.kind in FUNCTIONS for node in drawing.nodes)
    tensors = len(drawing.nodes) - functions
    return translate("Backward graph: {functions} functions, {tensors} tensors").format(functions=functions, tensors=tensors)


def add_node(svg: Element, node: GraphNode, label: Label, centre: Point, isolated: bool) -> None:
    classes = ["node", f"kind-{node.kind.replace('_', '-')}", f"order-{node.order}", *(["isolated"] if isolated else [])]
    group = SubElement(svg, "g", {"class": " ".join(classes), "data-node": attribute(node.id)})
    if SAFE_ID.fullmatch(node.id):
        group.set("id", node.id)
    if node.line is not None:
        group.set("data-line", str(node.line))
    SubElement(group, "title").text = label.title
    add_shape(group, node.kind, measure_box(node.kind, label), centre)
    add_text(group, label, centre)


def add_shape(group: Element, kind: str, size: Point, centre: Point) -> None:
    (width, height), (x, y) = size, centre
    radius = min(height / 2, 22.0) if kind in FUNCTIONS else 8.0 if kind == "saved" else 10.0
    box = {"x": x - width / 2, "y": y - height / 2, "width": width, "height": height, "rx": radius}
    SubElement(group, "rect", {name: number(value) for name, value in box.items()})


def add_text(group: Element, label: Label, centre: Point) -> None:
    """The label's lines, one under another about the middle."""
    x, y = centre
    text = SubElement(group, "text")
    top = y - ((NAME_STEP if label.name else 0.0) + SUB_STEP * len(label.subs)) / 2
    if label.name:
        tspan = SubElement(text, "tspan", {"class": "name", "x": number(x), "y": number(top + NAME_STEP / 2 + NAME_RISE)})
        tspan.text = label.name
        top += NAME_STEP
    for sub in label.subs:
        tspan = SubElement(text, "tspan", {"class": "sub", "x": number(x), "y": number(top + SUB_STEP / 2 + SUB_RISE)})
        tspan.text = sub
        top += SUB_STEP


def add_edge(svg: Element, edge: GraphEdge, curve: Curve, saved: bool) -> None:
    ends = {"data-source": attribute(edge.source), "data-target": attribute(edge.target)}
    along = {"data-trunk": str(curve.trunk), "data-steps": str(curve.steps)} if curve.trunk >= 0 else {}
    add_curve(SubElement(svg, "g", {"class": " ".join(["edge", *looks(edge, saved)]), **ends, **along}), curve, saved)


def add_trunks(svg: Element, drawing: Drawing, geometry: Geometry) -> None:
    """What many edges have in common; `data-steps` of an edge is that of the last piece that it goes along."""
    users = {curve.trunk: edge for edge, curve in zip(drawing.edges, geometry.curves, strict=False)}  # all of one kind
    for number_of_trunk, pieces in enumerate(geometry.trunks):
        saved = number_of_trunk in users and drawing.saves(users[number_of_trunk])
        classes = ["trunk", *(looks(users[number_of_trunk], saved) if number_of_trunk in users else [])]
        for steps, piece in enumerate(pieces, 1):
            place = {"data-trunk": str(number_of_trunk), "data-steps": str(steps)}
            add_curve(SubElement(svg, "g", {"class": " ".join(classes), **place}), piece, saved)


def looks(edge: GraphEdge, saved: bool) -> list[str]:
    return [*(["saved"] if saved else []), *(["missing"] if edge.missing else [])]


def add_curve(group: Element, curve: Curve, saved: bool) -> None:
    if not curve.points:
        return
    line = SubElement(group, "path", {"class": "line", "d": trace(curve.points)})
    if curve.tip is not None and saved:
        line.set("d", f"{trace(curve.points)}L{pair(curve.tip)}")
    elif curve.tip is not None:
        SubElement(group, "path", {"class": "head", "d": trace_head(curve.points[-1], curve.tip)})


def trace(points: list[Point]) -> str:
    """The path of a chain of cubic Béziers."""
    return f"M{pair(points[0])}C{' '.join(pair(point) for point in points[1:])}"


def trace_head(base: Point, tip: Point) -> str:
    """A triangle from the end of the line to the tip; no longer than a point if the two meet."""
    dx, dy = tip[0] - base[0], tip[1] - base[1]
    length = math.hypot(dx, dy) or 1.0
    across = (-dy / length * HEAD_HALF_WIDTH, dx / length * HEAD_HALF_WIDTH)
    left, right = (base[0] + across[0], base[1] + across[1]), (base[0] - across[0], base[1] - across[1])
    return f"M{pair(left)}L{pair(tip)} {pair(right)}z"


def pair(point: Point) -> str:
    return " ".join(number(value) for value in point)


def number(value: float) -> str:
    """One decimal, without a trailing zero and without a negative zero."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def attribute(text: str) -> str:
    return shorten(clean(text).replace("\n", " "), ATTRIBUTE_CHARACTERS)
