"""The graphs of torchviz.make_dot are recorded."""

import re

import pytest

from app.protocol.records.graph import GraphRecord
from app.protocol.run import Source
from app.runner.drawing.graph_dot import render_dot
from tests.runtimes.children import Children
from tests.runtimes.functions import CUBE, DRAWING, EXP, LEAF, NOT_A_LEAF, SINH, SINH_BAD, SQUARE

DRAW_SQUARE = SQUARE + NOT_A_LEAF + DRAWING


@pytest.mark.parametrize(
    ("function", "x", "nodes", "edges", "is_connected"),
    [
        (SQUARE, NOT_A_LEAF, 8, 8, True),
        (EXP, NOT_A_LEAF, 9, 8, True),
        (SINH, LEAF, 14, 16, True),
        (SINH, NOT_A_LEAF, 16, 18, True),
        (SINH_BAD, LEAF, 5, 3, False),
        (SINH_BAD, NOT_A_LEAF, 7, 5, False),
        (CUBE, LEAF, 7, 8, True),
        (CUBE, NOT_A_LEAF, 9, 9, True),
    ],
)
def test_graphs_have_the_sizes_that_the_course_states(
    children: Children, function: str, x: str, nodes: int, edges: int, is_connected: bool
) -> None:
    (graph,) = children.run(function + x + DRAWING).graphs
    assert (len(graph.nodes), len(graph.edges)) == (nodes, edges)
    grad_x = node_named(graph, "grad_x")
    assert any(edge.target == grad_x for edge in graph.edges) is is_connected


def node_named(graph: GraphRecord, name: str) -> str:
    (found,) = [node.id for node in graph.nodes if node.name == name]
    return found


def test_nodes_tell_kind_name_shape_and_dtype(children: Children) -> None:
    (graph,) = children.run(SINH + LEAF + DRAWING).graphs
    nodes = {node.name or node.label: node for node in graph.nodes}
    assert nodes["x"].kind == "leaf"
    assert nodes["grad_x"].kind == nodes["out"].kind == "output"
    assert (nodes["x"].shape, nodes["x"].dtype) == ([3, 3], "torch.float64")
    assert nodes["SinhBackward"].kind == "custom_function"
    assert nodes["AccumulateGrad"].kind == "accumulate_grad"
    assert nodes["MulBackward0"].kind == "function"
    assert nodes["(3, 3)"].kind == "saved"
    assert nodes["(3, 3)"].shape == [3, 3]
    assert all(node.line is None and node.order == 1 for node in graph.nodes)


def test_a_saved_leaf_stays_a_leaf(children: Children) -> None:
    ended = children.run(SQUARE + LEAF + "import torchviz\ntorchviz.make_dot(function(x), params={'x': x})")
    assert {node.name: node.kind for node in ended.graphs[0].nodes if node.name} == {"x": "leaf"}


def test_a_view_shows_its_base_as_a_tensor(children: Children) -> None:
    ended = children.run("import torch, torchviz\nx = torch.rand(4, requires_grad=True)\ntorchviz.make_dot((x * 2).view(2, 2))")
    assert sorted(node.kind for node in ended.graphs[0].nodes if node.shape) == ["leaf", "output", "tensor"]


def test_show_saved_names_what_built_in_functions_saved(children: Children) -> None:
    ended = children.run(
        "import torch, torchviz\nx = torch.rand(4, requires_grad=True)\ntorchviz.make_dot(x.exp(), show_saved=True, show_attrs=True)"
    )
    (graph,) = ended.graphs
    assert [node.name for node in graph.nodes if node.kind == "saved"] == ["result"]
    assert any(node.label.startswith("ExpBackward0\n---") for node in graph.nodes)


def test_the_same_program_gives_the_same_ids_and_no_addresses(children: Children) -> None:
    first, second = (children.run(DRAW_SQUARE).graphs[0] for _ in range(2))
    assert first == second
    assert [node.id for node in first.nodes] == ["n3_0", "n3", "n0", "t1_grad", "t1", "n0_0", "n1_0", "n1"]
    assert '\tn3_0 [label="grad_x\\n(3)" fillcolor=darkolivegreen1]\n' in render_dot(first)


