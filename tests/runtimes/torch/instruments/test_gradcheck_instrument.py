"""Checks observed at torch.autograd.gradcheck and gradgradcheck."""

import pytest

from app.protocol.records.gradcheck import GradcheckDisplay
from app.protocol.run import Source
from app.runtimes.tamed.server_paths import without_server_paths
from tests.runtimes.children import Children
from tests.runtimes.functions import CHECKS, CUBE, EXP, LEAF, SINH, SINH_BAD, SQUARE

MISMATCHED = """
import torch
class Mismatched(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w, x + w, x - w
    @staticmethod
    def backward(ctx, g, h, k):
        x, w = ctx.saved_tensors
        return g * w * 2 + h + k, g * x + h - k
x = torch.rand(2, requires_grad=True, dtype=torch.double)
w = torch.rand(2, requires_grad=True, dtype=torch.double)
"""


def pairs_of(check: GradcheckDisplay) -> list[tuple[int, int]]:
    return [(pair.output, pair.input) for pair in check.pairs]


@pytest.mark.parametrize("function", [SQUARE, EXP, SINH, CUBE])
def test_the_functions_of_the_course_pass_both_checks(children: Children, function: str) -> None:
    first, second = children.run(function + LEAF + CHECKS).checks
    assert (first.order, first.passed, first.mode, first.message, first.title) == (1, True, "reverse", None, "gradcheck")
    assert (second.order, second.passed, second.title) == (2, True, "gradgradcheck")
    assert (first.eps, first.atol, first.rtol) == (1e-6, 1e-5, 1e-3)
    assert pairs_of(first) == [(0, 0)]
    assert pairs_of(second) == [(0, 0), (0, 1)]
    for pair in first.pairs + second.pairs:
        assert pair.shape == (9, 9)
        assert pair.failing == 0
        assert isinstance(pair.max_abs_error, float)
        assert pair.max_abs_error < 1e-7


def test_sinh_bad_passes_gradcheck_and_fails_gradgradcheck(children: Children) -> None:
    ended = children.run(SINH_BAD + LEAF + CHECKS)
    first, second = ended.checks
    assert (first.passed, second.passed) == (True, False)
    assert second.message is not None
    assert second.message.startswith("Jacobian mismatch for output 0 with respect to input 0")
    assert pairs_of(second) == [(0, 0), (0, 1)]
    by_x, by_grad_output = second.pairs
    assert (by_x.failing, by_grad_output.failing) == (9, 0)
    assert by_x.analytical == [[0.0] * 9] * 9
    assert by_x.numerical is not None
    assert by_x.numerical[0][0] != 0.0
    assert (ended.over.ending, ended.error.type, ended.error.line) == ("raised", "GradcheckError", 14)
    assert ended.error.message == second.message


def test_names_of_inputs_and_outputs(children: Children) -> None:
    first, second = children.run(SINH + LEAF + CHECKS).checks
    assert [(pair.output_name, pair.input_name) for pair in first.pairs] == [(None, "x")]
    assert [(pair.output_name, pair.input_name) for pair in second.pairs] == [("grad_x", "x"), ("grad_x", "grad_output")]


def test_all_pairs_are_there_when_the_first_one_fails(children: Children) -> None:
    ended = children.run(MISMATCHED + "print(torch.autograd.gradcheck(Mismatched.apply, (x, w), raise_exception=False))")
    (check,) = ended.checks
    assert ended.stdout == "False\n"
    assert (check.passed, pairs_of(check)) == (False, [(o, i) for o in range(3) for i in range(2)])
    assert [pair.failing for pair in check.pairs] == [2, 0, 0, 0, 0, 0]
    assert [pair.input_name for pair in check.pairs] == ["x", "w"] * 3
    assert check.message is not None
    assert check.message.startswith("Jacobian mismatch for output 0 with respect to input 0")


UNTOUCHED = """
import os, random, sys, traceback, warnings, numpy
from torch.autograd import gradcheck, gradgradcheck
warnings.simplefilter("default")
calls = 0
def noisy(*inputs):
    global calls
    calls += 1
    random.random(), numpy.random.rand(), torch.rand(1)
    if calls % 3 == 0:
        warnings.warn("seen")
    if calls < 4:
        print("called", [tensor.requires_grad for tensor in inputs])
    return function(*inputs)
for check in (gradcheck, gradgradcheck):
    for raise_exception in (True, False):
        try:
            print(check(noisy, inputs, raise_exception=raise_exception))
        except Exception as error:
            traceback.print_exc(file=sys.stdout)
            print(type(error), error.args, error.__context__, error.__cause__)
        warnings.warn("seen")
        print(random.random(), numpy.random.rand(), torch.rand(1).item())
        print([(tensor.grad, tensor.requires_grad, tensor._version, tensor.tolist()) for tensor in inputs])
"""


