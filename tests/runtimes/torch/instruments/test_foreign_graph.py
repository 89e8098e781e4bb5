"""DOT graphs that a learner wrote, as trailing expressions."""

import pytest

from app.protocol.records.graph import GraphRecord
from tests.runtimes.children import Children


def show(children: Children, dot: str) -> GraphRecord:
    ended = children.run(f"import graphviz\ngraphviz.Source({dot!r})")
    assert ended.stderr == ""
    (graph,) = ended.graphs
    return graph


def edges_of(graph: GraphRecord) -> list[tuple[str, str]]:
    labels = {node.id: node.label for node in graph.nodes}
    return [(labels[edge.source], labels[edge.target]) for edge in graph.edges]


def test_nodes_come_in_the_order_in_which_they_are_mentioned(children: Children) -> None:
    graph = show(children, 'digraph { b -> a [label=x]; c; b [label="two\\nlines"] }')
    assert [(node.id, node.label, node.kind) for node in graph.nodes] == [
        ("d1", "two\nlines", "function"),
        ("d2", "a", "function"),
        ("d3", "c", "function"),
    ]
    assert [(edge.source, edge.target) for edge in graph.edges] == [("d1", "d2")]


@pytest.mark.parametrize(
    ("dot", "edges"),
    [
        ("graph { a -- b -- c }", [("a", "b"), ("b", "c")]),
        ("strict digraph name { a -> { b c }; a -> b }", [("a", "b"), ("a", "c")]),
        ("digraph { subgraph s { a; b } -> c:port:n }", [("a", "c"), ("b", "c")]),
        ("digraph { { a -> b } -> subgraph { c } }", [("a", "b"), ("a", "c"), ("b", "c")]),
        ('digraph { "a b" -> "c\\"d" // comment -> x\n /* y -> z */\n# w -> v\n }', [("a b", 'c"d')]),
        ("digraph { 1 -> -2.5 -> .5 }", [("1", "-2.5"), ("-2.5", ".5")]),
        ("digraph { 甲 -> 乙 }", [("甲", "乙")]),
        ('digraph { "a" + "b" -> c }', [("ab", "c")]),
        ("digraph { rankdir=LR; a -> b [color=red, x=1; y=2][z=3] }", [("a", "b")]),
        ("digraph { a->b; node [shape=box] edge [style=dotted] graph [size=1] }", [("a", "b")]),
        ("graph { a -- a; a -- b -- a }", [("a", "a"), ("a", "b"), ("b", "a")]),
        ("digraph { a -> b } digraph { c -> d }", [("a", "b")]),
        ("digraph { " + "{" * 500 + "a -> b" + "}" * 500 + " }", [("a", "b")]),
    ],
)
def test_edges_of(children: Children, dot: str, edges: list[tuple[str, str]]) -> None:
    assert sorted(edges_of(show(children, dot))) == sorted(edges)


def test_torchviz_colours_tell_the_kinds_and_defaults_hold_in_their_block(children: Children) -> None:
    graph = show(children, "digraph { a; node [fillcolor=lightblue]; b; { node [fillcolor=orange]; c } d; e [fillcolor=red] }")
    assert [node.kind for node in graph.nodes] == ["function", "leaf", "saved", "leaf", "function"]


def test_torchviz_edges_tell_what_is_saved_and_what_is_a_view(children: Children) -> None:
    tensors = "node [fillcolor=lightblue]; a; b; node [fillcolor=white]; f; g"
    edges = "a -> f [dir=none]; f -> b [dir=none]; a -> b [style=dotted]; f -> g [dir=none]; g -> b"
    graph = show(children, f"digraph {{ {tensors}; {edges} }}")
    kinds = {edge: found.kind for edge, found in zip(edges_of(graph), graph.edges, strict=True)}
    assert kinds == {("a", "f"): "saved", ("f", "b"): "saved", ("a", "b"): "view", ("f", "g"): "gradient", ("g", "b"): "gradient"}


def test_names_and_shapes_are_read_from_torchviz_labels(children: Children) -> None:
    graph = show(children, 'digraph { 123456789 [label="w\\n (3, 4)" fillcolor=lightblue]; b [label="\\n ()" fillcolor=orange] }')
    assert [(node.name, node.label, node.shape) for node in graph.nodes] == [("w", "w\n(3, 4)", [3, 4]), (None, "()", [])]


@pytest.mark.parametrize(
    ("dot", "label"),
    [
        ("digraph { a [label=<<b>x</b> 1<i/>>] }", "<b>x</b> 1<i/>"),
        ('digraph { a [label=""] }', ""),
        ('digraph { a [label="\\N and \\\\N"] b [label=c] }', "a and \\N"),
        ('digraph { a [label="\\n\\lx"] }', "x"),
        ('digraph { a [label="\n\r\nx"] }', "x"),
        ('digraph { a [label="' + "好🎉" * 2200 + '"] }', ("好🎉" * 2200)[:4095] + "…"),
        ('digraph { a [label="\ud800"] }', "?"),
        ('digraph { a [label="a\0b"] }', "ab"),
        ('digraph { a [label="\x1b[31m"] }', "\x1b[31m"),
    ],
)
def test_labels_are_plain_text(children: Children, dot: str, label: str) -> None:
    assert show(children, dot).nodes[0].label == label


def test_the_nameless_node_is_a_node(children: Children) -> None:
    graph = show(children, 'digraph { "" -> b }')
    assert [node.label for node in graph.nodes] == ["", "b"]


def test_an_empty_graph_is_a_graph(children: Children) -> None:
    assert show(children, "digraph {}").nodes == []


def test_a_large_graph_is_cut_where_no_picture_is_made_any_more(children: Children) -> None:
    ended = children.run("import graphviz\ngraphviz.Source('digraph {' + ';'.join(f'a -> b{n}' for n in range(30_000)) + '}')")
    assert len(ended.graphs[0].nodes) == 20_001


@pytest.mark.parametrize(
    "dot",
    [
        "",
        "digraph",
        "digraph {",
        "digraph { a -> }",
        "a -> b",
        "digraph { a [x=] }",
        "digraph { a [label=<x }",
        'digraph { "open }',
        "digraph { ? }",
        'digraph { a [label="' + "x" * 16_384 + '"] }',  # more than Graphviz reads
        "digraph " + "{" * 5000 + "}" * 5000,
        "digraph { {" + " ".join(f"a{n}" for n in range(500)) + "} -> {" + " ".join(f"b{n}" for n in range(500)) + "} }",
    ],
)
def test_what_is_not_dot_or_too_large_is_shown_as_text(children: Children, dot: str) -> None:
    ended = children.run(f"import graphviz\ngraphviz.Source({dot!r})")
    assert (ended.over.ending, ended.stderr) == ("finished", "")
    assert [value.text[:5000] for value in ended.values] == [f"{dot}\n"[:5000]]