@pytest.mark.parametrize(
    "call",
    [
        "import torchviz\ntorchviz.make_dot(y);",
        "from torchviz import make_dot\nmake_dot(y);",
        "import torchviz.dot\ntorchviz.dot.make_dot(y);",
    ],
)
def test_every_name_of_make_dot_is_observed_once_at_its_line(children: Children, call: str) -> None:
    ended = children.run(f"import torch\ny = torch.rand(3, requires_grad=True) * 2\n{call}", cell="a-cell")
    (graph,) = ended.graphs
    assert (graph.span.cell, graph.span.line, graph.title) == ("a-cell", 4, "make_dot")


def test_a_graph_made_in_a_function_is_placed_at_the_line_that_made_it(children: Children) -> None:
    ended = children.run(
        "import torch, torchviz\ndef draw(y):\n    return torchviz.make_dot(y)\nd = draw(torch.ones(2, requires_grad=True) * 2)"
    )
    assert [graph.span.line for graph in ended.graphs] == [3]


def test_make_dot_seems_to_be_torchviz_own(children: Children) -> None:
    ended = children.run(
        "import inspect, torchviz\n"
        "print(torchviz.make_dot.__name__, torchviz.make_dot.__module__, list(inspect.signature(torchviz.make_dot).parameters)[:2])\n"
        "print(torchviz.make_dot is torchviz.dot.make_dot)"
    )
    assert ended.stdout == "make_dot torchviz.dot ['var', 'params']\nTrue\n"


def test_a_trailing_digraph_that_was_shown_is_not_shown_again(children: Children) -> None:
    assert len(children.run(DRAW_SQUARE).records) == 1
    assert len(children.run(DRAW_SQUARE.replace("torchviz.make_dot", "d = torchviz.make_dot") + "d").records) == 1


def test_render_and_pipe_add_no_record_and_write_the_files(children: Children) -> None:
    source = (
        DRAW_SQUARE.replace("torchviz.make_dot", "d = torchviz.make_dot")
        + 'print(d.render("graph", format="svg"), len(d.pipe("svg")) > 500)\nd'
    )
    ended = children.run(source)
    assert len(ended.records) == 1
    assert ended.stdout == "graph.svg True\n"
    assert sorted(ended.files) == ["graph", "graph.svg"]
    assert ended.files["graph.svg"].startswith(b"<?xml")


def test_a_changed_digraph_is_another_graph(children: Children) -> None:
    ended = children.run(DRAW_SQUARE.replace("torchviz.make_dot", "d = torchviz.make_dot") + "d.node('extra', 'more')\nd")
    assert [len(graph.nodes) for graph in ended.graphs] == [8, 9]
    assert ended.graphs[1].span is not None
    assert not re.search(r"\d{6,}", render_dot(ended.graphs[1]))


@pytest.mark.parametrize(
    "expression", ["graphviz.Source('digraph { a -> b }')", "make(graphviz.Digraph())", "make(graphviz.Digraph('name', strict=True))"]
)
def test_a_hand_made_graph_is_shown_as_a_graph(children: Children, expression: str) -> None:
    ended = children.run(f"import graphviz\ndef make(g):\n    g.edge('a', 'b')\n    return g\n{expression}")
    (graph,) = ended.graphs
    assert [node.label for node in graph.nodes] == ["a", "b"]
    assert [(edge.source, edge.target) for edge in graph.edges] == [("d1", "d2")]
    assert graph.span.line == 5


def test_text_that_is_not_dot_is_shown_as_text(children: Children) -> None:
    ended = children.run("import graphviz\ngraphviz.Source('digraph { a -> ')")
    assert [value.text for value in ended.values] == ["digraph { a -> \n"]


