"""The parser of DOT text."""

import pytest

from app.runtimes.torch.instruments.dot import DotError, parse_dot


def test_nodes_come_in_the_order_in_which_they_are_mentioned() -> None:
    graph = parse_dot('digraph { b -> a [label=x]; c; b [label="two\\nlines"] }')
    assert list(graph.nodes) == ["b", "a", "c"]
    assert [(edge.source, edge.target, edge.attributes) for edge in graph.edges] == [("b", "a", {"label": "x"})]
    assert graph.nodes["b"].label("b") == "two\nlines"
    assert graph.nodes["c"].label("c") == "c"


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("graph { a -- b -- c }", [("a", "b"), ("b", "c")]),
        ("strict digraph name { a -> { b c } }", [("a", "b"), ("a", "c")]),
        ("digraph { subgraph s { a; b } -> c:port:n }", [("a", "c"), ("b", "c")]),
        ("digraph { { a -> b } -> subgraph { c } }", [("a", "b"), ("a", "c"), ("b", "c")]),
        ('digraph { "a b" -> "c\\"d" // comment -> x\n /* y -> z */\n# w -> v\n }', [("a b", 'c"d')]),
        ("digraph { 1 -> -2.5 -> .5 }", [("1", "-2.5"), ("-2.5", ".5")]),
        ("digraph { 甲 -> 乙 }", [("甲", "乙")]),
        ('digraph { "a" + "b" -> c }', [("ab", "c")]),
        ("digraph { rankdir=LR; a -> b [color=red, x=1; y=2][z=3] }", [("a", "b")]),
        ("digraph { a->b;;; node [shape=box] edge [style=dotted] graph [size=1] }", [("a", "b")]),
    ],
)
def test_edges_of(text: str, edges: list[tuple[str, str]]) -> None:
    assert [(edge.source, edge.target) for edge in parse_dot(text).edges] == edges


def test_defaults_hold_from_where_they_stand_and_in_their_block() -> None:
    graph = parse_dot("digraph { a; node [fillcolor=red]; b; { node [fillcolor=blue]; c } d }")
    assert [node.attributes.get("fillcolor") for node in graph.nodes.values()] == [None, "red", "blue", "red"]


def test_an_html_label_is_plain_text() -> None:
    graph = parse_dot("digraph { a [label=<<b>x</b> 1<i/>>] }")
    assert graph.nodes["a"].label("a") == "<<b>x</b> 1<i/>>"


def test_mentions_tell_where_ids_stand() -> None:
    text = 'digraph { size=1; aa -> "b" [aa=aa]; aa }'
    assert [text[start:end] for start, end, _ in parse_dot(text).mentions] == ["aa", '"b"', "aa"]


def test_every_colour_that_a_node_was_given_is_known() -> None:
    graph = parse_dot("digraph { a [fillcolor=lightblue] a [fillcolor=orange] }")
    assert graph.nodes["a"].colours == {"lightblue", "orange"}
    assert graph.nodes["a"].attributes["fillcolor"] == "orange"


@pytest.mark.parametrize(
    "text",
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
    ],
)
def test_what_is_not_dot_is_refused(text: str) -> None:
    with pytest.raises(DotError):
        parse_dot(text)


@pytest.mark.parametrize(
    "text",
    [
        "digraph " + "{" * 5000 + "}" * 5000,
        "digraph { {" + " ".join(f"a{n}" for n in range(2000)) + "} -> {" + " ".join(f"b{n}" for n in range(2000)) + "} }",
    ],
)
def test_bombs_are_refused(text: str) -> None:
    with pytest.raises(DotError):
        parse_dot(text)
