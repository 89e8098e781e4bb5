"""Each check passes a right function, and fails a wrong one with its own code, in both languages."""

import pytest

from app.grading.words import word
from app.protocol.grading import Rubric
from tests.runtimes.torch.grading.loopback import Loopback, codes, grade

SQUARE = """
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad
"""
PRODUCT = """
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y, scale=1):
        ctx.save_for_backward(x, y)
        ctx.scale = scale
        return scale * x * y, x + y

    @staticmethod
    def backward(ctx, grad, other):
        x, y = ctx.saved_tensors
        return ctx.scale * grad * y + other, ctx.scale * grad * x + other, None
"""
DOUBLE = """
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx, grad):
        return 2 * grad
"""
ONCE = SQUARE.replace(
    "    @staticmethod\n    def backward", "    @staticmethod\n    @torch.autograd.function.once_differentiable\n    def backward"
)
HEAD = "import torch\nfrom gradroom import Subject, check, draw, expect, mistake, reported, value\n"
ONE = 'square = Subject("Square", lambda: [draw.tensor()])\n'
TWO = 'square = Subject("Square", lambda: [draw.tensor((2, 3)), draw.tensor((2, 3)), 3])\n'

BACKWARD = "        return 2 * x * grad\n"
CASES = [  # the check, its solution, the part of it that is replaced, the replacement, and the code
    ("values", SQUARE, "return x**2", "return x**2 + 1e-3", "output-value"),
    ("values", SQUARE, "return x**2", "return (x**2).sum()", "output-shape"),
    ("values", SQUARE, "return x**2", "return (x**2).float()", "output-dtype"),
    ("values", SQUARE, "return x**2", "return x**2, x", "output-sequence"),
    ("values", PRODUCT, "return scale * x * y, x + y", "return scale * x * y, x + y + 1", "outputs-value"),
    ("values", PRODUCT, "return scale * x * y, x + y", "return scale * x * y, x + y, x.clone()", "outputs-number"),
    ("values", PRODUCT, "return scale * x * y, x + y", "return scale * x * y", "output-no-sequence"),
    ("values", SQUARE, "return x**2", "return (x**2,)", "output-in-tuple"),
    ("interleaved", SQUARE, "2 * x * grad", "None", "gradient-missing"),
    ("values", SQUARE, "return x**2", "return None", "output-kind"),
    ("values", SQUARE, "return x**2", "return x.to_sparse()", "raised"),
    ("values", SQUARE, "return x**2", "return x.nothing", "raised-at"),
    ("gradients", SQUARE, BACKWARD, "        return 2 * x\n", "gradient-value"),
    ("gradients", SQUARE, BACKWARD, "        return None\n", "gradient-missing"),
    (
        "gradients",
        SQUARE,
        "ctx.save_for_backward(x)",
        "ctx.save_for_backward(x); ctx.mark_non_differentiable(y := x**2); return y",
        "no-graph",
    ),
    ("gradients", PRODUCT, "ctx.scale * grad * x + other", "grad * x + other", "gradient-value"),
    ("gradients", PRODUCT, "* y + other", "* y", "gradient-value"),
    ("second", SQUARE, "2 * x * grad", "2 * x.detach() * grad", "second-value"),
    ("second", SQUARE, "2 * x * grad", "(2 * x * grad).detach()", "gradient-cut"),
    ("third", SQUARE.replace("x**2", "x**3").replace("2 * x *", "3 * x * x *"), "3 * x * x", "3 * x * x.detach()", "second-value"),
    ("gradcheck", SQUARE, "2 * x * grad", "3 * x * grad", "gradcheck-mismatch"),
    ("gradcheck", SQUARE, "return x**2", "return x.detach().new_tensor(id(ctx) % 1000) * x", "gradcheck-mismatch"),
    ("gradgradcheck", SQUARE, "2 * x * grad", "2 * x.detach() * grad", "gradgradcheck-mismatch"),
    ("linear", SQUARE, "2 * x * grad", "2 * x * grad.abs()", "nonlinear"),
    ("linear", SQUARE, "2 * x * grad", "2 * x * grad.clamp(-2, 2)", "nonlinear"),
    ("strides", SQUARE, "2 * x * grad", "2 * x * grad.as_strided(x.shape, torch.empty(x.shape).stride())", "layout-gradient"),
    ("strides", SQUARE, "2 * x * grad", "2 * x * grad.view(-1).view(x.shape)", "layout-gradient"),
    ("strides", SQUARE, "return x**2", "return x.as_strided(x.shape, torch.empty(x.shape).stride()) ** 2", "layout-argument"),
    ("untouched", SQUARE, "return x**2", "return x.mul_(x).clone()", "argument-changed"),
    ("untouched", SQUARE, "return 2 * x * grad", "return grad.mul_(2 * x)", "grad-output-changed"),
    ("untouched", SQUARE, "return 2 * x * grad", "ctx.n = getattr(ctx, 'n', 0) + 1; return 2 * x * grad * ctx.n", "second-pull"),
    (
        "interleaved",
        SQUARE.replace("(x,) = ctx.saved_tensors", "x = ctx.x").replace("ctx.save_for_backward(x)", "ctx.x = x"),
        "ctx.x",
        "Square.x",
        None,
    ),
    ("scale", SQUARE, "2 * x * grad", "2 * x * grad + 1e-8", "scale-gradient"),
    ("needs", PRODUCT, "* grad * x + other", "* grad * x * ctx.needs_input_grad[0] + other", "needs"),
    ("dtypes", SQUARE, "return x**2", "return (x**2).double()", "output-dtype"),
    ("dtypes", SQUARE, "2 * x * grad", "2 * x * grad * (1 if x.dtype == torch.float64 else 2)", "gradient-value"),
    ("scalars", SQUARE, "return x**2", "return torch.stack([row**2 for row in x])", "raised-at"),
    ("scalars", SQUARE, "2 * x * grad", "2 * x * grad * (2 if x.dim() == 0 else 1)", "gradient-value"),
    ("dirty", DOUBLE, "return x.mul_(2)", "return x * 2", "raised"),
    ("dirty", DOUBLE, "ctx.mark_dirty(x)", "pass", "dirty-graph"),
    ("dirty", DOUBLE, "ctx.mark_dirty(x)\n        return x.mul_(2)", "return x * 2", "not-changed"),
]