def test_torchviz_own_error_reaches_the_learner_and_the_graph_is_shown_all_the_same(children: Children) -> None:
    ended = children.run(
        "import torch, torchviz, traceback\n"
        "x = torch.ones(2, requires_grad=True)\n"
        "y = x\n"
        "for _ in range(1200):\n"
        "    y = y + 1\n"
        "try:\n"
        "    torchviz.make_dot(y, params={'x': x})\n"
        "except RecursionError as error:\n"
        "    print([frame.name for frame in traceback.extract_tb(error.__traceback__)][:3])\n"
    )
    assert ended.stdout == "['<module>', 'make_dot', 'add_base_tensor']\n"
    (graph,) = ended.graphs
    assert (len(graph.nodes), len(graph.edges)) == (1203, 1202)
    assert {node.name for node in graph.nodes if node.name} == {"x"}


def test_a_graph_whose_saved_tensors_were_freed_is_drawn_without_them(children: Children) -> None:
    ended = children.run(SQUARE + LEAF + "import torchviz\nout = function(x)\nout.sum().backward()\ntorchviz.make_dot(out)")
    assert (ended.over.ending, ended.error.type, ended.error.line) == ("raised", "RuntimeError", 17)
    assert "second time" in ended.error.message
    assert [node.kind for node in ended.graphs[0].nodes] == ["output", "custom_function", "accumulate_grad", "leaf"]


def test_own_walk_draws_what_torchviz_draws(children: Children) -> None:
    """A list is not a tuple to torchviz, which raises; our walk draws it like the tuple."""
    as_list = SINH + LEAF + DRAWING.replace("(grad_x, x, out)", "[grad_x, x, out]")
    drawn, walked = children.run(SINH + LEAF + DRAWING).graphs[0], children.run(as_list).graphs[0]
    assert sorted((node.kind, node.label) for node in walked.nodes) == sorted((node.kind, node.label) for node in drawn.nodes)
    assert len(walked.edges) == len(drawn.edges)


def test_the_graph_is_not_kept_alive(children: Children) -> None:
    ended = children.run(
        "import torch, torchviz, weakref, gc\n"
        "x = torch.ones(2, requires_grad=True)\n"
        "y = x * 2\n"
        "alive = weakref.ref(y)\n"
        "d = torchviz.make_dot(y)\n"
        "del y\n"
        "gc.collect()\n"  # torchviz leaves a cycle of its own
        "print(alive())"
    )
    assert ended.stdout == "None\n"


def test_a_graph_of_a_replayed_cell_is_shown_when_it_is_the_trailing_expression(children: Children) -> None:
    replayed = Source(text=DRAW_SQUARE.replace("torchviz.make_dot", "d = torchviz.make_dot"), cell="drawing")
    ended = children.run("d", replayed, cell="showing")
    (graph,) = ended.graphs
    assert (graph.span.cell, graph.span.line) == ("showing", 1)
    assert [node.dtype for node in graph.nodes if node.name == "x"] == ["torch.float64"]


def test_hostile_names_are_plain_text(children: Children) -> None:
    ended = children.run(
        "import torch, torchviz\n"
        "x = torch.ones(2, requires_grad=True)\n"
        'torchviz.make_dot(x * 2, params={\'"]; evil [label=<<b>x</b>> URL="javascript:1" \\\\N\': x,\n'
        "'<b>': x * 3, '\\ud800\\n<script>': torch.ones(1)})"
    )
    (graph,) = ended.graphs
    assert len(graph.nodes) == 4
    assert [node.label for node in graph.nodes if node.kind == "leaf"] == ['"]; evil [label=<<b>x</b>> URL="javascript:1" n3\n(2)']


def test_several_graphs_come_in_the_order_of_their_calls(children: Children) -> None:
    ended = children.run(
        "import torch, torchviz\nx = torch.ones(2, requires_grad=True)\nfor y in (x * 2, x.exp()):\n    torchviz.make_dot(y)\n"
    )
    assert [{node.label for node in graph.nodes} & {"MulBackward0", "ExpBackward0"} for graph in ended.graphs] == [
        {"MulBackward0"},
        {"ExpBackward0"},
    ]
