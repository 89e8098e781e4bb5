"""Which graphs a traced program shows, and on which of them a backward pass can be followed."""

from app.protocol.records.graph import GraphRecord, TracedGraphRecord
from app.protocol.records.replay import ReplayRecord
from app.protocol.run import Program, Source
from tests.runtimes.children import Children, Ended
from tests.runtimes.functions import SINH_BAD
from tests.runtimes.torch.tracing.programs import SAVES, USES, function

X = "import torch, torchviz\nx = torch.tensor([1.0, 2.0], requires_grad=True)\n"


def trace(children: Children, text: str, *replay: str) -> Ended:
    return children.run_program(
        Program(source=Source(text=text), replay=[Source(text=each) for each in replay], instruments=["trace"], seed=1)
    )


def traced_graphs(ended: Ended) -> dict[str, TracedGraphRecord]:
    return {record.id: record for record in ended.records if isinstance(record, TracedGraphRecord)}


def replays(ended: Ended) -> list[ReplayRecord]:
    return [record for record in ended.records if isinstance(record, ReplayRecord)]


def shown_on(ended: Ended) -> list[int | None]:
    """Return for each pass the number of the graph on which it is shown, after asserting that half of its nodes are there."""
    graphs, numbers = traced_graphs(ended), list[int | None]()
    for replay in replays(ended):
        numbers.append(None if replay.graph is None else graphs[replay.graph].graph)
        if replay.graph is not None:
            ids = {node.id for node in graphs[replay.graph].nodes}
            nodes = {step.node for step in replay.steps}
            assert 2 * len(ids & nodes) >= len(nodes)
    return numbers


def labels(graph: TracedGraphRecord) -> dict[str, str]:
    return {node.id: node.label for node in graph.nodes}


def test_a_pass_that_no_picture_shows_has_a_graph_of_its_own(children: Children) -> None:
    ended = trace(children, X + "loss = (x * 3).sum()\nloss.backward()\n")
    (graph,) = traced_graphs(ended).values()
    assert shown_on(ended) == [0]
    assert graph.title == ""
    assert [(node.kind, node.label, node.line) for node in graph.nodes] == [
        ("output", "loss\n()", None),
        ("leaf", "x\n(2)", None),
        ("function", "SumBackward0", 3),
        ("function", "MulBackward0", 3),
        ("accumulate_grad", "AccumulateGrad", None),
    ]
    names = labels(graph)
    assert [(names[edge.source], names[edge.target]) for edge in graph.edges] == [
        ("SumBackward0", "loss\n()"),
        ("x\n(2)", "AccumulateGrad"),
        ("MulBackward0", "SumBackward0"),
        ("AccumulateGrad", "MulBackward0"),
    ]


def test_a_pass_that_make_dot_shows_has_no_other_graph(children: Children) -> None:
    drawn = "torchviz.make_dot(y)\n"
    for text in (f"y = (x * 3).sum()\n{drawn}y.backward()\n", f"y = (x.sin() * 3).sum()\ny.backward()\n{drawn}"):
        ended = trace(children, X + text)
        assert shown_on(ended) == [1]
        assert len(traced_graphs(ended)) == 1


def test_an_output_that_a_function_of_the_learner_saved_is_drawn_as_an_output_too(children: Children) -> None:
    use = "import torchviz\nx = torch.ones(2, requires_grad=True)\nh = x * 3\ny = F.apply(h)\ntorchviz.make_dot((y, h))\n"
    ended = trace(children, function("ctx.save_for_backward(x); return x * 2", "x, = ctx.saved_tensors; return 2 * g", use))
    (graph,) = traced_graphs(ended).values()
    assert sorted(node.kind for node in graph.nodes if node.kind in ("output", "saved")) == ["output", "output", "saved"]


def test_a_pass_whose_leaf_is_gone_is_shown_where_make_dot_drew_it(children: Children) -> None:
    for use in ("y.backward()\n    torchviz.make_dot(y)", "torchviz.make_dot(y)\n    y.backward()"):
        text = f"def f():\n    x = torch.ones(2, requires_grad=True)\n    y = (x * 3).sum()\n    {use}\nf()\n"
        assert shown_on(trace(children, X + text)) == [1]


def test_a_pass_is_shown_where_make_dot_drew_half_of_it(children: Children) -> None:
    ended = trace(children, X + "y = x * 3\ntorchviz.make_dot(y)\ny.sum().backward()\n")
    assert shown_on(ended) == [1]
    assert len(traced_graphs(ended)) == 1


def test_a_pass_is_shown_where_make_dot_drew_most_of_it(children: Children) -> None:
    ended = trace(children, X + "y = x * 3\ntorchviz.make_dot(y)\nz = (y * y).sum()\ntorchviz.make_dot(z)\nz.backward()\n")
    assert shown_on(ended) == [2]


def test_a_pass_of_which_make_dot_drew_less_has_a_graph_of_its_own(children: Children) -> None:
    text = "y = x * 3\ntorchviz.make_dot(y)\n(y * y).sin().sum().backward()\n"
    ended = trace(children, X + text)
    assert shown_on(ended) == [0]
    assert [graph.graph for graph in traced_graphs(ended).values()] == [1, 0]


def test_passes_that_share_only_a_leaf_have_graphs_of_their_own(children: Children) -> None:
    ended = trace(children, X + "for n in (1, 2, 3):\n    (x * n).backward(torch.ones_like(x))\n")
    graphs = traced_graphs(ended)
    assert len({replay.graph for replay in replays(ended)}) == len(graphs) == 3
    for replay in replays(ended):
        assert {step.node for step in replay.steps} <= {node.id for node in graphs[replay.graph or ""].nodes}


