"""A function that is wrong only at one edge is refused, and the message names the edge."""

import pytest

from app.grading.words import word
from app.protocol.grading import CheckResult, Rubric, Verdict
from app.runtimes.torch.grading.checks.edges import EDGES
from tests.runtimes.torch.grading.loopback import grade

HEAD = "import torch\nfrom gradroom import Subject, check, draw\n"
DOUBLE = "lambda x: 2 * x"
SOFTPLUS = "lambda x: torch.nn.functional.softplus(x)"
SQUARES = "lambda x: (x * x).sum()"


def hooked(gradient: str) -> str:
    """Return the source of a function that doubles its argument, with the expression `gradient` of `g` as incoming gradient."""
    return f"lambda x: twice(x, lambda g: {gradient})"


HOOKED = """
def twice(x, change):
    class Twice(torch.autograd.Function):
        forward = staticmethod(lambda ctx, x: 2 * x)
        backward = staticmethod(lambda ctx, g: 2 * change(g))

    return Twice.apply(x)


"""
CASES = [  # the edge, a right function, and one that is wrong at this edge and at none before it
    ("one-zero", "lambda x: x.prod()", "lambda x: x.abs().log().sum().exp() * x.sign().prod()"),
    ("zeros", SQUARES, "lambda x: (x * x / x.abs().sum()).sum() * x.abs().sum()"),
    ("ties", DOUBLE, "lambda x: 2 * x if x.unique().numel() != 1 or not x.any() else x"),
    ("large", SOFTPLUS, "lambda x: torch.log1p(torch.exp(x))"),
    ("low", "lambda x: torch.sigmoid(-x)", "lambda x: 1 - torch.tanh(x / 2).add(1).div(2).log().exp() if x.min() > -99 else x"),
    ("tiny", DOUBLE, "lambda x: torch.where((x != 0) & (x.abs() < 1e-20), 1.0, 2 * x)"),
    ("far", SOFTPLUS, "lambda x: torch.nn.functional.softplus(torch.where((x < -11) & (x > -99), x.clamp(min=-11), x))"),
    ("all-large", DOUBLE, "lambda x: 2 * x.clamp(-1e4, 1e4)"),
    ("small", DOUBLE, "lambda x: torch.where((x.abs() < 1e-3) & (x.abs() > 1e-20), 2 * x + 1e-8, 2 * x)"),
    ("one-row", DOUBLE, "lambda x: 2 * x.squeeze(0)"),
    ("many-rows", DOUBLE, "lambda x: 2 * x[:8]"),
    ("transposed", DOUBLE, "lambda x: 2 * x.as_strided(x.shape, (x.shape[1], 1)) if 2 not in x.stride() else 2 * x"),
    ("gaps", DOUBLE, "lambda x: 2 * x.as_strided(x.shape, (x.shape[1], 1)) if x.stride(1) == 2 else 2 * x"),
    ("float32", DOUBLE, "lambda x: 2 * x.half().to(x.dtype) if x.dtype == torch.float32 else 2 * x"),
    ("incoming-zero", DOUBLE, hooked("g if g.any() else g + 1")),
    ("incoming-tiny", DOUBLE, hooked("torch.where(g.abs() < 1e-8, 0.0, g)")),
    ("incoming-large", DOUBLE, hooked("g.clamp(-1e4, 1e4)")),
    ("incoming-expanded", DOUBLE, hooked("g if g.stride(0) else 2 * g")),
    ("incoming-gaps", DOUBLE, hooked("2 * g if g.stride(1) == 6 else g")),
    ("again", DOUBLE, "lambda x: 2 * x if seen.count(x.tolist()) < 4 and not seen.append(x.tolist()) else x"),
]


def check_of(program: str, reference: str, options: str = "") -> CheckResult:
    checks = f"{HEAD}f = Subject('f', lambda: [draw.tensor((3, 2))], like={reference})\n@check\ndef edges():\n    f.edges({options})\n"
    [check] = grade(f"import torch\nseen = []\n{HOOKED}f = {program}\n", Rubric(checks=checks)).checks
    return check


def test_every_edge_is_tried() -> None:
    assert [edge for edge, _, _ in CASES] == [*EDGES]


@pytest.mark.parametrize(("edge", "right", "wrong"), CASES)
def test_what_is_wrong_at_one_edge_is_refused_with_its_name(edge: str, right: str, wrong: str) -> None:
    assert check_of(right, right).passed
    failed = check_of(wrong, right)
    assert not failed.passed
    assert failed.message is not None
    assert failed.message.values.get("case") == edge, failed.message
    assert word(failed.message, "en").endswith(".")
    assert "这" in word(failed.message, "zh-Hans")


def test_an_edge_that_the_text_excludes_is_not_asked() -> None:
    assert check_of("lambda x: torch.log1p(torch.exp(x))", SOFTPLUS, "without=['large']").passed


