"""The picture: what it shows, and that no label can make it anything but an inert picture."""

import math
from typing import get_args
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.locale.messages import translator
from app.protocol.geometry import Curve, Geometry, LayoutRequest
from app.protocol.records.graph import EdgeKind, GraphEdge, GraphNode, GraphRecord, NodeKind
from app.runner.drawing.graph_drawing import Drawing
from app.runner.drawing.graph_svg import number, render_svg
from tests.one_test import in_one_test

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {f"{SVG}{name}" for name in ("svg", "g", "title", "rect", "text", "tspan", "path")}
ATTRIBUTES = {
    "class", "viewBox", "role", "aria-label", "id", "data-node", "data-line", "data-source", "data-target",
    "x", "y", "width", "height", "rx", "d",
}  # fmt: skip


def stack(request: LayoutRequest) -> Geometry:
    """A layout without Graphviz: nodes one under another, straight curves."""
    centres = [(200.0, 40.0 + 80.0 * index) for index in range(len(request.nodes))]
    curves = []
    for link in request.links:
        start, end = centres[link.tail], centres[link.head]
        curves.append(Curve(points=[start, start, end, end], tip=None if link.way == "beside" else (end[0], end[1] + 6)))
    return Geometry(width=400.0, height=80.0 * len(centres), centres=centres, curves=curves)


def render(record: GraphRecord) -> str:
    drawing = Drawing(record)
    return render_svg(drawing, stack(drawing.request()))


def parse(svg: str) -> Element:
    """Return the tree, after asserting that it has only the elements and attributes of our pictures."""
    root = ElementTree.fromstring(svg.encode())
    for element in root.iter():
        assert element.tag in TAGS
        assert set(element.keys()) <= ATTRIBUTES
    return root


def node(number: int, kind: NodeKind, label: str, order: int = 1, line: int | None = None) -> GraphNode:
    return GraphNode(id=f"n{number}", kind=kind, label=label, order=2 if order == 2 else 1, line=line)


def edge(source: int, target: int, kind: EdgeKind = "gradient") -> GraphEdge:
    return GraphEdge(source=f"n{source}", target=f"n{target}", kind=kind)


SINH_BAD = GraphRecord(
    nodes=[
        node(0, "output", "grad_x\n (3, 3)"),
        node(1, "leaf", "x\n (3, 3)"),
        node(2, "output", "out\n (3, 3)"),
        node(3, "custom_function", "SinhBadBackward", line=10),
        node(4, "accumulate_grad", "AccumulateGrad"),
        node(5, "saved", "\n (3, 3)", order=2),
    ],
    edges=[edge(3, 2), edge(4, 3), edge(1, 4), edge(5, 3, "saved"), edge(1, 0, "missing")],
)


def groups(root: Element, first_class: str) -> list[Element]:
    return [group for group in root.iter(f"{SVG}g") if group.get("class", "").split()[0] == first_class]


def test_each_node_has_its_kind_its_order_its_id_and_its_line() -> None:
    found = [(group.get("id"), group.get("class"), group.get("data-line")) for group in groups(parse(render(SINH_BAD)), "node")]
    assert found == [
        ("n0", "node kind-output order-1 isolated", None),
        ("n1", "node kind-leaf order-1", None),
        ("n2", "node kind-output order-1", None),
        ("n3", "node kind-custom-function order-1", "10"),
        ("n4", "node kind-accumulate-grad order-1", None),
        ("n5", "node kind-saved order-2", None),
    ]


def test_edges_say_what_they_join_and_only_gradient_paths_have_heads() -> None:
    found = []
    for group in groups(parse(render(SINH_BAD)), "edge"):
        paths = [path.get("class") for path in group.iter(f"{SVG}path")]
        found.append((group.get("class"), group.get("data-source"), group.get("data-target"), paths))
    assert found == [
        ("edge", "n3", "n2", ["line", "head"]),
        ("edge", "n4", "n3", ["line", "head"]),
        ("edge", "n1", "n4", ["line", "head"]),
        ("edge saved", "n5", "n3", ["line"]),
        ("edge missing", "n1", "n0", ["line", "head"]),
    ]


def test_a_label_is_split_into_its_name_and_its_shape() -> None:
    group = groups(parse(render(SINH_BAD)), "node")[1]
    assert [(line.get("class"), line.text) for line in group.iter(f"{SVG}tspan")] == [("name", "x"), ("sub", "(3, 3)")]


@pytest.mark.parametrize("label", ["\n (3, 3)", "(3, 3)"])
def test_an_unnamed_tensor_shows_its_shape_alone(label: str) -> None:
    group = groups(parse(render(GraphRecord(nodes=[node(0, "saved", label)]))), "node")[0]
    assert [(line.get("class"), line.text) for line in group.iter(f"{SVG}tspan")] == [("sub", "(3, 3)")]


