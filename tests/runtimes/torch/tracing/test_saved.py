"""What a Function saves, where a path is missing, and which line made a node."""

import pytest

from app.protocol.records.graph import TracedGraphRecord
from app.protocol.records.saved import SavedRecord
from app.protocol.run import Program, Source
from tests.runtimes.children import Children
from tests.runtimes.functions import CUBE, DRAWING, LEAF, SINH_BAD
from tests.runtimes.torch.tracing.programs import PASS, function

BACK = "F.apply(x).sum().backward()\n"
GRAPH = "grad, = torch.autograd.grad(F.apply(x).sum(), x, create_graph=True)\n"


def calls_of(children: Children, text: str) -> list[SavedRecord]:
    program = Program(source=Source(text=text), instruments=["trace"])
    return [record for record in children.run_program(program).records if isinstance(record, SavedRecord)]


def graph_of(children: Children, text: str) -> TracedGraphRecord:
    program = Program(source=Source(text=text), instruments=["trace"])
    drawn = [record for record in children.run_program(program).records if isinstance(record, TracedGraphRecord) and record.graph]
    (graph,) = drawn
    return graph


def test_names_roles_and_lines_of_what_is_saved(children: Children) -> None:
    forward = "up = x.exp()\nctx.half = up[:1]\nctx.save_for_backward(x, up, x.cos())\nctx.y = up * 2\nreturn ctx.y"
    text = function(forward, "return g", GRAPH + "y = F.apply(x)\n")
    call, _ = calls_of(children, text)
    lines = text.splitlines()
    found = {saved.name: (saved.how, saved.role, saved.span and lines[saved.span.line - 1].strip()) for saved in call.saved}
    saving = "ctx.save_for_backward(x, up, x.cos())"
    assert found == {
        "x": ("save_for_backward", "input", saving),
        "up": ("save_for_backward", "intermediate", saving),
        "x.cos()": ("save_for_backward", "intermediate", saving),
        "ctx.half": ("ctx_attribute", "intermediate", "ctx.half = up[:1]"),
        "ctx.y": ("ctx_attribute", "output", "ctx.y = up * 2"),
    }
    storages = {saved.name: saved.storage for saved in call.saved}
    assert storages["up"] == storages["ctx.half"]
    assert (call.bytes, call.number, call.of) == (4 * 24, 1, 2)  # four storages of three doubles


def test_what_is_saved_is_freed_by_backward_and_what_is_on_ctx_is_not(children: Children) -> None:
    text = function(
        "ctx.save_for_backward(x.exp()); ctx.kept = x.sin(); return x * 2", "return g * 2", "y = F.apply(x)\ny.sum().backward()\n"
    )
    (call,) = calls_of(children, text)
    assert [(saved.name, saved.retained_after_backward) for saved in call.saved] == [("x.exp()", False), ("ctx.kept", True)]
    assert call.backward_ran


def test_an_output_on_ctx_is_in_a_cycle(children: Children) -> None:
    (call,) = calls_of(children, function("ctx.y = x * 2; return ctx.y", "return g * 2", "y = F.apply(x)\n"))
    assert [(saved.name, saved.in_cycle) for saved in call.saved] == [("ctx.y", True)]
    assert not call.backward_ran


def test_a_change_in_place_is_counted(children: Children) -> None:
    text = function("ctx.x = x; return x * 2", "return g * 2", "y = F.apply(x)\nwith torch.no_grad():\n    x.add_(1)\n")
    (call,) = calls_of(children, text)
    assert [(saved.version, saved.version_now) for saved in call.saved] == [(0, 1)]


def test_tensors_from_outside_are_named(children: Children) -> None:
    (call,) = calls_of(children, function("return x * w", "return g * w", "w = torch.ones(3)\nF.apply(x).sum().backward()\n"))
    assert [(saved.name, saved.how, saved.role) for saved in call.saved] == [("w", "closure", "other")]
    assert call.bytes == 0  # it is not saved by the call


def test_what_is_saved_in_one_of_two_branches_has_no_place(children: Children) -> None:
    forward = (
        "if len(x) == 3:\n    ctx.save_for_backward(x.sin()); ctx.a = x\nelse:\n    ctx.save_for_backward(x.cos()); ctx.a = x\nreturn x * 2"
    )
    (call,) = calls_of(children, function(forward, "return g * 2", BACK))
    assert [(saved.name, saved.span) for saved in call.saved] == [("saved_tensors[0]", None), ("ctx.a", None)]