@pytest.mark.parametrize(("method", "solution", "right", "wrong", "code"), CASES)
def test_a_wrong_function_fails_with_its_code(method: str, solution: str, right: str, wrong: str, code: str | None) -> None:
    checks = f"{HEAD}{TWO if solution is PRODUCT else ONE}\n@check\ndef it():\n    square.{method}()\n"
    exercise = Rubric(checks=checks, solution=solution)
    assert right in solution
    assert grade(solution, exercise).passed
    assert_fails(solution.replace(right, wrong), exercise, code or method)


def assert_fails(program: str, exercise: Rubric, *expected: str) -> None:
    verdict = grade(program, exercise)
    assert not verdict.passed
    assert [code for code in codes(verdict).values() if code] == list(expected)
    for check in verdict.checks:
        if check.message is not None:
            for text in (word(check.message, "en"), word(check.message, "zh-Hans")):
                assert text and "?" not in text.replace("mark_dirty?", "") and "{" not in text


STATE = SQUARE.replace("(x,) = ctx.saved_tensors", "x = Square.x").replace("ctx.save_for_backward(x)", "Square.x = x")
RAISING = [
    ("RuntimeError, 'marked with @once', order=2", ONCE, SQUARE, "second-not-raised"),
    ("RuntimeError, 'another text', order=2", ONCE, ONCE, "raised-other"),
    ("ValueError, order=1", SQUARE.replace(BACKWARD, "        raise ValueError('no')\n"), SQUARE, "backward-not-raised"),
    ("'LookupError', order=0", SQUARE.replace("return x**2", "raise KeyError(1)"), SQUARE, "call-not-raised"),
]


@pytest.mark.parametrize(("arguments", "right", "wrong", "code"), RAISING)
def test_what_must_be_raised(arguments: str, right: str, wrong: str, code: str) -> None:
    exercise = Rubric(checks=f"{HEAD}{ONE}\n@check\ndef it():\n    square.raises({arguments})\n", solution=SQUARE)
    assert right is wrong or grade(right, exercise).passed
    assert_fails(wrong, exercise, code)


