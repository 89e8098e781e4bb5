"""A learner's own check passes if it judges every function rightly, each time, by values alone."""

import pytest

from app.grading.words import word
from app.protocol.grading import Rubric
from app.runtimes.torch.grading.judging import MUTANT_TIMES, RIGHT_TIMES, chance
from tests.runtimes.torch.grading.loopback import Loopback, codes, grade

RIGHT = """
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
EXERCISE = Rubric(
    examines="check",
    subject="Square",
    right={"a": RIGHT, "b": RIGHT.replace("2 * x * grad", "grad * (x + x)")},
    mutants={
        "ignores-grad": RIGHT.replace("2 * x * grad", "2 * x"),
        "detached": RIGHT.replace("2 * x * grad", "2 * x.detach() * grad"),
        "raises": RIGHT.replace("2 * x * grad", "grad.nothing"),
        "contiguous": RIGHT.replace("2 * x * grad", "2 * x * grad.as_strided(x.shape, torch.empty(x.shape).stride())"),
        "changes": RIGHT.replace("return 2 * x * grad", "return grad.mul_(2 * x)"),
    },
)
GOOD = """
import torch
from torch.autograd import gradcheck, gradgradcheck


def check(square):
    x = torch.randn(3, dtype=torch.double, requires_grad=True)
    one = gradcheck(square, x)
    two = gradgradcheck(square, x)
    grad = torch.ones(3, dtype=torch.double)
    y, z = square(x), x.clone()
    (total,) = torch.autograd.grad(y + z, x, grad)
    g = torch.tensor([1.0, 5.0, 2.0, 5.0, 3.0, 5.0], dtype=torch.double)[::2]
    (gapped,) = torch.autograd.grad(square(x), x, g)
    if not torch.allclose(gapped, 2 * x * g):
        return False
    return one and two and torch.allclose(total, 2 * x + 1)
"""


def test_a_check_that_finds_every_fault_passes() -> None:
    link = Loopback(GOOD)
    verdict = grade(GOOD, EXERCISE, link=link)
    assert verdict.passed, codes(verdict)
    assert set(codes(verdict)) == {"right", *(f"mutant:{name}" for name in EXERCISE.mutants)}
    assert link.asked == RIGHT_TIMES + MUTANT_TIMES * len(EXERCISE.mutants)


def test_a_check_that_misses_one_is_told_which() -> None:
    program = GOOD.replace("gradgradcheck(square, x)", "True")
    verdict = grade(program, EXERCISE)
    assert codes(verdict)["mutant:detached"] == "mutant-accepted"
    assert codes(verdict)["right"] is None
    assert not verdict.passed


@pytest.mark.parametrize(
    ("check", "code"),
    [
        ("return False", "right-refused"),
        ("return (x := square.nothing)", "right-raised"),
        ("import torch; return torch.tensor(False)", "right-refused"),
    ],
)
def test_a_check_that_refuses_what_is_right_is_told_so(check: str, code: str) -> None:
    verdict = grade("", EXERCISE, link=Loopback(f"def check(square):\n    {check}\n"))
    assert codes(verdict)["right"] == code
    assert not verdict.passed


def said_of_right(check: str) -> str:
    [message] = [one.message for one in grade("", EXERCISE, link=Loopback(check)).checks if one.id == "right"]
    assert message is not None
    return word(message, "en")


def test_what_a_check_raised_for_what_is_right_is_told_with_its_line() -> None:
    start = "Your check finds a fault where Square has none: it raised "
    assert said_of_right("def check(square):\n    raise ValueError('no')") == start + "ValueError in line 2: no"
    assert said_of_right("def check(square):\n    return square('x')") == start + "TypeError in line 2"
    assert said_of_right("check = int").startswith(start + "TypeError: int() argument must be")


def test_a_check_that_is_not_there_fails_all() -> None:
    verdict = grade("", EXERCISE)
    assert set(codes(verdict).values()) == {"raised"}


def test_a_learner_that_is_gone_fails_all() -> None:
    verdict = grade("", EXERCISE, link=Loopback(GOOD, gone_after=3))
    assert set(codes(verdict).values()) == {"gone-judging"}


CHEATS = {
    "always": "return True",
    "never": "return False",
    "by chance": "import random; return random.random() < 0.5",
    "by name": "return 'mutant' not in square.__qualname__ + repr(square.__closure__)",
    "by source": "import inspect; return '2 * x * grad' in inspect.getsource(square)",
    "by another name": "return square.__closure__ is not None and not reaches(square)",
    "by the text of an error": "return text(square) == ''",
}
HELP = """
import gc, msgspec
from app.protocol.calls import Fetch, Report, Call


def asker(square):
    return next(cell.cell_contents for cell in square.__closure__ if hasattr(cell.cell_contents, "request"))


def reaches(square):
    asking = asker(square)
    found = []
    for request in (Fetch(name="Square.backward.__code__"), Fetch(name="Square"), Report(of=1), Call(function="Square.backward")):
        try:
            found.append(asking.request(request, object))
        except Exception as error:
            assert str(error) == "this is not a request that is answered here"
    return found


def text(square):
    try:
        square(1, 2, 3, 4)
    except Exception as error:
        return str(error)


"""


@pytest.mark.parametrize("name", CHEATS)
def test_what_does_not_look_at_values_does_not_pass(name: str) -> None:
    program = f"{HELP}def check(square):\n    {CHEATS[name]}\n"
    assert not grade("", EXERCISE, link=Loopback(program)).passed


def test_nothing_but_values_differs_between_functions() -> None:
    """The proxies of all functions have the same attributes, errors and reply numbers."""
    program = (
        f"{HELP}seen = []\n\n\ndef check(square):\n    seen.append((square.__name__, text(square), len(reaches(square)), type(square)))\n"
    )
    program += "    open_seen(seen[-1])\n"
    seen: list[object] = []
    link = Loopback(program)
    link.names["open_seen"] = seen.append
    grade("", EXERCISE, link=link)
    assert len(seen) > 4 and len(set(map(str, seen))) == 1


def test_guessing_is_hopeless_even_for_one_mutant() -> None:
    assert chance(RIGHT_TIMES, MUTANT_TIMES) < 1e-3
    assert RIGHT_TIMES + MUTANT_TIMES <= 14


PROBE = """
import torch


def check(square):
    x = torch.ones(1, requires_grad=True)
    try:
        (gradient,) = torch.autograd.grad(square(x), x, torch.full((1,), 3.0), create_graph=True)
        told((gradient.item(), gradient.requires_grad))
    except Exception:
        told("raised")
"""


def test_the_order_is_drawn_for_each_submission() -> None:
    orders = set()
    for seed in range(4):
        order: list[object] = []
        link = Loopback(PROBE)
        link.names["told"] = order.append
        grade("", EXERCISE, seed=seed, link=link)
        orders.add(str(order))
    assert len(orders) > 1