def test_passes_from_the_same_root_share_a_graph(children: Children) -> None:
    ended = trace(children, X + "y = (x * 3).sum()\ny.backward(retain_graph=True)\ny.backward()\ntorch.autograd.grad((x * 2).sum(), x)\n")
    assert [replay.graph for replay in replays(ended)] == ["traced_graph-1", "traced_graph-1", "traced_graph-2"]


def test_only_passes_that_are_shown_have_graphs(children: Children) -> None:
    ended = trace(children, X + "for n in range(20):\n    (x * n).sum().backward()\n")
    assert shown_on(ended) == [0, 0, 0, 0]
    assert len(traced_graphs(ended)) == 4


def test_passes_of_gradcheck_and_of_replayed_cells_have_no_graph(children: Children) -> None:
    before = X + "(x * 3).sum().backward()\ntorchviz.make_dot(x * 2)\n"
    ended = trace(children, "torch.autograd.gradcheck(torch.sin, x.detach().double().requires_grad_())\n", before)
    assert not traced_graphs(ended)


def test_the_graph_of_a_pass_has_what_its_functions_saved_and_lack(children: Children) -> None:
    text = SINH_BAD + "x = torch.rand(3, requires_grad=True)\ny = function(x)\ntorch.autograd.grad(y.sum(), x, create_graph=True)\n"
    (graph,) = traced_graphs(trace(children, text)).values()
    names = labels(graph)
    assert {"ctx.up\n(3)", "ctx.down\n(3)"} <= set(names.values())
    assert ("x\n(3)", "ctx.up\n(3)") in [(names[edge.source], names[edge.target]) for edge in graph.edges if edge.missing]


def test_what_backward_freed_is_in_the_graph_of_the_pass(children: Children) -> None:
    (graph,) = traced_graphs(trace(children, function(SAVES, USES, "F.apply(x).sum().backward()\n"))).values()
    assert [(node.name, node.saved_role) for node in graph.nodes if node.kind == "saved"] == [("x", "input")]


def test_parameters_of_modules_have_names(children: Children) -> None:
    ended = trace(children, "import torch\nnet = torch.nn.Sequential(torch.nn.Linear(2, 1))\nnet(torch.ones(1, 2)).sum().backward()\n")
    (graph,) = traced_graphs(ended).values()
    assert {node.name for node in graph.nodes if node.kind == "leaf"} == {"net.0.weight", "net.0.bias"}


def test_a_graph_that_is_too_large_is_not_shown(children: Children) -> None:
    ended = trace(children, "import torch\nx = y = torch.ones(1, requires_grad=True)\nfor _ in range(2001):\n    y = y * 1\ny.backward()\n")
    assert not traced_graphs(ended)
    assert [(replay.note, replay.graph) for replay in replays(ended)] == [("nodes", None)]


def test_a_pass_that_fails_before_its_first_step_has_no_graph(children: Children) -> None:
    ended = trace(children, X + "(x * 2).sum().detach().backward()\n")
    assert shown_on(ended) == [None]
    assert not traced_graphs(ended)


def test_a_traced_graph_has_the_number_of_its_graph_record(children: Children) -> None:
    text = X + "import graphviz\ngraphviz.Source('digraph { a -> b }')\n"
    before = "torchviz.make_dot(x * 2)\ntry:\n    torchviz.make_dot(3)\nexcept AttributeError:\n    pass\n"
    ended = trace(children, before + "torchviz.make_dot(x * 5)\n", text)
    graphs = [record for record in ended.records if type(record) is GraphRecord]
    traced = list(traced_graphs(ended).values())
    assert [graph.graph for graph in traced] == [1, 2]
    for graph in traced:
        assert {node.id for node in graphs[graph.graph - 1].nodes} == {node.id for node in graph.nodes}


def test_graphs_have_the_ids_of_the_first_run(children: Children) -> None:
    text = X + "w = torch.ones(2)\nb = torch.ones(2)\ny = ((x * w) * b).relu().sum()\ny.backward()\ntorchviz.make_dot(y, show_saved=True)\n"
    ids = [
        [node.id for node in children.run_program(Program(source=Source(text=text), instruments=instruments)).graphs[0].nodes]
        for instruments in ([], ["trace"])
    ]
    assert ids[0] == ids[1]


def test_without_show_saved_only_what_custom_functions_saved_is_drawn(children: Children) -> None:
    use = "import torchviz\ny = F.apply(x * x).exp()\ntorchviz.make_dot(y.sum())\n"
    (graph,) = traced_graphs(trace(children, function("ctx.half = x / 2; " + SAVES, USES, use))).values()
    assert [node.name for node in graph.nodes if node.kind == "saved"] == ["x", "ctx.half"]


def test_a_tensor_that_two_functions_saved_has_two_boxes(children: Children) -> None:
    use = "import torchviz\ny = x.exp()\ntorchviz.make_dot(F.apply(y) + F.apply(y), params={'y': y})\n"
    (graph,) = traced_graphs(trace(children, function(SAVES, USES, use))).values()
    boxes = [node for node in graph.nodes if node.kind == "saved"]
    assert [box.name for box in boxes] == ["x", "x"]
    assert len({box.id for box in boxes}) == 2


def test_a_saved_tensor_without_a_shape_has_the_label_that_make_dot_gives_it(children: Children) -> None:
    nested = "ctx.x = torch.nested.nested_tensor([torch.ones(1), torch.ones(2)]); return x * x"
    for draws in ("", "torchviz.make_dot(y)\n"):
        ended = trace(children, X + function(nested, "return g", f"y = F.apply(x)\n{draws}y.sum().backward()\n"))
        (graph,) = traced_graphs(ended).values()
        assert [(node.name, node.label, node.shape) for node in graph.nodes if node.kind == "saved"] == [("ctx.x", "ctx.x\n()", None)]