OTHERS = [
    ("expect(value('n') == 3 and value('x').tolist() == [1, 2])", "import torch\nx, n = torch.tensor([1, 2]), 3", "n = 1", "expected"),
    ("expect(value('n') == 3, said={'en': 'n is not 3', 'zh-Hans': 'n 不是 3'})", "n = 3", "n = 4", "expected"),
    ("return value('n') == 3", "n = 3", "n = 4", "not-so"),
    ("assert value('n') == 3", "n = 3", "n = 4", "not-so"),
    ("assert value('n', (int, float)) == 3", "n = 3", "n = '3'", "value-kind"),
    ("value('n')", "n = 3", "", "raised"),
    ("Subject('f', lambda: [draw.tensor((4,))]).close(torch.sin, 0.01)", "f = lambda x: x.sin() + 0.001", "f = lambda x: x", "not-close"),
    ("Subject('f', lambda: [draw.tensor((4,))]).close(torch.sin, 0.01)", "f = lambda x: x.sin()", "f = lambda x: None", "output-kind"),
    ("Subject('f', lambda: [draw.tensor((4,))]).close(torch.sin, 0.01)", "f = lambda x: x.sin()", "f = lambda x: ()", "output-kind"),
    ("Subject('f', lambda: [draw.number(1, 2)], like=lambda x: 2 * x).values()", "f = lambda x: x + x", "f = lambda x: x", "output-value"),
    ("Subject('f', lambda: [[1], 'a'], like=lambda x, y: x).values()", "f = lambda x, y: x", "f = lambda x, y: y", "output-no-sequence"),
    ("Subject('f', lambda: [draw.tensor(grad=False)]).untouched()", "f = lambda x: x + 1", "f = lambda x: x.add_(1)", "argument-changed"),
    ("Subject('f', lambda: [1], like=lambda x: x).values()", "f = lambda x: x", "f = lambda x: [x]", "output-sequence"),
]  # fmt: skip


@pytest.mark.parametrize(("check", "right", "wrong", "code"), OTHERS)
def test_variables_numbers_and_words_of_ones_own(check: str, right: str, wrong: str, code: str) -> None:
    exercise = Rubric(checks=f"{HEAD}\n@check\ndef it():\n    {check}\n")
    assert grade(right, exercise).passed
    assert_fails(wrong, exercise, code)


def test_the_input_is_told_whose_gradient_is_wrong_where_only_some_require_grad() -> None:
    exercise = Rubric(checks=f"{HEAD}{TWO}\n@check\ndef it():\n    square.needs()\n", solution=PRODUCT)
    wrong = PRODUCT.replace("* grad * x + other", "* grad * x * ctx.needs_input_grad[0] + other")
    [message] = [check.message for check in grade(wrong, exercise).checks]
    assert message is not None
    assert word(message, "en") == "The gradient of input 2 is wrong when only these inputs require grad: 2."
    assert word(message, "zh-Hans") == "只有输入 2 需要梯度时，对第 2 个输入的梯度不对。"


def test_an_input_is_counted_among_all_arguments() -> None:
    two = "product = Subject('Square', lambda: [draw.tensor((2,), grad=False), draw.tensor((2,))])"
    exercise = Rubric(checks=f"{HEAD}{two}\n@check\ndef it():\n    product.gradients()\n", solution=PRODUCT)
    verdict = grade(PRODUCT.replace("ctx.scale * grad * x + other", "ctx.scale * grad * x"), exercise)
    [message] = [check.message for check in verdict.checks]
    assert message is not None
    assert (message.code, message.values["input"]) == ("gradient-value", "2")


def test_state_on_the_class_is_found() -> None:
    exercise = Rubric(checks=f"{HEAD}{ONE}\n@check\ndef it():\n    square.interleaved()\n", solution=SQUARE)
    assert_fails(STATE, exercise, "interleaved")


def test_a_length_on_the_class_is_found_although_most_draws_have_the_same() -> None:
    lengths = "lengths = iter([2, 2, 3, *[2] * 20])\nsquare = Subject('Square', lambda: [draw.tensor((next(lengths),))])"
    exercise = Rubric(checks=f"{HEAD}{lengths}\n@check\ndef it():\n    square.interleaved()\n", solution=SQUARE)
    kept = SQUARE.replace("ctx.save_for_backward(x)", "ctx.save_for_backward(x); Square.n = len(x)")
    assert_fails(kept.replace("2 * x * grad", "2 * x * grad * len(x) / Square.n"), exercise, "interleaved")


