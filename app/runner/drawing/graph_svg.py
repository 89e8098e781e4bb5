"""Renders the picture of a graph from its typed nodes and the geometry of its layout, so that no markup of a child gets into a page.

The picture has classes but no colours: the page's style sheet defines how a leaf looks, in both themes. Equal graphs and geometries give
equal texts. The text is written directly, which takes a third of the work of an ElementTree. Numbers, our own words and ids of SAFE_ID's
form are not escaped; everything else is.
"""

import math
import re
from html import escape

from app.locale.messages import Translate, translator
from app.protocol.geometry import Curve, Geometry, Point
from app.protocol.records.graph import EdgeKind, GraphEdge, GraphNode
from app.protocol.run import Lang
from app.runner.drawing.graph_drawing import FUNCTIONS, NAME_STEP, STACK, SUB_STEP, Drawing, measure_box
from app.runner.drawing.label import Label, clean, shorten

MARGIN = 4.0  # room for strokes at the border, in points
NAME_RISE = 4.4  # the distance from the middle of a line to its baseline
SUB_RISE = 3.9
HEAD_HALF_WIDTH = 3.0
ATTRIBUTE_CHARACTERS = 200
SAFE_ID = re.compile(r"[a-z][0-9]{1,9}(_[a-z0-9]{1,9})?(-[0-9]{1,9})?")


def render_svg(drawing: Drawing, geometry: Geometry, lang: Lang = "en") -> str:
    """Return a well-formed, inert `<svg class="graph">`. Raises ValueError unless `geometry` is an answer to `drawing.request()`."""
    width, height = geometry.width + 2 * MARGIN, geometry.height + 2 * MARGIN
    head = '<svg class="graph" xmlns="http://www.w3.org/2000/svg" role="img"'
    head += f' viewBox="{pair((-MARGIN, -MARGIN))} {pair((width, height))}" aria-label="{escape(summarise(drawing, translator(lang)))}">'
    edges = [render_edge(edge, curve) for edge, curve in zip(drawing.edges, geometry.curves, strict=False)]
    trunks = render_trunks(drawing, geometry)
    marked = {"isolated": drawing.isolated(), "fold": drawing.folds, "outside": drawing.outside}
    parts = zip(drawing.nodes, drawing.labels, geometry.centres, strict=True)
    nodes = [render_node(node, label, centre, [mark for mark in marked if node.id in marked[mark]]) for node, label, centre in parts]
    return "".join((head, *edges, *trunks, *nodes, "</svg>"))


def summarise(drawing: Drawing, translate: Translate) -> str:
    functions = sum(node.kind in FUNCTIONS for node in drawing.nodes)
    tensors = len(drawing.nodes) - functions
    return translate("Backward graph: {functions} functions, {tensors} tensors").format(functions=functions, tensors=tensors)


def render_node(node: GraphNode, label: Label, centre: Point, marks: list[str]) -> str:
    classes = ["node", f"kind-{node.kind.replace('_', '-')}", f"order-{node.order}", *marks]
    group = f'<g class="{" ".join(classes)}" data-node="{escape(attribute(node.id))}"'
    if SAFE_ID.fullmatch(node.id):
        group += f' id="{node.id}"'
    if node.line is not None:
        group += f' data-line="{node.line}"'
    if "fold" in marks:
        shape, centre = render_stack(node.kind, measure_box(node.kind, label), centre)
    else:
        shape = render_shape(node.kind, measure_box(node.kind, label), centre)
    return f"{group}><title>{escape(label.title)}</title>{shape}{render_text(label, centre)}</g>"


def render_stack(kind: str, size: Point, centre: Point) -> tuple[str, Point]:
    """Return the shape of a fold, a stack of sheets, and the centre of the sheet in front."""
    places = [(centre[0] + offset, centre[1] + offset) for offset in (STACK / 2, 0.0, -STACK / 2)]
    return "".join(render_shape(kind, size, place) for place in places), places[-1]


