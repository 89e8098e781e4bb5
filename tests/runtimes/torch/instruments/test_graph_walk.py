"""Our own walk draws exactly what torchviz draws."""

import re

import pytest

from app.protocol.records.graph import GraphRecord
from tests.runtimes.children import Children
from tests.runtimes.functions import CUBE, DRAWING, EXP, LEAF, NOT_A_LEAF, SINH, SINH_BAD, SQUARE

HEAD = "import torch, torchviz\nx, w = (torch.rand(3, 3, requires_grad=True) for _ in range(2))\nb = torch.rand(3)\n"
STATEMENT = re.compile(r"^\t(\d+)(?: -> (\d+))?", re.MULTILINE)

DRAWN = [
    *(
        f"{function}{x}{DRAWING.replace('torchviz.make_dot', 'd = torchviz.make_dot')}"
        for function in (SQUARE, EXP, SINH, SINH_BAD, CUBE)
        for x in (LEAF, NOT_A_LEAF)
    ),
    *(
        f"{HEAD}d = torchviz.make_dot({arguments})"
        for arguments in (
            "x",
            "b",
            "x * 2",
            "x.exp(), dict(x=x)",
            "x.exp(), {1: x}",
            "x.exp(), {'': x}",
            "(x * w, x + w, x), {'x': x, 'w': w}",
            "x[0].view(-1)[1:]",
            "(x * 2).view(9), params={'x': x}, show_saved=True",
            "(x @ w).sigmoid().sum() / 3, show_attrs=True, show_saved=True",
            "torch.stack([x, w, x]).sum(), show_saved=True, params={'x': x}",
            "x[torch.tensor([0, 1])] + x[0:2, :], show_attrs=True, show_saved=True, max_attr_chars=5",
            "torch.nn.functional.layer_norm(x, (3,), b), show_saved=True",
            "torch.nn.functional.dropout(x), show_saved=True",
            "torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))(x), show_attrs=True, show_saved=True",
            "torch.nn.LSTM(3, 4)(x)[0]",
            "torch.nn.Conv1d(3, 2, 2)(x), {'a \\\\n b': x}, show_attrs=1, show_saved=1",
            "torch.linalg.svd(x)[1].sum(), show_saved=True",
            "x.clone().mul_(2).add_(w), show_saved=True",
            "torch.utils.checkpoint.checkpoint(torch.sin, x, use_reentrant=False)",
            "torch.autograd.grad((x ** 3).sum(), x, create_graph=True)",
            "torch.cat([x * n for n in range(500)])",
            "(), {}",
            "torch.rand(2, 2).to_sparse().requires_grad_() * 2",
            "torch.rand(2, dtype=torch.cdouble, requires_grad=True).abs()",
        )
    ),
]


def drawn_sizes(source: str) -> tuple[int, int]:
    """The numbers of nodes and edges in torchviz's own text."""
    found = STATEMENT.findall(source)
    return len({name for names in found for name in names if name}), sum(bool(target) for _, target in found)


def sizes(graph: GraphRecord) -> tuple[int, int]:
    return len(graph.nodes), len(graph.edges)


@pytest.mark.parametrize("program", DRAWN)
def test_the_model_is_what_torchviz_draws(children: Children, program: str) -> None:
    ended = children.run(f"{program}\nprint(d.source)")
    (graph,) = ended.graphs
    assert sizes(graph) == drawn_sizes(ended.stdout)
    assert len({node.id for node in graph.nodes}) == len(graph.nodes)
    for node in graph.nodes:
        is_function = node.kind in ("function", "custom_function", "accumulate_grad")
        assert (node.dtype is None) is is_function  # which only the objects tell
        assert node.label


@pytest.mark.parametrize("options", ["", ", show_saved=True", ", show_attrs=True"])
def test_what_is_walked_without_torchviz_is_the_same(children: Children, options: str) -> None:
    """A list is not a tuple to torchviz, which raises."""
    program = SINH + LEAF + "import torchviz\nout = function(x.exp())\n"
    drawn = children.run(program + f"torchviz.make_dot((out, x), {{'x': x}}{options})").graphs[0]
    walked = children.run(program + f"torchviz.make_dot([out, x], {{'x': x}}{options})").graphs[0]
    assert (walked.nodes, walked.edges) == (drawn.nodes, drawn.edges)