MISTAKES = """
@check
def gradients():
    square.gradients()


@mistake
def raises_itself():
    raise ValueError


@mistake
def cube():
    return square.behaves_like(forward=lambda x: x**3)


@mistake
def forgot_chain():
    return square.behaves_like(forward=lambda x: x**2, backward=lambda grad, x: 2 * x)


@mistake
def detached():
    return square.holds("gradients") and square.behaves_like(second=lambda gg, g, x: torch.zeros_like(x))
"""


@pytest.mark.parametrize(
    ("wrong", "mistake"),
    [("2 * x * grad", None), ("2 * x", "forgot-chain"), ("3 * x * grad", None)],
)
def test_the_first_mistake_that_was_made_is_named(wrong: str, mistake: str | None) -> None:
    verdict = grade(SQUARE.replace("2 * x * grad", wrong), Rubric(checks=HEAD + ONE + MISTAKES, solution=SQUARE))
    assert verdict.mistake == mistake


def test_a_mistake_of_the_second_order_is_named() -> None:
    checks = HEAD + ONE + MISTAKES.replace("square.gradients()", "square.second()")
    verdict = grade(SQUARE.replace("2 * x *", "2 * x.detach() *"), Rubric(checks=checks, solution=SQUARE))
    assert verdict.mistake == "detached"


def test_what_is_reported_decides_nothing() -> None:
    checks = f"{HEAD}{ONE}\n@check\ndef values():\n    square.values()\n"
    checks += "\n@check(reported=True)\ndef saved():\n    return not reported.saved(square)\n"
    verdict = grade(SQUARE, Rubric(checks=checks, solution=SQUARE))
    assert verdict.passed
    assert [(check.id, check.passed, check.reported) for check in verdict.checks] == [("values", True, False), ("saved", False, True)]


@pytest.mark.parametrize(
    ("ending", "code"),
    [
        ("assert len(kept) == 1", "saved"),
        ("assert not kept", "saved"),
        ("expect(not kept, said={'en': 'mine'})", "expected"),
        ("1 / 0", "broken"),
    ],
)
def test_what_is_saved_is_said_of_a_reported_check_whether_it_passes_or_not(ending: str, code: str) -> None:
    checks = (
        f"{HEAD}from gradroom import expect\n{ONE}\n@check(reported=True)\ndef kept():\n    kept = reported.saved(square)\n    {ending}\n"
    )
    checks += "\n@check\ndef values():\n    reported.saved(square)\n    square.values()\n\n@check(reported=True)\ndef silent():\n    pass\n"
    kept, values, silent = grade(SQUARE, Rubric(checks=checks, solution=SQUARE)).checks
    assert kept.message is not None
    assert (kept.message.code, kept.passed) == (code, "== 1" in ending)
    if code == "saved":
        assert kept.message.values["tensors"] == "1"
        assert kept.message.values["size"].endswith(" B")
    assert (values.message, silent.message) == (None, None), "what rests on values says nothing, nor what has no report"


def test_nothing_that_is_checked_is_not_passed() -> None:
    assert not grade(SQUARE, Rubric()).passed


@pytest.mark.parametrize(
    "checks", ["import nothing", "def", HEAD + "@check\ndef it():\n    1 / 0\n", HEAD + ONE + "\n@check\ndef it():\n    square.values()"]
)
def test_a_fault_of_the_authors_is_no_pass(checks: str) -> None:
    assert_fails(SQUARE, Rubric(checks=checks), "broken")


def test_a_learner_that_is_gone_fails_what_remains() -> None:
    checks = HEAD + ONE + "".join(f"\n@check\ndef {name}():\n    square.{name}()\n" for name in ("values", "gradients", "second"))
    verdict = grade(SQUARE, Rubric(checks=checks, solution=SQUARE), link=Loopback(SQUARE, gone_after=4))
    assert codes(verdict) == {"values": None, "gradients": "gone-timed_out", "second": "gone"}  # which was asked nothing


def test_a_typical_exercise_takes_few_questions() -> None:
    names = ("values", "gradients", "gradcheck", "gradgradcheck", "second", "linear", "untouched", "strides")
    checks = HEAD + ONE + "".join(f"\n@check\ndef {name}():\n    square.{name}()\n" for name in names)
    for seed in range(5):
        link = Loopback(SQUARE)
        assert grade(SQUARE, Rubric(checks=checks, solution=SQUARE), seed=seed, link=link).passed
        assert link.asked <= 150