@pytest.mark.parametrize(
    "program",
    [
        MISMATCHED + "function, inputs = Mismatched.apply, (x, w)\n",
        SINH_BAD + LEAF + "inputs = (x,)\n",
        SINH + LEAF + "inputs = (x,)\n",
        "import torch\nfunction, inputs = torch.relu, (torch.zeros(2, requires_grad=True),)\n",
        "import torch\nfunction, inputs = (lambda x: x + x.nothing), (torch.zeros(2, requires_grad=True, dtype=torch.double),)\n",
    ],
)
def test_nothing_that_the_learner_can_see_changes(children: Children, bare_children: Children, program: str) -> None:
    observed, bare = children.run(program + UNTOUCHED), bare_children.run(program + UNTOUCHED)
    assert len(observed.checks) == 4
    assert observed.stdout == bare.stdout
    assert observed.stderr == without_server_paths(bare.stderr)


def test_what_is_computed_afterwards_prints_nothing(children: Children) -> None:
    ended = children.run(
        MISMATCHED
        + "import os, sys\n"
        + "def noisy(x, w):\n"
        + "    if afterwards(): print('seen'), os.write(1, b'seen'), sys.stderr.write('seen')\n"
        + "    return Mismatched.apply(x, w)\n"
        + "def afterwards():\n"
        + "    return any('complete' == frame.name for frame in __import__('traceback').extract_stack())\n"
        + "torch.autograd.gradcheck(noisy, (x, w), raise_exception=False);"
    )
    assert len(ended.checks[0].pairs) == 6
    assert (ended.stdout, ended.stderr) == ("", "")


def test_nothing_that_another_thread_prints_is_lost(children: Children) -> None:
    ended = children.run(
        MISMATCHED
        + "import os, threading\n"
        + "goes_on, before, done = threading.Event(), threading.Event(), threading.Event()\n"
        + "def count():\n"
        + "    for number in range(1000):\n"
        + "        print(number); os.write(1, b'raw\\n')\n"
        + "        before.set(), goes_on.wait()\n"
        + "    done.set()\n"
        + "calls = 0\n"
        + "def lets_the_other_print(x, w):\n"
        + "    global calls\n"
        + "    calls += 1\n"
        + "    if calls > 9: goes_on.set(), done.wait()\n"  # PyTorch's own are nine
        + "    return Mismatched.apply(x, w)\n"
        + "threading.Thread(target=count).start()\n"
        + "before.wait()\n"
        + "torch.autograd.gradcheck(lets_the_other_print, (x, w), raise_exception=False);\n"
        + "goes_on.set()"
    )
    assert [line for line in ended.stdout.split() if line != "raw"] == [str(number) for number in range(1000)]
    assert ended.stdout.count("raw") == 1000
    assert pairs_of(ended.checks[0]) == [(0, 0), (0, 1)]


def test_a_function_that_raises_afterwards_leaves_the_pairs_that_are_known(children: Children) -> None:
    ended = children.run(
        MISMATCHED
        + "calls = 0\n"
        + "def fragile(x, w):\n"
        + "    global calls\n"
        + "    calls += 1\n"
        + "    if calls > 9: raise SystemExit(3)\n"
        + "    return Mismatched.apply(x, w)\n"
        + "torch.autograd.gradcheck(fragile, (x, w), raise_exception=False);"
    )
    assert ended.over.ending == "finished"
    assert pairs_of(ended.checks[0]) == [(0, 0), (0, 1)]


@pytest.mark.parametrize(
    "call",
    [
        "from torch.autograd import gradcheck\ngradcheck(function, x);",
        "import torch\ntorch.autograd.gradcheck(func=function, inputs=x);",
        "import sys\nsys.modules['torch.autograd.gradcheck'].gradcheck(function, [x]);",
        "import torch\ntorch.autograd.gradcheck.__wrapped__;torch.autograd.gradcheck(function, (x,), eps=1e-4);",
    ],
)
def test_every_name_of_gradcheck_is_observed_once_at_its_line(children: Children, call: str) -> None:
    ended = children.run(SQUARE + LEAF + call)
    (check,) = ended.checks
    assert check.passed
    assert check.line == 15