SAVING = (
    "import torch, torchviz\n"
    "class Saves(torch.autograd.Function):\n"
    "    @staticmethod\n"
    "    def forward(ctx, x, w, b):\n"
    "        y, between = x.exp() * w + b, x.exp()\n"
    "        ctx.save_for_backward(x, w, b, y, between)\n"
    "        return y\n"
    "    @staticmethod\n"
    "    def backward(ctx, g): return g, g, None\n"
    "x, w, b = torch.rand(3, requires_grad=True), torch.rand(3, requires_grad=True), torch.rand(3)\n"
)


def test_a_saved_tensor_says_what_it_is_to_its_function_and_has_the_name_of_its_memory(
    children: Children,
) -> None:
    (graph,) = children.run(f"{SAVING}z = x * 2\ntorchviz.make_dot(Saves.apply(z, w, b) * 3, dict(w=w, b=b, z=z.view(3)));").graphs
    saved = [node for node in graph.nodes if node.kind == "saved"]
    assert [(node.name, node.saved_role) for node in saved] == [("z", "input"), ("b", None), (None, "output"), (None, None)]
    leaf = next(node for node in graph.nodes if node.name == "w")
    assert (leaf.kind, leaf.saved_role) == ("leaf", None)


def test_a_saved_attribute_of_pytorchs_own_functions_says_the_same(children: Children) -> None:
    program = "import torch, torchviz\nx = torch.rand(3, requires_grad=True) + 1\ntorchviz.make_dot(x.exp() + x.sin(), show_saved=True);"
    (graph,) = children.run(program).graphs
    assert sorted((node.name, node.saved_role) for node in graph.nodes if node.kind == "saved") == [("result", "output"), ("self", "input")]


def test_functions_are_counted_in_the_order_in_which_the_program_called_them(children: Children) -> None:
    program = (
        "import torch, torchviz\nx = torch.rand(3, requires_grad=True)\na = x.sin()\nb = x.cos()\ntorchviz.make_dot(b.exp() + a.tanh());"
    )
    (graph,) = children.run(program).graphs
    order = {node.sequence: node.label for node in graph.nodes if node.sequence is not None}
    assert [order[place] for place in range(5)] == ["SinBackward0", "CosBackward0", "ExpBackward0", "TanhBackward0", "AddBackward0"]
    assert len(order) == 5


NAMED = "import torch, torchviz\nx, w = (torch.rand(3, requires_grad=True) for _ in range(2))\n"


@pytest.mark.parametrize(
    ("program", "names"),
    [
        ("z, v = x + 2, w.exp()\ny = z * v\ntorchviz.make_dot(y, dict(z=z, v=v, y=y), show_saved=True);", {"y", "z", "v"}),
        ("torchviz.make_dot(x.sin() + x * w, dict(x=x, w=w), show_saved=True);", {"x", "w"}),
        ("b = torch.rand(3)\ntorchviz.make_dot(x * b, dict(x=x, b=b), show_saved=True);", {"x", "b"}),
        ("z = x + 2\nv = z.view_as(z)\ny = z.sin()\ntorchviz.make_dot(y, dict(x=x, z=z, v=v, y=y), show_saved=True);", {"x", "z", "y"}),
        ("z = torch.ones(0, requires_grad=True) + 2\ntorchviz.make_dot(z.sin(), dict(z=z), show_saved=True);", {"z"}),
        ("z = x + 2\nout = z.view(3, 1)\ntorchviz.make_dot(out, dict(x=x, z=z, out=out), show_saved=True);", {"x", "z", "out"}),
    ],
)
def test_a_tensor_that_was_given_a_name_has_it_on_its_box(children: Children, program: str, names: set[str]) -> None:
    (graph,) = children.run(NAMED + program).graphs
    assert {node.name for node in graph.nodes if node.name} - {"self", "result"} == names
    assert "other" not in [node.name for node in graph.nodes]
    assert {node.kind for node in graph.nodes if node.saved_role} <= {"saved"}