def test_of_two_savings_in_a_row_the_last_counts(children: Children) -> None:
    forward = "ctx.save_for_backward(x.sin())\nctx.save_for_backward(x.cos())\nreturn x * 2"
    (call,) = calls_of(children, function(forward, "return g * 2", BACK))
    assert [saved.name for saved in call.saved] == ["x.cos()"]


def test_hooks_on_saved_tensors_are_told(children: Children) -> None:
    use = "from torch.utils.checkpoint import checkpoint\ncheckpoint(F.apply, x, use_reentrant=False).sum().backward()\nF.apply(x)\n"
    calls = calls_of(children, function("ctx.save_for_backward(x.exp()); return x * 2", "return g * 2", use))
    assert (calls[0].hooked, calls[-1].hooked) == (True, False)


@pytest.mark.parametrize("slow", ["time.sleep(0.3)", "while ran:\n    pass"], ids=["a long call", "an endless loop"])
def test_a_function_that_takes_long_does_not_keep_the_rest_from_being_recorded(children: Children, slow: str) -> None:
    forward = f"{slow}\nran.append(1)\nctx.up = x.exp()\nreturn ctx.up + 1"
    (call,) = calls_of(children, "import time\nran = []\n" + function(forward, "return g * ctx.up", BACK))
    assert [saved.name for saved in call.saved] == ["ctx.up"]
    assert call.missing == []


@pytest.mark.parametrize(
    ("forward", "backward", "missing"),
    [
        ("ctx.save_for_backward(x); return x.sinh()", "x, = ctx.saved_tensors; return g * x.cosh()", []),
        ("y = x.exp(); ctx.save_for_backward(y); return y", "y, = ctx.saved_tensors; return g * y", []),
        ("up = x.exp(); ctx.save_for_backward(up); return up + 1", "up, = ctx.saved_tensors; return g * up", [("up", "x", "x")]),
        ("ctx.up = x.exp(); return ctx.up + 1", "return g * ctx.up", [("ctx.up", "x", "x")]),
        ("ctx.up = x.exp(); return ctx.up * 2", "return g * 2", []),  # not used
        ("ctx.signs = x.sign(); return x.abs()", "return g * ctx.signs", []),  # its derivative is zero
        ("with torch.no_grad():\n    up = x.exp()\nctx.up = up\nreturn up + 1", "return g * ctx.up", []),  # cut on purpose
    ],
    ids=["input", "output", "intermediate", "on ctx", "not used", "without slope", "cut"],
)
def test_a_missing_path_is_found_where_the_second_derivative_lacks_one(
    children: Children, forward: str, backward: str, missing: list[tuple[str, str, str]]
) -> None:
    (call,) = calls_of(children, function(forward, backward, GRAPH))
    assert [(path.saved, path.source, path.gradient_of) for path in call.missing] == missing


def test_a_missing_path_names_both_lines(children: Children) -> None:
    text = function("up = x.exp()\nctx.save_for_backward(up)\nreturn up + 1", "up, = ctx.saved_tensors\nreturn g * up", GRAPH)
    ((path,),) = [call.missing for call in calls_of(children, text)]
    assert path.made is not None
    assert path.used is not None
    lines = text.splitlines()
    assert [lines[span.line - 1].strip() for span in (path.made, path.used)] == ["up = x.exp()", "return g * up"]


CUTS = {
    "y = x.detach() * 2; return y": ("return g * 2", [("detach", "forward")]),
    "y = x * 1; y.detach_(); return y": ("return g * 2", [("detach", "forward")]),
    "return x.data * 2": ("return g.data * 2", [("data", "forward"), ("data", "backward")]),
    "return x * 3": ("with torch.no_grad():\n    return g * 3", [("no_grad", "backward")]),
    "return x * 4": ("torch.set_grad_enabled(False)\nreturn g * 4", [("no_grad", "backward")]),
    "with torch.no_grad():\n    y = x * 5\nreturn y": ("return g * 5", [("no_grad", "forward")]),
    "ctx.n = x.norm().item(); return x * ctx.n": ("return g * ctx.n", [("item", "forward")]),
    "return x * float(x.sum())": ("return g * int(g.sum())", [("item", "forward"), ("item", "backward")]),
    "return torch.as_tensor(x.numpy() * 6)": ("return torch.as_tensor(g.numpy() * 6)", [("numpy", "forward"), ("numpy", "backward")]),
    "import numpy; return torch.as_tensor(numpy.exp(x))": ("return g.detach() * 2", [("numpy", "forward"), ("detach", "backward")]),
    "ctx.y = x.detach(); return x * 7": ("raise ValueError(ctx.y)", [("detach", "forward")]),
    "return helper(x)": ("return g", [("detach", "forward")]),
}