def test_a_check_called_inside_a_checked_function_belongs_to_the_outer_call(children: Children) -> None:
    ended = children.run(
        SQUARE
        + LEAF
        + "def nosy(x):\n"
        + "    torch.autograd.gradcheck(function, torch.ones(1, requires_grad=True, dtype=torch.double))\n"
        + "    return function(x)\n"
        + CHECKS.replace("function", "nosy")
    )
    assert [(check.order, pairs_of(check)) for check in ended.checks] == [(1, [(0, 0)]), (2, [(0, 0), (0, 1)])]
    assert all(pair.shape == (9, 9) for check in ended.checks for pair in check.pairs)


def test_several_inputs_and_outputs_count_those_that_are_checked(children: Children) -> None:
    """As in PyTorch's messages: outputs that are differentiable, inputs that require grad."""
    ended = children.run(
        "import torch\n"
        "def mixed(scale, x, k, w):\n"
        "    return x.detach() * 2, x * w * k, x.sum() * scale\n"
        "x, w = (torch.rand(n, requires_grad=True, dtype=torch.double) for n in (3, 1))\n"
        "torch.autograd.gradcheck(mixed, (torch.tensor(2.0).double(), x, 5, w));"
    )
    (check,) = ended.checks
    assert pairs_of(check) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [pair.shape for pair in check.pairs] == [(3, 3), (1, 3), (3, 1), (1, 1)]
    assert [pair.input_name for pair in check.pairs] == ["x", "w", "x", "w"]
    assert check.pairs[3].analytical == [[0.0]]


def test_gradgradcheck_with_several_outputs_names_each_incoming_gradient(children: Children) -> None:
    ended = children.run(
        "import torch\nx = torch.rand(2, requires_grad=True, dtype=torch.double)\n"
        "torch.autograd.gradgradcheck(lambda x: (x ** 2, x.exp()), x);"
    )
    assert [(pair.output_name, pair.input_name) for pair in ended.checks[0].pairs] == [
        ("grad_x", "x"),
        ("grad_x", "grad_output_0"),
        ("grad_x", "grad_output_1"),
    ]


@pytest.mark.parametrize("passes", [True, False])
def test_fast_mode_shows_what_fast_mode_computes(children: Children, passes: bool) -> None:
    function = SINH if passes else MISMATCHED + "function = lambda x: Mismatched.apply(x, w)\n"
    ended = children.run(
        function + LEAF.replace("3, 3", "2") + "torch.autograd.gradcheck(function, x, fast_mode=True, raise_exception=False);"
    )
    (check,) = ended.checks
    assert (check.mode, check.passed) == ("fast", passes)
    assert pairs_of(check) == ([(0, 0)] if passes else [(0, 0), (1, 0), (2, 0)])
    for pair in check.pairs:
        assert pair.shape == (2, 2)
        assert pair.numerical is not None
        assert (len(pair.numerical), len(pair.numerical[0])) == (1, 1)
    assert (check.pairs[0].failing == 0) is passes


def test_the_shape_of_a_pair_in_fast_mode_is_that_of_the_jacobians_and_not_of_their_projection(children: Children) -> None:
    ended = children.run(
        "import torch\n"
        "x, w = (torch.rand(size, requires_grad=True, dtype=torch.double) for size in ((2, 3), (4,)))\n"
        "torch.autograd.gradcheck(lambda x, w: (x.sum(0), w * 2), (x, w), fast_mode=True);"
    )
    assert [(pair.output, pair.input, pair.shape) for pair in ended.checks[0].pairs] == [
        (0, 0, (6, 3)),
        (0, 1, (4, 3)),
        (1, 0, (6, 4)),
        (1, 1, (4, 4)),
    ]


@pytest.mark.parametrize("function", ["torch.sin", "lambda x: (x.sin(), x * 2)"])
def test_forward_mode_alone_is_shown_as_forward(children: Children, function: str) -> None:
    ended = children.run(
        "import torch\nx = torch.rand(2, requires_grad=True, dtype=torch.double)\n"
        f"torch.autograd.gradcheck({function}, x, check_forward_ad=True, check_backward_ad=False);"
    )
    (check,) = ended.checks
    assert (check.mode, check.passed) == ("forward", True)
    assert all(pair.failing == 0 and pair.shape == (2, 2) for pair in check.pairs)
    assert pairs_of(check) == [(output, 0) for output in range(function.count(",") + 1)]


def test_a_failure_in_forward_mode_shows_the_forward_jacobians(children: Children) -> None:
    ended = children.run(
        "import torch\n"
        "class F(torch.autograd.Function):\n"
        "    @staticmethod\n"
        "    def forward(x): return x * 2, x * 5\n"
        "    @staticmethod\n"
        "    def setup_context(ctx, inputs, output): pass\n"
        "    @staticmethod\n"
        "    def backward(ctx, g, h): return g * 2 + h * 5\n"
        "    @staticmethod\n"
        "    def jvp(ctx, t): return t * 3, t * 5\n"
        "x = torch.rand(2, requires_grad=True, dtype=torch.double)\n"
        "torch.autograd.gradcheck(F.apply, x, check_forward_ad=True, raise_exception=False);"
    )
    (check,) = ended.checks
    assert (check.mode, check.passed) == ("forward", False)
    assert check.message is not None
    assert "computed with forward mode mismatch" in check.message
    assert [(pair.failing, pair.input_name) for pair in check.pairs] == [(2, "x"), (0, "x")]