def render_shape(kind: str, size: Point, centre: Point) -> str:
    (width, height), (x, y) = size, centre
    radius = min(height / 2, 22.0) if kind in FUNCTIONS else 8.0 if kind == "saved" else 10.0
    place = f'x="{number(x - width / 2)}" y="{number(y - height / 2)}"'
    return f'<rect {place} width="{number(width)}" height="{number(height)}" rx="{number(radius)}"/>'


def render_text(label: Label, centre: Point) -> str:
    """Return the lines of the label, one under another and centred."""
    x, y = centre
    lines = []
    top = y - ((NAME_STEP if label.name else 0.0) + SUB_STEP * len(label.subs)) / 2
    if label.name:
        lines.append(render_line("name", label.name, x, top + NAME_STEP / 2 + NAME_RISE))
        top += NAME_STEP
    for sub in label.subs:
        lines.append(render_line("sub", sub, x, top + SUB_STEP / 2 + SUB_RISE))
        top += SUB_STEP
    return f"<text>{''.join(lines)}</text>"


def render_line(kind: str, text: str, x: float, y: float) -> str:
    return f'<tspan class="{kind}" x="{number(x)}" y="{number(y)}">{escape(text)}</tspan>'


def render_edge(edge: GraphEdge, curve: Curve) -> str:
    ends = f'data-source="{escape(attribute(edge.source))}" data-target="{escape(attribute(edge.target))}"'
    along = f' data-trunk="{curve.trunk}" data-steps="{curve.steps}"' if curve.trunk >= 0 else ""
    return f'<g class="{looks("edge", edge.kind)}" {ends}{along}>{render_curve(curve, edge.kind)}</g>'


def render_trunks(drawing: Drawing, geometry: Geometry) -> list[str]:
    """Return the trunks, which many edges share. An edge's `data-steps` is that of the last piece that the edge runs along."""
    # all edges of a trunk have the same kind
    kinds = {curve.trunk: edge.kind for edge, curve in zip(drawing.edges, geometry.curves, strict=False)}
    rendered = []
    for number_of_trunk, pieces in enumerate(geometry.trunks):
        kind = kinds.get(number_of_trunk, "gradient")
        for steps, piece in enumerate(pieces, 1):
            place = f'data-trunk="{number_of_trunk}" data-steps="{steps}"'
            rendered.append(f'<g class="{looks("trunk", kind)}" {place}>{render_curve(piece, kind)}</g>')
    return rendered


def looks(part: str, kind: EdgeKind) -> str:
    return part if kind == "gradient" else f"{part} {kind}"


def render_curve(curve: Curve, kind: EdgeKind) -> str:
    if not curve.points:
        return ""
    line, head = trace(curve.points), ""
    if curve.tip is not None and kind == "saved":
        line += f"L{pair(curve.tip)}"
    elif curve.tip is not None:
        head = f'<path class="head" d="{trace_head(curve.points[-1], curve.tip)}"/>'
    return f'<path class="line" d="{line}"/>{head}'


def trace(points: list[Point]) -> str:
    """Return the SVG path of a chain of cubic Béziers."""
    return f"M{pair(points[0])}C{' '.join(map(pair, points[1:]))}"


def trace_head(base: Point, tip: Point) -> str:
    """Return a triangle from the end of the line to the tip."""
    dx, dy = tip[0] - base[0], tip[1] - base[1]
    length = math.hypot(dx, dy) or 1.0
    across = (-dy / length * HEAD_HALF_WIDTH, dx / length * HEAD_HALF_WIDTH)
    left, right = (base[0] + across[0], base[1] + across[1]), (base[0] - across[0], base[1] - across[1])
    return f"M{pair(left)}L{pair(tip)} {pair(right)}z"


def pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def number(value: float) -> str:
    """Return the number with one decimal, without a trailing zero and without a negative zero."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def attribute(text: str) -> str:
    return shorten(clean(text).replace("\n", " "), ATTRIBUTE_CHARACTERS)
