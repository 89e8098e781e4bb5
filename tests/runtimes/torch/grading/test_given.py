"""If the task says to leave a function unchanged, the solution's function is called, whatever the program defines."""

import pytest

from app.protocol.grading import Rubric
from tests.runtimes.torch.grading.loopback import codes, grade

GIVEN = """
import torch

calls = []


def block(x):
    calls.append(1)
    return x**2


def count(x):
    calls.clear()
    block(block(x))
    return torch.tensor(len(calls))
"""
COUNTED = """
from gradroom import Subject, check, draw, given

given("count")
counted = Subject("count", lambda: [draw.tensor()])


@check
def twice():
    counted.values()
"""


def test_a_given_function_is_asked_whatever_the_program_calls_so() -> None:
    exercise = Rubric(checks=COUNTED, solution=GIVEN)
    assert grade(GIVEN, exercise).passed
    assert grade(GIVEN.replace("return torch.tensor(len(calls))", "print(len(calls))"), exercise).passed
    lying = "import torch\n\n\ndef count(x):\n    return torch.tensor(2)\n"
    assert codes(grade(lying, exercise)) == {"twice": "raised"}
    idle = lying.replace("torch\n", "torch\n\ncalls = []\nblock = torch.square\n", 1)
    assert codes(grade(idle, exercise)) == {"twice": "output-value"}


def test_a_second_given_function_leaves_the_first_given() -> None:
    more = COUNTED.replace("counted =", 'given("other", source="def other(x):\\n    return block(x)\\n")\ncounted =')
    exercise = Rubric(checks=more, solution=GIVEN)
    assert grade(GIVEN, exercise).passed
    lying = "import torch\n\ncalls = []\nblock = torch.square\n\n\ndef count(x):\n    return torch.tensor(2)\n"
    assert codes(grade(lying, exercise)) == {"twice": "output-value"}


def test_what_is_given_stands_in_the_solution() -> None:
    assert codes(grade(GIVEN, Rubric(checks=COUNTED.replace('"count"', '"other"', 1), solution=GIVEN))) == {"checks": "broken"}


SQUARED = """
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


def twice(x):
    return Square.apply(x) + Square.apply(x)
"""
SCALED = """
from gradroom import Subject, check, draw, given

TEXT = \"\"\"
import torch

def slope_of_scaled(x, c):
    return with_scaled(Square, c, lambda: torch.autograd.grad(twice(x).sum(), x)[0])
\"\"\"
given("slope_of_scaled", source=TEXT)
scaled = Subject("slope_of_scaled", lambda: [draw.tensor(), 3.0], like=lambda x, c: (4 * c * x).detach())
square = Subject("twice", lambda: [draw.tensor()])


@check
def by_square():
    scaled.values()


@check
def as_before():
    square.gradients()
"""
BY_VJP = SQUARED.replace("def backward", "def vjp")
TWO_GRADIENTS = SQUARED.replace("(ctx, x):", "(ctx, x, power=2):").replace("return 2 * x * grad", "return 2 * x * grad, None")
INHERITED = SQUARED.replace("class Square", "class Base").replace("\n\n\ndef twice", "\n\n\nclass Square(Base):\n    pass\n\n\ndef twice")


@pytest.mark.parametrize("program", [SQUARED, BY_VJP, TWO_GRADIENTS, INHERITED])
def test_a_given_source_scales_what_a_function_returns_and_leaves_it_as_it_was(program: str) -> None:
    exercise = Rubric(checks=SCALED, solution=SQUARED)
    assert codes(grade(program, exercise)) == {"by-square": None, "as-before": None}
    assert codes(grade(program.replace("+ Square.apply(x)", "+ x**2"), exercise)) == {"by-square": "output-value", "as-before": None}


def test_a_source_finds_its_own_words_whatever_the_program_calls_so() -> None:
    lying = f"{SQUARED}\n\ndef with_scaled(kind, factor, call):\n    return factor * call()\n"
    exercise = Rubric(checks=SCALED, solution=SQUARED)
    assert grade(lying, exercise).passed
    assert not grade(lying.replace("+ Square.apply(x)", "+ x**2"), exercise).passed