@pytest.mark.parametrize("forward", CUTS)
def test_what_cuts_a_path_is_named_with_its_line(children: Children, forward: str) -> None:
    backward, cuts = CUTS[forward]
    text = function(forward, backward, "def helper(x):\n    return x.detach()\n" + BACK)
    (call,) = calls_of(children, text)
    assert [(cut.reason, cut.method) for cut in call.cuts] == cuts
    words = {
        "item": ("item", "float", "int"),
        "no_grad": ("no_grad", "set_grad"),
        "numpy": ("numpy",),
        "detach": ("detach",),
        "data": ("data",),
    }
    lines = text.splitlines()
    for cut in call.cuts:
        assert cut.span is not None
        assert any(word in lines[cut.span.line - 1] for word in words.get(cut.reason, (cut.reason,)))


@pytest.mark.parametrize(
    ("decorator", "reason", "line"),
    [
        ("@torch.autograd.function.once_differentiable", "once_differentiable", "@torch.autograd.function.once_differentiable"),
        ("@once_differentiable", "once_differentiable", "@once_differentiable"),
        ("@renamed", "once_differentiable", "def backward(ctx, g):"),
        ("@torch.no_grad()", "no_grad", "@torch.no_grad()"),
    ],
)
def test_a_decorator_that_cuts_all_paths_is_named(children: Children, decorator: str, reason: str, line: str) -> None:
    text = function("up = x.exp(); ctx.save_for_backward(up); return up + 1", "up, = ctx.saved_tensors; return g * up", BACK)
    text = "from torch.autograd.function import once_differentiable\nrenamed = once_differentiable\n" + text
    text = text.replace("    @staticmethod\n    def backward", f"    @staticmethod\n    {decorator}\n    def backward")
    (call,) = calls_of(children, text)
    (cut,) = call.cuts
    assert (cut.reason, cut.method) == (reason, "backward")
    assert cut.span is not None
    assert text.splitlines()[cut.span.line - 1].strip() == line
    assert not call.missing


def test_running_a_function_again_is_not_seen(children: Children) -> None:
    text = function(
        "print('forward'); seen.append(1); return x * 2", "print('backward'); return g * 2", "seen = []\n" + PASS + "print(seen)\n"
    )
    ended = children.run_program(Program(source=Source(text=text), instruments=["trace"]))
    assert ended.stdout.count("forward") == ended.stdout.count("backward") == 1
    assert "[1]" in ended.stdout


def test_the_graph_of_sinh_bad_has_the_missing_path(children: Children) -> None:
    graph = graph_of(children, SINH_BAD + LEAF + DRAWING)
    names = {node.id: node.name or node.label for node in graph.nodes}
    assert [(names[edge.source].split("\n")[0], names[edge.target].split("\n")[0]) for edge in graph.edges if edge.missing] == [
        ("x", "grad_x")
    ]
    assert {"ctx.up", "ctx.down"} <= set(names.values())


def test_nodes_have_the_line_that_recorded_them_and_their_order(children: Children) -> None:
    text = CUBE + LEAF + DRAWING
    lines = text.splitlines()
    nodes = {node.label: node for node in graph_of(children, text).nodes if node.kind == "custom_function"}
    found = {label: (node.order, lines[(node.line or 0) - 1].strip()) for label, node in nodes.items()}
    assert found == {
        "CubeBackward": (1, "out = function(x)"),
        "CubeBackwardBackward": (2, "return CubeBackward.apply(g, *ctx.saved_tensors)"),
    }


def test_every_saved_tensor_is_a_box_of_its_own(children: Children) -> None:
    text = "import torch, torchviz\nx = torch.rand(2, requires_grad=True)\ny = (x * x).sum()\ntorchviz.make_dot(y, show_saved=True)\n"
    boxes = [node for node in graph_of(children, text).nodes if node.kind == "saved"]
    assert [box.name for box in boxes] == ["other", "self"]