def test_the_name_of_a_tensor_that_has_no_box_is_on_the_function_that_computed_it(children: Children) -> None:
    program = "z, v = x.exp(), x + 2\na, b = (z * w).unbind()[:2]\nout = a + b\ntorchviz.make_dot(out, dict(v=v, z=z, a=a, b=b, out=out));"
    (graph,) = children.run(NAMED + program).graphs
    assert {node.label: node.makes for node in graph.nodes if node.makes} == {
        "ExpBackward0": "z", "UnbindBackward0": "a, b",
    }  # fmt: skip


def test_an_edge_says_whether_gradients_flow_along_it(children: Children) -> None:
    (graph,) = children.run(f"{NAMED}torchviz.make_dot((x * w).exp().view(3, 1), dict(x=x, w=w), show_saved=True);").graphs
    kinds = {node.id: node.kind for node in graph.nodes}
    found = {(kinds[edge.source], edge.kind, kinds[edge.target]) for edge in graph.edges}
    assert found == {
        ("function", "gradient", "output"), ("function", "gradient", "tensor"), ("function", "gradient", "function"),
        ("accumulate_grad", "gradient", "function"), ("leaf", "gradient", "accumulate_grad"),
        ("function", "saved", "leaf"), ("function", "saved", "saved"), ("tensor", "view", "output"),
    }  # fmt: skip


HOOKED = (
    "import torch, torchviz\n"
    "class Sin(torch.autograd.Function):\n"
    "    @staticmethod\n"
    "    def forward(ctx, x):\n"
    "        ctx.save_for_backward(x)\n"
    "        return x.sin()\n"
    "    @staticmethod\n"
    "    def backward(ctx, g): return g * ctx.saved_tensors[0].cos()\n"
    "def unpack(tensor):\n"
    "    print('unpacked')\n"
    "    return tensor\n"
    "x = torch.rand(3, requires_grad=True)\n"
    "with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor.clone(), unpack):\n"
    "    y = Sin.apply(x).exp()\n"
)


@pytest.mark.parametrize("options", ["", "show_saved=True", "show_saved=True, show_attrs=True"])
def test_a_hook_that_unpacks_is_called_by_torchviz_only(children: Children, bare_children: Children, options: str) -> None:
    program = f"{HOOKED}d = torchviz.make_dot(y, {{'x': x}}, {options});"
    observed, bare = children.run(program), bare_children.run(program)
    assert observed.stdout == bare.stdout != ""
    (graph,) = observed.graphs
    assert {node.kind for node in graph.nodes} >= {"saved", "leaf", "output"}
    assert sizes(graph) == drawn_sizes(children.run(f"{program}\nprint(d.source)").stdout)


def test_a_hook_that_unpacks_is_not_called_where_torchviz_failed(children: Children) -> None:
    ended = children.run(f"{HOOKED}try: torchviz.make_dot([y])\nexcept TypeError: pass")
    assert ended.stdout == ""
    assert {node.kind for node in ended.graphs[0].nodes} == {"output", "function", "custom_function", "accumulate_grad", "leaf"}


def test_a_subclass_of_tensor_is_not_asked_by_the_walk(children: Children, bare_children: Children) -> None:
    program = (
        "import torch, torchviz\n"
        "class Loud(torch.Tensor):\n"
        "    @classmethod\n"
        "    def __torch_function__(cls, function, types, args=(), kwargs=None):\n"
        "        print(function)\n"
        "        return super().__torch_function__(function, types, args, kwargs)\n"
        "x = torch.rand(3).as_subclass(Loud).requires_grad_()\n"
        "torchviz.make_dot(x * 2, params={'x': x});"
    )
    observed, bare = children.run(program), bare_children.run(program)
    assert re.sub("0x\\w+", "", observed.stdout) == re.sub("0x\\w+", "", bare.stdout)
    assert [node.name for node in observed.graphs[0].nodes if node.name] == ["x"]


def test_a_very_long_chain_is_walked_as_far_as_any_picture_goes(children: Children) -> None:
    ended = children.run(
        "import torch, torchviz\n"
        "y = torch.ones(1, requires_grad=True)\n"
        "for _ in range(30_000): y = y + 1\n"
        "try: torchviz.make_dot(y)\n"
        "except RecursionError: pass"
    )
    assert len(ended.graphs[0].nodes) == 20_001