def test_at_a_kink_the_value_is_asked_for_and_the_gradient_is_not() -> None:
    relu, other_at_zero = "lambda x: torch.relu(x)", "lambda x: torch.where(x < 0, 0 * x, x)"
    assert not check_of(other_at_zero, relu).passed
    assert check_of(other_at_zero, relu, "kinks=['one-zero', 'zeros']").passed
    assert not check_of("lambda x: torch.where(x == 0, 1.0, torch.relu(x))", relu, "kinks=['one-zero', 'zeros']").passed


def test_what_a_sum_with_one_rounds_away_is_not_asked_for() -> None:
    assert check_of("lambda x: (1 + (x / 100) ** 2).log()", "lambda x: torch.log1p((x / 100) ** 2)").passed


def test_an_edge_that_the_reference_does_not_accept_is_named_by_the_author() -> None:
    strict, other_rows = "lambda x: x.reshape(3, 2) + x", "lambda x: 2 * x if len(x) == 3 else x"
    failed = check_of(other_rows, strict)
    assert failed.message is not None
    assert failed.message.code == "broken"
    assert "'one-row'" in failed.message.values["message"]
    assert "raised" in failed.message.values["message"]
    assert check_of(other_rows, strict, "without=['one-row', 'many-rows']").passed


def test_an_edge_at_which_the_reference_is_not_finite_is_not_asked() -> None:
    root = "lambda x: x.abs().sqrt() / x.abs().max()"
    assert check_of(root, root).passed
    assert check_of(f"lambda x: ({root})(x) if x.any() else x", root).passed


def test_an_unknown_edge_is_the_authors_fault() -> None:
    failed = check_of(DOUBLE, DOUBLE, "without=['huge']")
    assert failed.message is not None
    assert failed.message.code == "broken"
    assert "'huge'" in failed.message.values["message"]


def test_what_is_wrong_without_an_edge_is_not_blamed_on_it() -> None:
    failed = check_of("lambda x: 3 * x", DOUBLE)
    assert failed.message is not None
    assert "case" not in failed.message.values


def test_what_is_wrong_with_the_arguments_themselves_is_not_blamed_on_an_edge() -> None:
    columns = "lambda: [draw.tensor((3, next(counts)))]"  # three columns, and then two in every other draw
    checks = f"{HEAD}counts = iter([3, *[2] * 20])\nf = Subject('f', {columns}, like={DOUBLE})\n@check\ndef edges():\n    f.edges()\n"
    [failed] = grade("f = lambda x: 2 * x if x.shape[1] < 3 else x", Rubric(checks=checks)).checks
    assert failed.message is not None
    assert "case" not in failed.message.values


LOG = "lambda x: x.log1p()"
SECOND = """
class Log(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.log1p()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return Slope.apply(g, x)


class Slope(torch.autograd.Function):
    @staticmethod
    def forward(ctx, g, x):
        ctx.save_for_backward(g, x)
        return g / (1 + x)

    @staticmethod
    def backward(ctx, gg):
        g, x = ctx.saved_tensors
        return gg / (1 + x), torch.where({wrong}, 0.0, -gg * g / (1 + x) ** 2)


f = Log.apply
"""


def second_of(wrong: str, checks: str, seed: int = 7) -> Verdict:
    program = f"import torch\n{SECOND.replace('{wrong}', wrong)}"
    head = f"{HEAD}f = Subject('f', lambda: [draw.tensor((3, 2), low=0.5)], like={LOG})\n"
    return grade(program, Rubric(checks=head + checks), seed=seed)


@pytest.mark.parametrize(("wrong", "case"), [("x == 0", "one-zero"), ("x > 500", "large"), ("x > 5e3", "all-large")])
def test_a_second_derivative_that_is_wrong_at_an_edge_is_refused_where_it_is_asked_for(wrong: str, case: str) -> None:
    edges = "@check\ndef edges():\n    f.edges({})\n"
    assert second_of(wrong, edges.format("")).passed
    [failed] = second_of(wrong, edges.format("second=True")).checks
    assert failed.message is not None
    assert (failed.message.code, failed.message.values["case"]) == ("second-value", case)
    assert second_of("x > 1e9", edges.format("second=True")).passed


def test_a_second_derivative_that_another_check_refuses_is_not_refused_again() -> None:
    both = "@check\ndef second():\n    {}\n@check\ndef edges():\n    f.edges(second=True)\n"
    assert [check.passed for check in second_of("x > 0", both.format("f.second()")).checks] == [False, True]
    assert [check.passed for check in second_of("x > 0", both.format("f.holds('second')")).checks] == [True, False]


def test_an_edge_where_a_small_change_of_the_arguments_changes_the_reference_is_not_asked() -> None:
    unsteady = "lambda x: torch.sin(1e9 * x * (x.abs() > 1e3)) + x"
    assert check_of("lambda x: torch.where(x.abs() > 1e3, 0.0, x)", unsteady, "without=['low']").passed


def test_a_tiny_derivative_is_not_hidden_by_the_tolerance() -> None:
    assert not check_of("lambda x: 1e-8 * x + 1e-11 * x.sin()", "lambda x: 1e-8 * x").passed


def test_who_excludes_a_large_entry_excludes_a_tensor_of_them() -> None:
    assert check_of("lambda x: x.clamp(max=5)", "lambda x: x", "without=['large']").passed