@pytest.mark.parametrize(("kind", "name"), [("function", "函数"), ("saved", "保存的张量"), ("tensor", "张量")])
def test_a_node_without_a_label_is_called_by_its_kind_in_the_language_of_the_run(kind: NodeKind, name: str) -> None:
    node = GraphNode(id="n0", kind=kind, label="")
    assert Drawing(GraphRecord(nodes=[node]), translator("zh-Hans")).labels[0].name == name
    assert Drawing(GraphRecord(nodes=[node])).labels[0].name == {"saved": "saved tensor"}.get(kind, kind)


def test_the_picture_names_itself_for_those_who_do_not_see_it() -> None:
    root = parse(render(SINH_BAD))
    assert root.get("role") == "img"
    assert root.get("aria-label") == "Backward graph: 2 functions, 4 tensors"


def test_a_leaf_that_is_also_saved_keeps_its_gradient_path() -> None:
    nodes = [node(0, "leaf", "x\n (3)"), node(1, "accumulate_grad", "AccumulateGrad"), node(2, "custom_function", "SquareBackward")]
    root = parse(render(GraphRecord(nodes=nodes, edges=[edge(0, 1), edge(1, 2), edge(0, 2, "saved")])))
    assert [group.get("class") for group in groups(root, "edge")] == ["edge", "edge", "edge saved"]


def test_the_same_graph_gives_the_same_text() -> None:
    assert render(SINH_BAD) == render(SINH_BAD)


def test_a_long_name_is_elided_and_whole_in_the_title() -> None:
    name = "encoder.layers.0.self_attention.out_projection.weight"
    group = groups(parse(render(GraphRecord(nodes=[node(0, "leaf", name)]))), "node")[0]
    line, title = group.find(f".//{SVG}tspan"), group.find(f"{SVG}title")
    assert line is not None
    assert title is not None
    assert (line.text or "").startswith("encoder.layers")
    assert "…" in (line.text or "")
    assert title.text == name


HOSTILE = [
    "<script>alert(1)</script>",
    "]]><!ENTITY x SYSTEM 'file:///etc/passwd'>&x;",
    '" onload="alert(1)',
    "\x00\x01\x1b[31m\x7f\x85",
    "\ud800 alone \udfff",
    "\ufffe\uffff\ufdd0",
    "\u202egnp.exe\u2066",
    "e" + "\u0301" * 3000,
    "\n\n\n",
    "",
    "🙂" * 500,
    "权重" * 500,
    "a\r\nb\rc",
    "x" * 4096,
    "\n".join(["line"] * 1000),
]


@in_one_test("label", HOSTILE)
@in_one_test("kind", get_args(NodeKind))
def test_a_hostile_label_is_inert_text(label: str, kind: NodeKind) -> None:
    svg = render(GraphRecord(nodes=[node(0, kind, label), node(1, kind, label)], edges=[edge(0, 1)]))
    parse(svg)
    assert len(svg) < 20_000


def test_a_megabyte_of_label_is_cut() -> None:
    assert len(render(GraphRecord(nodes=[node(0, "leaf", "\u202e<" * 500_000)]))) < 20_000


def test_hostile_ids_become_neither_ids_nor_markup() -> None:
    ids = ["location", '"><script>', "\x00", "n1 onload", "é" * 5000]
    nodes = [GraphNode(id=hostile, kind="leaf", label="x") for hostile in ids]
    root = parse(render(GraphRecord(nodes=nodes, edges=[GraphEdge(source=ids[0], target=ids[1])])))
    assert [group.get("id") for group in groups(root, "node")] == [None] * len(ids)


def test_dangling_edges_and_repeated_nodes_are_left_out() -> None:
    record = GraphRecord(nodes=[node(0, "leaf", "x"), node(0, "leaf", "x again")], edges=[edge(0, 7), edge(8, 0), edge(0, 0)])
    root = parse(render(record))
    assert len(groups(root, "node")) == 1
    assert [(group.get("data-source"), group.get("data-target")) for group in groups(root, "edge")] == [("n0", "n0")]


def test_a_geometry_of_another_graph_is_refused() -> None:
    with pytest.raises(ValueError):
        render_svg(Drawing(SINH_BAD), Geometry(width=1, height=1, centres=[], curves=[]))


labels = st.text(st.characters(codec=None, exclude_categories=[]), max_size=60)
nodes = st.lists(st.tuples(st.sampled_from(get_args(NodeKind)), labels), min_size=1, max_size=12)
edges = st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14), st.sampled_from(get_args(EdgeKind))), max_size=20)


@settings(max_examples=150, deadline=None)
@given(nodes, edges)
def test_any_graph_gives_a_well_formed_inert_picture(nodes: list[tuple[NodeKind, str]], edges: list[tuple[int, int, EdgeKind]]) -> None:
    record = GraphRecord(
        nodes=[node(index, kind, label) for index, (kind, label) in enumerate(nodes)],
        edges=[edge(*ends) for ends in edges],
    )
    root = parse(render(record))
    assert len(groups(root, "node")) == len(nodes)


@given(st.floats(-1e8, 1e8))
def test_numbers_are_short_and_near(value: float) -> None:
    assert math.isclose(float(number(value)), value, abs_tol=0.0501)
    assert not number(value).endswith(".0")
    assert number(value) != "-0"
