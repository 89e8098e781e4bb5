"""The Jacobians that a check compares: their pairs, names, shapes and modes."""

import pytest

from tests.runtimes.children import Children, pairs_of
from tests.runtimes.functions import CHECKS, LEAF, MISMATCHED, SINH, SINH_BAD, SQUARE


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


def test_several_inputs_and_outputs_count_those_that_are_checked(children: Children) -> None:
    """As in PyTorch's messages, only differentiable outputs and inputs that require grad are counted."""
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
    """With `.data` in backward, gradgradcheck compares the numerical Jacobians with zero."""
    detached = SQUARE.replace("return 2 * g * x", "return 2 * g.data * x.data")
    ended = children.run(detached + LEAF + "torch.autograd.gradgradcheck(function, x, raise_exception=False);")
    (check,) = ended.checks
    assert check.message == "Numerical gradient for function expected to be zero"
    assert pairs_of(check) == [(0, 0), (0, 1)]
    assert [pair.failing for pair in check.pairs] == [9, 9]
    assert check.pairs[0].analytical == [[0.0] * 9] * 9


def test_a_large_jacobian_is_shown_by_blocks(children: Children) -> None:
    ended = children.run(
        SINH_BAD
        + "x = torch.rand(70, requires_grad=True, dtype=torch.double)\ntorch.autograd.gradgradcheck(function, x, raise_exception=False);"
    )
    pair = ended.checks[0].pairs[0]
    assert (pair.numerical, pair.analytical, pair.shape, pair.failing) == (None, None, (70, 70), 70)
    assert (pair.finding, pair.input_shape, pair.output_shape) == ("zero", [70], [70])
    assert pair.blocks is not None and pair.blocks.worst is not None
    assert (pair.blocks.rows, pair.blocks.columns, len(pair.blocks.entries)) == (4, 4, 18)
    assert all(row[at].row == row[at].column and row[at].analytical == 0.0 for at, row in enumerate(pair.blocks.entries))
    worst = max(abs(complex(*entry) if isinstance(entry, tuple) else float(entry)) for row in pair.blocks.worst.numerical for entry in row)
    assert worst == pytest.approx(pair.max_abs_error)


def test_a_pair_has_the_shapes_of_its_tensors(children: Children) -> None:
    ended = children.run(
        "import torch\n"
        "x, w = (torch.rand(size, requires_grad=True, dtype=torch.double) for size in ((2, 3), (3, 4)))\n"
        "def function(scale, x, w): return x.detach(), (x @ w) * scale, x.sum()\n"
        "torch.autograd.gradcheck(function, (2.0, x, w));\n"
        "torch.autograd.gradcheck(lambda x: (x.sum(0) * 0).detach(), x);\n"
        "torch.autograd.gradgradcheck(lambda x, w: x @ w, (x, w));\n"
        "torch.autograd.gradcheck(lambda x, w: x @ w, (x, w), fast_mode=True);"
    )
    first, constant, second, fast = ([(pair.input_shape, pair.output_shape) for pair in check.pairs] for check in ended.checks)
    assert first == [([2, 3], [2, 4]), ([3, 4], [2, 4]), ([2, 3], []), ([3, 4], [])]
    assert constant == [([2, 3], [3])]
    assert second == [(of_input, output) for output in ([2, 3], [3, 4]) for of_input in ([2, 3], [3, 4], [2, 4])]
    assert fast == [([2, 3], [2, 4]), ([3, 4], [2, 4])]
    assert [pair.finding for pair in ended.checks[3].pairs] == [None, None]