def test_complex_entries_travel_as_pairs_of_numbers(children: Children) -> None:
    ended = children.run(
        "import torch\nz = torch.rand(2, requires_grad=True, dtype=torch.cdouble)\ntorch.autograd.gradcheck(lambda z: z * z.conj() * 2, z);"
    )
    (check,) = ended.checks
    assert check.passed
    assert [pair.output_name for pair in check.pairs] == ["output, imaginary part", "output, real part"]
    assert check.pairs[1].numerical is not None
    assert isinstance(check.pairs[1].numerical[0][0], tuple)


def test_both_parts_of_a_complex_output_are_there_when_the_first_one_fails(children: Children) -> None:
    ended = children.run(
        "import torch\n"
        "class F(torch.autograd.Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, z): return z * 2\n"
        "    @staticmethod\n"
        "    def backward(ctx, g): return g * 3\n"
        "z = torch.rand(2, requires_grad=True, dtype=torch.cdouble)\n"
        "torch.autograd.gradcheck(F.apply, z, raise_exception=False);"
    )
    (check,) = ended.checks
    assert [(pair.output_name, pair.failing) for pair in check.pairs] == [("output, imaginary part", 2), ("output, real part", 2)]


def test_zero_is_expected_where_nothing_is_differentiable(children: Children) -> None:
    """`.data` in backward: gradgradcheck then compares the numerical Jacobians with zero."""
    detached = SQUARE.replace("return 2 * g * x", "return 2 * g.data * x.data")
    ended = children.run(detached + LEAF + "torch.autograd.gradgradcheck(function, x, raise_exception=False);")
    (check,) = ended.checks
    assert check.message == "Numerical gradient for function expected to be zero"
    assert pairs_of(check) == [(0, 0), (0, 1)]
    assert [pair.failing for pair in check.pairs] == [9, 9]
    assert check.pairs[0].analytical == [[0.0] * 9] * 9


def test_an_error_of_the_learners_function_is_the_message_of_the_check(children: Children) -> None:
    ended = children.run(
        "import torch\ntorch.autograd.gradcheck(lambda x: x.nothing, torch.ones(1, requires_grad=True, dtype=torch.double))"
    )
    (check,) = ended.checks
    assert (check.passed, check.message, check.pairs) == (False, "'Tensor' object has no attribute 'nothing'", [])
    assert [frame.function for frame in ended.error.traceback] == ["<module>", "<lambda>"]


def test_a_call_that_pytorch_refuses_shows_nothing(children: Children) -> None:
    ended = children.run("import torch\ntorch.autograd.gradcheck()")
    assert (ended.displays, ended.error.type) == ([], "TypeError")


def test_a_large_jacobian_shows_its_worst_entries_only(children: Children) -> None:
    ended = children.run(
        SINH_BAD
        + "x = torch.rand(70, requires_grad=True, dtype=torch.double)\ntorch.autograd.gradgradcheck(function, x, raise_exception=False);"
    )
    pair = ended.checks[0].pairs[0]
    assert (pair.numerical, pair.analytical, pair.shape, pair.failing) == (None, None, (70, 70), 70)
    assert pair.worst is not None
    assert len(pair.worst) == 20
    assert all(entry.row == entry.column and entry.analytical == 0.0 for entry in pair.worst)
    assert abs(pair.worst[0].numerical) == pytest.approx(pair.max_abs_error)


def test_a_check_in_a_replayed_cell_is_not_shown(children: Children) -> None:
    ended = children.run("1 + 1", Source(text=SINH_BAD + LEAF + CHECKS, cell="sinh-bad", raises="GradcheckError"), cell="next")
    assert [display.line for display in ended.displays] == [1]
    assert ended.over.ending == "finished"


def test_checks_in_threads_are_all_shown(children: Children) -> None:
    ended = children.run(
        SINH
        + LEAF
        + "import threading\n"
        + "def check(): torch.autograd.gradcheck(function, x.detach().clone().requires_grad_())\n"
        + "threads = [threading.Thread(target=check) for _ in range(3)]\n"
        + "[thread.start() for thread in threads];"
    )
    assert [check.passed for check in ended.checks] == [True] * 3
